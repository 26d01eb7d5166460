package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.App;
import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.gateway.HttpDoors.Door;
import io.braid.gateway.HttpDoors.Need;
import io.braid.gateway.RawHttp.Reply;
import io.braid.gateway.RpcDoors.Method;
import io.braid.gateway.RpcDoors.Outcome;
import io.braid.gateway.TestNode.Answer;
import io.braid.gateway.access.Identities;
import io.braid.observers.Observer;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A node with identities, and with something behind each door: rows, a load, a group, a store. */
final class DoorsNode implements AutoCloseable {
  /** Names that only identities with grants see, beside {@link #PIN}. */
  private static final List<String> SECRETS =
      List.of("ledger", "hidden", "gang", "nightly", "monday", "watcher", "people", "f:q");

  /** The name of a pin. */
  static final String PIN = "pinned";

  private static final String SET =
      "'operations':[{'op':'set','table':'ledger','row':'r','columns':{'f:q':'v'}}]";
  private static final List<String> LOOKED_AT =
      List.of(
          "/v1/tables",
          "/v1/tables/ledger/rows/r/explanation",
          "/v1/tables/ledger/rows/m/explanation",
          "/v1/pins",
          "/v1/groups",
          "/v1/groups/gang",
          "/v1/jobs",
          "/v1/jobs/nightly",
          "/v1/backups",
          "/v1/observers",
          "/v1/gc",
          "/stores/people/versions",
          "/stores/people/fetch");

  private final TestNode node;
  private final TestNode root;
  private final TestNode writer;
  private final String transaction;
  private final HttpDoors http;
  private final RpcDoors rpc;
  private final List<Method> methods;

  /** The meaning of an answer, over HTTP and over gRPC. */
  enum Verdict {
    DONE,
    UNKNOWN_CALLER,
    FORBIDDEN,
    MISSING,
    OTHER
  }

  /** The answer of a door to its own request. */
  record Seen(String door, Need need, Verdict verdict, String request, String text) {
    /** Returns whether the answer has a secret name that the request does not have. */
    boolean tells() {
      return SECRETS.stream().anyMatch(name -> text.contains(name) && !request.contains(name));
    }
  }

  /** A program with an observer. */
  public static final class Watcher implements App {
    @Override
    public void register(Braid db) {
      db.ensureTable(HttpDoors.TABLE, "f");
      Column<String> column = Column.of("f", "watched", Codecs.utf8());
      db.observe(Observer.of(HttpDoors.OBSERVER, HttpDoors.TABLE, column, (tx, row) -> {}));
    }
  }

  DoorsNode(Path dir) throws Exception {
    this.node = start(dir);
    this.root = node.as(token("root"));
    this.writer = node.as(token("writer"));
    done(root.put("/v1/tables/hidden", "{'families':['f']}"));
    done(
        writer.post("/v1/transactions/run", "{" + SET + ",'request':'" + HttpDoors.REQUEST + "'}"));
    done(root.put("/v1/pins/" + PIN, ""));
    done(root.post("/v1/gc", ""));
    done(root.put("/v1/backups/monday", ""));
    done(writer.post("/v1/groups", "{'name':'gang','rows':[{'table':'ledger','row':'m'}]}"));
    load();
    store(dir.resolve("built"));
    this.transaction = begin();
    this.http = new HttpDoors(node.uri("/"), transaction);
    this.rpc = new RpcDoors(node.node().grpc().orElseThrow(), "127.0.0.1");
    this.methods = RpcDoors.all(http.names());
  }

  private static TestNode start(Path dir) throws IOException {
    Path identities = dir.resolve("identities");
    Files.write(
        identities,
        List.of(
            line("root", "admin:*"),
            line("writer", "write:ledger"),
            line("reader", "read:ledger,read:store/people"),
            line("stranger", "read:no-such-table")));
    Path inputs = Files.createDirectories(dir.resolve("inputs"));
    Files.writeString(inputs.resolve("in.csv"), "id,n\n1,a\n");
    Map<String, String> settings = new TreeMap<>();
    settings.put("server.identities", identities.toString());
    settings.put("server.inputs", inputs.toString());
    settings.put("server.jobs", dir.resolve("jobs").toString());
    settings.put("server.apps", Watcher.class.getName());
    settings.put("server.body", "1 MiB");
    settings.put("server.lease", "10 min");
    settings.put("gc.keep", "1 ms");
    settings.put("gc.interval", "off");
    return TestNode.start(
        dir,
        settings.entrySet().stream()
            .flatMap(each -> List.of(each.getKey(), each.getValue()).stream())
            .toArray(String[]::new));
  }

  /** Returns the token of an identity: root, writer, reader or stranger. */
  static String token(String name) {
    return name + "-token";
  }

  /** Returns the header of an identity. */
  static String as(String name) {
    return "Authorization: Bearer " + token(name);
  }

  private static String line(String name, String grants) {
    return name + " sha256:" + Identities.hash(token(name)) + " " + grants;
  }

  private static Answer done(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer;
  }

  private static Answer found(TestNode asker, String path) {
    Answer answer = asker.get(path);
    assertThat(answer.status()).as("%s: %s", path, answer.text()).isEqualTo(200);
    return answer;
  }

  private void load() throws InterruptedException {
    String load =
        HttpDoors.all().stream()
            .filter(door -> door.name().equals("PUT /v1/jobs/{job}"))
            .findFirst()
            .orElseThrow()
            .body();
    done(writer.put("/v1/jobs/nightly", load));
    while (done(root.get("/v1/jobs/nightly")).json().path("working").asBoolean()) {
      Thread.sleep(10);
    }
  }

  private void store(Path folder) throws Exception {
    try (StoreBuilder builder = new StoreBuilder(BuildPlan.of("people"), folder)) {
      builder.add(Bytes.of("1"), Bytes.of("v"));
      builder.finish();
    }
    done(root.post("/stores/people/fetch", "{'from':'" + StoreBuilder.folder(folder, 0) + "'}"));
    while (done(root.get("/stores/people/fetch")).text().contains("running")) {
      Thread.sleep(10);
    }
    done(root.post("/stores/people/swap", "{'version':1}"));
  }

  private String begin() {
    String id = done(writer.post("/v1/transactions", "{}")).json().path("transaction").asText();
    String write = "{" + SET.replace("'v'", "'written, not committed'") + "}";
    done(writer.post("/v1/transactions/" + id + "/operations", write));
    return id;
  }

  TestNode node() {
    return node;
  }

  HttpDoors http() {
    return http;
  }

  RpcDoors rpc() {
    return rpc;
  }

  List<Method> methods() {
    return methods;
  }

  /**
   * Sends the request of each door.
   *
   * @param authorization the header; empty for none
   */
  List<Seen> askAll(String authorization) throws IOException {
    boolean silent = authorization.isEmpty();
    List<Seen> all = new ArrayList<>();
    for (Door door : HttpDoors.all()) {
      Reply reply = silent ? http.ask(door) : http.ask(door, "Authorization: " + authorization);
      String request = http.path(door) + door.body();
      all.add(new Seen(door.name(), door.need(), verdict(reply), request, reply.toString()));
    }
    for (Method method : methods) {
      Outcome outcome = silent ? rpc.call(method) : rpc.call(method, authorization);
      String text = outcome.status() + outcome.text();
      String request = new String(method.message(), StandardCharsets.UTF_8);
      all.add(new Seen(method.name(), method.need(), verdict(outcome.code()), request, text));
    }
    return all;
  }

  private static Verdict verdict(Reply reply) {
    if (reply.status() == 200) {
      return Verdict.DONE;
    }
    return switch (reply.isRefusal() ? reply.status() : 0) {
      case 401 -> Verdict.UNKNOWN_CALLER;
      case 403 -> Verdict.FORBIDDEN;
      case 404 -> Verdict.MISSING;
      default -> Verdict.OTHER;
    };
  }

  private static Verdict verdict(Code code) {
    return switch (code) {
      case OK -> Verdict.DONE;
      case UNAUTHENTICATED -> Verdict.UNKNOWN_CALLER;
      case PERMISSION_DENIED -> Verdict.FORBIDDEN;
      case NOT_FOUND -> Verdict.MISSING;
      default -> Verdict.OTHER;
    };
  }

  /** Returns all that a request could change, by the path that shows it. */
  Map<String, String> state() {
    Map<String, String> state = new TreeMap<>();
    LOOKED_AT.forEach(path -> state.put(path, found(root, path).text()));
    for (String table : List.of("ledger", "hidden")) {
      String path = "/v1/tables/" + table + "/rows";
      state.put(path, found(root, path).json().path("rows").toString());
    }
    String request = "/v1/requests/" + HttpDoors.REQUEST;
    state.put(request, found(writer, request).text());
    String open = "/v1/transactions/" + transaction + "/operations";
    String read = "{'operations':[{'op':'get','table':'ledger','row':'r','columns':['f:q']}]}";
    state.put(open, done(writer.post(open, read)).text());
    return state;
  }

  @Override
  public void close() {
    rpc.close();
    node.close();
  }
}
