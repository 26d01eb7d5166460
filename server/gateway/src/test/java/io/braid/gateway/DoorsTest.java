package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.gateway.DoorsNode.Seen;
import io.braid.gateway.DoorsNode.Verdict;
import io.braid.gateway.HttpDoors.Door;
import io.braid.gateway.HttpDoors.Need;
import io.braid.gateway.RawHttp.Reply;
import io.braid.gateway.RpcDoors.Method;
import io.braid.gateway.RpcDoors.Outcome;
import io.braid.gateway.access.Identities;
import io.grpc.Status.Code;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Fault 78: one of the many doors of a server serves a caller without the right. A door is a route
 * of HTTP or a method of gRPC. Each test tries all doors, and looks for changes afterwards. A door
 * without a line in {@link HttpDoors} or {@link RpcDoors} makes {@link #everyDoorIsListed} fail.
 *
 * <p>The lists called known faults name doors that answer wrongly today. A door that is corrected
 * must leave its list.
 */
class DoorsTest extends UnchangedNode {
  /** Routes that are neither in the description nor files of the console nor of stores. */
  private static final Set<String> MONITORING =
      Set.of("/livez", "/readyz", "/openapi.json", "/metrics");

  /** Doors for callers without an identity: probes, descriptions, and files without data. */
  private static final Set<String> OPEN =
      Set.of(
          "GET /",
          "GET /console.css",
          "GET /console.js",
          "GET /jobs.js",
          "GET /overview.js",
          "GET /livez",
          "GET /readyz",
          "GET /openapi.json",
          "grpc.health.v1.Health/Check",
          "grpc.health.v1.Health/Watch",
          "grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
          "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo");

  /** Doors that answer an identity without grants, and the reason. */
  private static final Map<String, String> ANSWERED =
      Map.ofEntries(
          Map.entry("GET /v1/tables", "only tables that it may read: none"),
          Map.entry("GET /v1/groups", "only groups of such tables"),
          Map.entry("GET /v1/jobs", "only loads of such tables"),
          Map.entry("GET /v1/observers", "only observers of such tables"),
          Map.entry("GET /v1/requests/{id}", "only requests of its own"),
          Map.entry("POST /v1/transactions", "a transaction of its own, which it cannot fill"),
          Map.entry("GET /v1/fast/name", "numbers of the oracle"),
          Map.entry("GET /v1/status", "numbers of the node"),
          Map.entry("GET /v1/gc", "numbers of the collector"),
          Map.entry("braid.v1.Admin/ListTables", "as GET /v1/tables"),
          Map.entry("braid.v1.Groups/ListGroups", "as GET /v1/groups"),
          Map.entry("braid.v1.Jobs/ListJobs", "as GET /v1/jobs"),
          Map.entry("braid.v1.Admin/ListObservers", "as GET /v1/observers"),
          Map.entry("braid.v1.Transactions/GetRequest", "as GET /v1/requests/{id}"),
          Map.entry("braid.v1.Transactions/Begin", "as POST /v1/transactions"),
          Map.entry("braid.v1.Fast/NameWrite", "as GET /v1/fast/name"),
          Map.entry("braid.v1.Admin/GetStatus", "as GET /v1/status"),
          Map.entry("braid.v1.Admin/GetCollection", "as GET /v1/gc"),
          Map.entry("braid.v1.Rows/TakeSnapshot", "a timestamp of the oracle"),
          Map.entry("braid.v1.Stores/ListStores", "only stores that it may read: none"));

  /** The content types of forms of web pages. */
  private static final List<String> FORMS =
      List.of("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain");

  private static String bearer(String name) {
    return "Bearer " + DoorsNode.token(name);
  }

  @Test
  void everyDoorIsListed() throws Exception {
    Set<String> described = new TreeSet<>();
    Set<String> files = new TreeSet<>();
    Set<String> stores = new TreeSet<>();
    for (Door door : HttpDoors.all()) {
      if (door.route().startsWith("/v1/")) {
        described.add(door.name());
      } else if (door.route().startsWith("/stores")) {
        stores.add(door.method() + " " + http.path(door));
      } else if (!MONITORING.contains(door.route())) {
        files.add(door.route());
      }
    }
    assertThat(described)
        .as("routes in HttpDoors, and those of the description")
        .isEqualTo(HttpDoors.described(node.node().get("/openapi.json").json()));
    assertThat(files).as("files of the console in HttpDoors").isEqualTo(HttpDoors.console());
    for (String pattern : HttpDoors.stores()) {
      assertThat(stores)
          .as("a door in HttpDoors for the pattern %s", pattern)
          .anyMatch(door -> door.matches(pattern));
    }
    // RpcDoors.all has failed if a method of a service has no line.
    assertThat(RpcDoors.serviceNames()).as("services in RpcDoors").isEqualTo(node.rpc().served());
  }

  @Test
  void callersWithoutAnIdentityAreRefused() throws Exception {
    Wrong wrong = new Wrong();
    String token = DoorsNode.token("root");
    List<String> nobody =
        List.of(
            "",
            "Bearer no-such-token",
            "Bearer " + Identities.hash(token),
            "Bearer",
            "Basic " + token,
            token);
    for (String each : nobody) {
      Set<String> open = new TreeSet<>();
      for (Seen seen : node.askAll(each)) {
        if (seen.verdict() == Verdict.DONE) {
          open.add(seen.door());
        } else {
          wrong.unless(seen.verdict() == Verdict.UNKNOWN_CALLER, seen.door(), each, seen);
        }
      }
      assertThat(open).as("doors that are open to everybody, with '%s'", each).isEqualTo(OPEN);
    }
    wrong.requireNone("401 without an identity");
  }

  @Test
  void anIdentityWithoutGrantsSeesNothingOfOthers() throws Exception {
    Wrong wrong = new Wrong();
    Wrong pins = new Wrong();
    Set<String> answered = new TreeSet<>();
    for (Seen seen : node.askAll(bearer("stranger"))) {
      if (seen.verdict() != Verdict.DONE) {
        wrong.unless(
            !seen.tells() && (isRefused(seen) || isMissing(seen)), seen.door(), "stranger", seen);
      } else if (seen.need() != Need.NOTHING) {
        answered.add(seen.door());
        wrong.unless(!seen.tells(), seen.door(), "stranger", seen);
        pins.unless(!seen.text().contains(DoorsNode.PIN), seen.door(), "a pin", seen);
      }
    }
    wrong.requireNone("403, or an answer that names nothing of others");
    pins.require(Set.of(), "no name of a pin");
    assertThat(answered).as("doors that answer; give a reason").isEqualTo(ANSWERED.keySet());
    TestNode stranger = node.node().as(DoorsNode.token("stranger"));
    assertThat(stranger.get("/v1/requests/" + HttpDoors.REQUEST).text()).contains("nothing yet");
  }

  /** As for a name that there is not. */
  private static boolean isMissing(Seen seen) {
    return seen.verdict() == Verdict.MISSING;
  }

  private static boolean isRefused(Seen seen) {
    return seen.verdict() == Verdict.FORBIDDEN
        || seen.need() == Need.OWNER && seen.verdict() == Verdict.MISSING;
  }

  @Test
  void changesNeedARole() throws Exception {
    Wrong wrong = new Wrong();
    for (Seen seen : node.askAll(bearer("reader"))) {
      boolean right =
          switch (seen.need()) {
            case NOTHING, IDENTITY, READ -> seen.verdict() == Verdict.DONE;
            case OWNER, WRITE, ADMIN -> isRefused(seen);
          };
      wrong.unless(right, seen.door(), "reader", seen);
    }
    for (Door door : HttpDoors.all()) {
      if (door.need() == Need.ADMIN) {
        Reply reply = http.ask(door, DoorsNode.as("writer"));
        wrong.unless(reply.status() == 403, door.name(), "writer", reply);
      }
    }
    for (Method method : node.methods()) {
      if (method.need() == Need.ADMIN) {
        Outcome outcome = node.rpc().call(method, bearer("writer"));
        boolean right = outcome.code() == Code.PERMISSION_DENIED;
        wrong.unless(right, method.name(), "writer", outcome);
      }
    }
    wrong.requireNone("200 for reads of a reader, 403 for changes");
  }

  /** Fault 72: foreign pages get nothing, even with a token. */
  @Test
  void pagesOfOtherOriginsAreRefused() throws Exception {
    Wrong wrong = new Wrong();
    Wrong rpc = new Wrong();
    String here = "127.0.0.1:" + node.node().uri("/").getPort();
    for (String origin :
        List.of("http://evil.example", "null", "https://" + here, "http://" + here + ".evil")) {
      String header = "Origin: " + origin;
      for (Door door : HttpDoors.all()) {
        Reply reply = http.ask(door, DoorsNode.as("root"), header);
        wrong.unless(reply.status() == 403 && reply.isRefusal(), door.name(), origin, reply);
      }
      for (Method method : node.methods()) {
        Reply reply = http.ask(method, DoorsNode.as("root"), RawHttp.GRPC, header);
        rpc.unless(reply.status() == 403, method.name(), origin, reply);
      }
    }
    for (Door door : HttpDoors.all()) {
      if (door.changes()) {
        Reply reply = http.ask(door, DoorsNode.as("root"), "Sec-Fetch-Site: cross-site");
        wrong.unless(reply.status() == 403, door.name(), "another site", reply);
      }
    }
    wrong.requireNone("403 for pages of another origin");
    rpc.requireNone("403 for pages of another origin, over gRPC");
  }

  /** Fault 72: nor do pages that have bound a name to the address of a node without identities. */
  @Test
  void foreignNamesAndFormsAreRefused() throws Exception {
    Wrong wrong = new Wrong();
    try (TestNode local = TestNode.start(dir.resolve("local"))) {
      local.put("/v1/tables/ledger", "{'families':['f']}");
      String tables = local.get("/v1/tables").text();
      HttpDoors doors = new HttpDoors(local.uri("/"), "0123456789abcdef0123456789abcdef");
      String host = "Host: evil.example";
      Set<String> open = new TreeSet<>();
      for (Door door : HttpDoors.all()) {
        for (Reply reply :
            List.of(doors.ask(door, host), doors.ask(door, host, "Origin: http://evil.example"))) {
          if (reply.status() == 200) {
            open.add(door.name());
          } else {
            wrong.unless(reply.status() == 403 && reply.isRefusal(), door.name(), host, reply);
          }
        }
      }
      try (RpcDoors foreign = new RpcDoors(local.node().grpc().orElseThrow(), "evil.example")) {
        for (Method method : node.methods()) {
          Outcome outcome = foreign.call(method);
          if (outcome.code() == Code.OK) {
            open.add(method.name());
          } else {
            boolean right = outcome.code() == Code.PERMISSION_DENIED;
            wrong.unless(right, method.name(), host, outcome);
          }
        }
      }
      assertThat(open).as("doors under a foreign name").isEqualTo(OPEN);
      for (String form : FORMS) {
        String type = "Content-Type: " + form;
        for (Door door : HttpDoors.all()) {
          if (door.method().equals("POST")) {
            Reply reply = doors.ask(door, type);
            wrong.unless(reply.status() == 415 && reply.isRefusal(), door.name(), form, reply);
          }
        }
        for (Method method : node.methods()) {
          Reply reply = doors.ask(method, type);
          wrong.unless(reply.status() == 415, method.name(), form, reply);
        }
      }
      assertThat(local.get("/v1/tables").text()).as("tables").isEqualTo(tables);
    }
    wrong.requireNone("403 for foreign names, 415 for forms");
  }
}
