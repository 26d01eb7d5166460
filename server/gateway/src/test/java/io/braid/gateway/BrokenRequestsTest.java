package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.gateway.HttpDoors.Door;
import io.braid.gateway.RawHttp.Reply;
import io.braid.gateway.RpcDoors.Method;
import io.braid.gateway.RpcDoors.Outcome;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Fault 78: one of the many doors of a server answers a broken request with a defect, or in another
 * form than all others. The requests are those of an identity that may do everything, so that only
 * the check of the request stops them. {@link DoorsTest} explains the known faults.
 */
class BrokenRequestsTest extends UnchangedNode {
  /** Bodies that are wrong everywhere. */
  private static final List<String> BODIES =
      List.of(
          "{",
          "[1]",
          "null",
          "\"x\"",
          "\u00ff\u00fe\u0000",
          "{\"surely-nothing\":1}",
          "{}{}",
          "[".repeat(5000),
          "<a/>",
          "{\"operations\":7,\"columns\":7,\"rows\":7,\"families\":7,\"keys\":7,\"version\":[]}");

  /** Queries that are wrong everywhere. */
  private static final List<String> QUERIES =
      List.of(
          "surely-nothing=1",
          "=",
          "%",
          "a=%zz",
          "%ff",
          "\u00ff=\u00fe",
          "a\u0001",
          "limit=x&after=%&at=x&column=x",
          "x".repeat(70_000));

  private static final List<byte[]> MESSAGES =
      List.of(new byte[] {-1, -1, -1}, new byte[] {10, 100, 1}, RawHttp.bytes("{}"));

  /** More than server.body, and than any part of the node reads. */
  private static final int LONG = (4 << 20) + 1;

  /** Routes that need neither body nor query, and look at neither: probes, and static files. */
  private static final Set<String> DEAF =
      Set.of(
          "GET /",
          "GET /console.css",
          "GET /console.js",
          "GET /jobs.js",
          "GET /overview.js",
          "GET /livez",
          "GET /readyz",
          "GET /openapi.json",
          "GET /metrics");

  /** Known fault: reflection answers a broken message with INTERNAL. */
  private static final Set<String> REFLECTION =
      Set.of(
          "grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
          "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo");

  @Test
  void garbageInABodyIsRefused() throws Exception {
    Wrong wrong = new Wrong();
    for (Door door : HttpDoors.all()) {
      for (String garbage : BODIES) {
        byte[] body = RawHttp.bytes(garbage);
        Reply reply = http.ask(door, http.path(door), body, DoorsNode.as("root"));
        wrong.unless(reply.isRefusal(), door.name(), garbage, reply);
        wrong.unless(reply.status() < 500, "defect at " + door.name(), garbage, reply);
      }
    }
    wrong.require(DEAF, "a body that makes no sense is refused");
  }

  @Test
  void garbageInAQueryIsRefused() throws Exception {
    Wrong wrong = new Wrong();
    for (Door door : HttpDoors.all()) {
      for (String garbage : QUERIES) {
        String path = http.path(door).replace("?column=f:q", "") + "?" + garbage;
        Reply reply = http.ask(door, path, door.bytes(), DoorsNode.as("root"));
        wrong.unless(reply.isRefusal(), door.name(), garbage, reply);
        wrong.unless(reply.status() < 500, "defect at " + door.name(), garbage, reply);
      }
    }
    wrong.require(DEAF, "a parameter that makes no sense is refused");
  }

  @Test
  void bodiesThatAreTooLongAreRefused() throws Exception {
    Wrong wrong = new Wrong();
    byte[] chunk =
        RawHttp.bytes(Integer.toHexString(LONG) + "\r\n" + "x".repeat(LONG) + "\r\n0\r\n\r\n");
    for (Door door : HttpDoors.all()) {
      String declared = "Content-Length: " + LONG + "\r\n";
      Reply reply = http.client().send(head(door, declared), new byte[0]);
      wrong.unless(isTooLong(reply), door.name(), "declared", reply);
      wrong.unless(reply.status() < 500, "defect at " + door.name(), "declared", reply);
      reply = http.client().send(head(door, "Transfer-Encoding: chunked\r\n"), chunk);
      wrong.unless(isTooLong(reply), door.name(), "sent", reply);
      wrong.unless(reply.status() < 500, "defect at " + door.name(), "sent", reply);
    }
    wrong.require(DEAF, "413 for a body that is too long");
  }

  private String head(Door door, String length) {
    return http.client().head(door.method(), http.path(door), length, DoorsNode.as("root"));
  }

  private static boolean isTooLong(Reply reply) {
    return reply.status() == 413 && reply.isRefusal();
  }

  @Test
  void brokenMessagesAreRefused() {
    Wrong broken = new Wrong();
    Wrong tooLong = new Wrong();
    String root = "Bearer " + DoorsNode.token("root");
    for (Method method : node.methods()) {
      for (byte[] message : MESSAGES) {
        Outcome outcome = node.rpc().call(method, message, root);
        boolean right = outcome.code() == Code.INVALID_ARGUMENT;
        broken.unless(right, method.name(), new String(message, StandardCharsets.UTF_8), outcome);
      }
      Outcome outcome = node.rpc().call(method, new byte[LONG], root);
      boolean right = outcome.code() == Code.RESOURCE_EXHAUSTED;
      tooLong.unless(right, method.name(), "a long message", outcome);
    }
    broken.require(REFLECTION, "INVALID_ARGUMENT for a broken message");
    tooLong.require(Set.of(), "RESOURCE_EXHAUSTED for a long message");
  }

  /** What is sent by mistake to the address of a method is refused as everything else. */
  @Test
  void methodsRefuseRequestsThatAreNotGrpc() throws Exception {
    Wrong wrong = new Wrong();
    Wrong form = new Wrong();
    for (Method method : node.methods()) {
      Reply posted = http.ask(method, DoorsNode.as("root"));
      String head = http.client().head("GET", "/" + method.name(), "", DoorsNode.as("root"));
      Reply read = http.client().send(head, new byte[0]);
      wrong.unless(posted.status() == 415, method.name(), "POST of JSON", posted);
      wrong.unless(read.status() == 405, method.name(), "GET", read);
      form.unless(posted.isRefusal() && read.isRefusal(), method.name(), "POST and GET", posted);
    }
    wrong.requireNone("415 for another type, 405 for another method");
    form.requireNone("refusals are JSON");
  }

  @Test
  void halfARequestDoesNothing() throws Exception {
    for (Door door : HttpDoors.all()) {
      int length = Math.max(2, door.bytes().length);
      String head = head(door, "Content-Length: " + length + "\r\n");
      String body = new String(door.bytes(), StandardCharsets.ISO_8859_1);
      endAfter(head.substring(0, head.length() / 2), door.name());
      endAfter(head.substring(0, head.length() - 2), door.name());
      endAfter(head, door.name());
      endAfter(head + (body.isEmpty() ? "{" : body.substring(0, length - 1)), door.name());
    }
    for (Method method : node.methods()) {
      String message = new String(method.framed(), StandardCharsets.ISO_8859_1);
      String length = "Content-Length: " + message.length() + "\r\n";
      String path = "/" + method.name();
      String head = http.client().head("POST", path, length, DoorsNode.as("root"), RawHttp.GRPC);
      endAfter(head, method.name());
      endAfter(head + message.substring(0, message.length() - 1), method.name());
    }
  }

  private void endAfter(String part, String door) throws IOException {
    http.client().begin(part);
    assertThat(node.node().get("/livez").status())
        .as("the next after half of %s", door)
        .isEqualTo(200);
  }
}
