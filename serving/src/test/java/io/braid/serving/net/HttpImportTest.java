package io.braid.serving.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.NotFinishedException;
import io.braid.serving.ServingException;
import io.braid.serving.build.Duplicates;
import io.braid.serving.build.SortedTuples;
import io.braid.serving.imports.ImportStep;
import io.braid.serving.imports.StoreImport;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.ImportedTuple;
import io.braid.serving.writable.MemoryEngine;
import io.braid.serving.writable.ObsoleteVersionException;
import io.braid.serving.writable.Siblings;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.WritableStore;
import io.braid.serving.writable.imports.ImportState;
import io.braid.serving.writable.imports.ImportState.Phase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults 44 and 45: imports into a read-write store of three nodes that listen. */
class HttpImportTest {
  private static final String STORE = "carts";
  private static final SystemSeams SEAMS = new SystemSeams();
  private static final Bytes KEY = Bytes.of("key 3");

  @TempDir Path root;
  private final List<Listening> nodes = new ArrayList<>();
  private final Map<String, Engine> engines = new ConcurrentHashMap<>();
  private Topology topology = Topology.of(Ring.even(1, 1), Map.of());

  /** A node whose engines outlive it. */
  private record Listening(NodeDirectory node, NodeService service, HttpNodeServer http) {
    String url() {
      return "http://127.0.0.1:" + http.address().getPort();
    }

    void close() throws IOException {
      http.close();
      service.close();
      node.close();
    }
  }

  private Listening listen(int id, int port) throws IOException {
    NodeDirectory node = NodeDirectory.own(root.resolve("n" + id), SEAMS);
    NodeService service = new NodeService(SEAMS, node, NodeService.Options.defaults());
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    return new Listening(
        node,
        service,
        new HttpNodeServer(
            SEAMS,
            service,
            address,
            "",
            name -> engines.computeIfAbsent(id + name, n -> new MemoryEngine())));
  }

  @BeforeEach
  void start() throws IOException {
    List<Node> members = new ArrayList<>();
    for (int id = 0; id < 3; id++) {
      nodes.add(listen(id, 0));
      members.add(new Node(id, 0, nodes.get(id).url()));
    }
    Topology first = Topology.of(Ring.of(members, List.of(0, 1, 2, 0, 1, 2)), Map.of());
    topology = first.with(StoreDefinition.readWrite(STORE, 2, Map.of(), 1, 2));
    for (int id = 0; id < 3; id++) {
      new HttpNode(id, nodes.get(id).url(), "").join(id, first);
      new HttpNode(id, nodes.get(id).url(), "").join(id, topology);
    }
  }

  @AfterEach
  void stop() throws IOException {
    for (Listening node : nodes) {
      node.close();
    }
  }

  private WritableStore client() {
    return new WritableStore(
        SEAMS, new HttpReplicas(Duration.ofSeconds(30), ""), () -> topology, STORE, 0);
  }

  private List<HttpImportNode> importNodes() {
    return topology.ring().nodes().stream().map(node -> new HttpImportNode(node, "")).toList();
  }

  private StoreImport.ImportResult run(String id, int count) throws IOException {
    try (SortedTuples tuples = new SortedTuples(root.resolve("sort-" + id), Duplicates.FAIL)) {
      for (int i = 0; i < count; i++) {
        tuples.add(Bytes.of("key " + i), Bytes.of("imported " + i));
      }
      tuples.finish();
      return new StoreImport(SEAMS, importNodes(), topology, STORE, id, (step, done, total) -> {})
          .run(tuples);
    }
  }

  private int put(int node, String body) throws Exception {
    URI address = URI.create(nodes.get(node).url() + "/rw/carts/keys/key%203");
    HttpRequest request =
        HttpRequest.newBuilder(address).PUT(HttpRequest.BodyPublishers.ofString(body)).build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() == 423) {
      assertThat(answer.body()).contains("writes refused", "until import nightly has ended");
    }
    return answer.statusCode();
  }

  @Test
  void tuplesComeOverWhatWasThere() throws Exception {
    client().put(KEY, Bytes.of("before"));
    assertThat(run("nightly", 5000)).isEqualTo(new StoreImport.ImportResult(5000, false));
    assertThat(client().get(KEY)).contains(Bytes.of("imported 3"));
    assertThat(client().get(Bytes.of("key 4999"))).contains(Bytes.of("imported 4999"));
    assertThat(put(1, "later")).isEqualTo(200);
    assertThat(run("nightly", 5000).before()).isTrue();
    assertThat(client().get(KEY)).contains(Bytes.of("later"));
  }

  /** A busy server is no node that still works on writes, which an importer waits for. */
  @Test
  void aServerWithTooMuchToDoRefuses() throws Exception {
    HttpServer full =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    full.createContext(
        "/",
        exchange -> {
          byte[] answer = "{\"error\":\"busy\",\"message\":\"Try again later.\"}".getBytes(UTF_8);
          exchange.sendResponseHeaders(503, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    full.start();
    try {
      Node node = new Node(0, 0, "http://127.0.0.1:" + full.getAddress().getPort());
      assertThatThrownBy(() -> new HttpImportNode(node, "").state(STORE))
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.REFUSED))
          .hasMessage("Try again later.");
    } finally {
      full.stop(0);
    }
  }

  /** Fault 55: an import that others have followed is not done again. */
  @Test
  void anImportThatHasEndedStaysEndedAfterOthers() throws Exception {
    run("monday", 10);
    run("tuesday", 10);
    client().put(KEY, Bytes.of("later"));
    assertThat(run("monday", 10).before()).isTrue();
    assertThat(client().get(KEY)).contains(Bytes.of("later"));
    assertThatThrownBy(() -> run("monday", 9))
        .isInstanceOf(NotFinishedException.class)
        .hasMessageContaining("with other tuples");
    // The store was emptied: what was imported before is not there any more.
    topology =
        topology.with(Objects.requireNonNull(topology.store(STORE)).begun(topology.version() + 1));
    for (Node node : topology.ring().nodes()) {
      new HttpNode(node.id(), node.address(), "").join(node.id(), topology);
    }
    assertThat(run("monday", 10).before()).isFalse();
    assertThat(client().get(KEY)).contains(Bytes.of("imported 3"));
  }

  /** Fault 55. */
  @Test
  void aClockOfBeforeAnImportIsOld() throws Exception {
    client().put(KEY, Bytes.of("before"));
    VectorClock seen = Siblings.basis(client().siblings(KEY));
    run("nightly", 10);
    assertThatThrownBy(() -> client().put(KEY, seen, Optional.of(Bytes.of("late"))))
        .isInstanceOf(ObsoleteVersionException.class);
    assertThat(client().siblings(KEY)).hasSize(1);
    assertThat(client().get(KEY)).contains(Bytes.of("imported 3"));
  }

  /** What its importer leaves lying is in the nodes' directories. */
  @Test
  void nodesThatAreStartedAgainRefuseWritesUntilTheImportHasEnded() throws Exception {
    client().put(KEY, Bytes.of("before"));
    ImportState ticket = new ImportState("nightly", 1, 5, "x", topology.version(), Phase.REFUSING);
    for (HttpImportNode node : importNodes()) {
      node.step(STORE, ticket, ImportStep.REFUSE);
    }
    int port = nodes.get(0).http().address().getPort();
    nodes.get(0).close();
    nodes.set(0, listen(0, port));
    Topology moved = topology.with(topology.ring().moved(List.of(0), topology.ring().node(1)));
    assertThatThrownBy(() -> nodes.get(0).service().moves().begin("m", 0, topology, moved))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.WRITES_REFUSED));
    for (int node = 0; node < 3; node++) {
      assertThat(put(node, "no")).isEqualTo(423);
    }
    assertThatThrownBy(() -> client().put(KEY, Bytes.of("no")))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.WRITES_REFUSED));
    assertThat(client().get(KEY)).contains(Bytes.of("before"));
    StoreImport again =
        new StoreImport(SEAMS, importNodes(), topology, STORE, "nightly", (step, done, all) -> {});
    assertThat(again.abort(false)).isTrue();
    assertThat(again.abort(false)).isFalse();
    assertThat(put(0, "after")).isEqualTo(200);
    assertThat(Files.exists(root.resolve("n0").resolve(".import-carts"))).isTrue();
  }

  /** Who drops a store asks for imports when it has the leases: none begins since. */
  @Test
  void noImportBeginsWhileAStoreIsDropped() throws Exception {
    HttpNode third = new HttpNode(2, nodes.get(2).url(), "");
    third.leaseCluster("drop", Duration.ofMinutes(1));
    assertThatThrownBy(() -> run("nightly", 10))
        .hasMessageContaining("a store is being dropped")
        .isInstanceOf(NotFinishedException.class);
    assertThat(put(0, "after")).isEqualTo(200);
    third.releaseCluster("drop");
    assertThat(run("nightly", 10).tuples()).isEqualTo(10);
  }

  @Test
  void noStoreIsEmptiedIntoWhichAnImportRuns() throws Exception {
    ImportState ticket = new ImportState("slow", 9, 0, "x", topology.version(), Phase.REFUSING);
    for (HttpImportNode node : importNodes()) {
      node.step(STORE, ticket, ImportStep.REFUSE);
    }
    Topology emptied = topology.with(topology.store(STORE).begun(topology.version() + 1));
    HttpNode first = new HttpNode(0, nodes.get(0).url(), "");
    assertThatThrownBy(() -> first.join(0, emptied)).hasMessageContaining("import slow has ended");
    assertThatThrownBy(() -> first.join(0, topology.without(STORE)))
        .hasMessageContaining("import slow has ended");
    ImportState ofAnotherLife =
        new ImportState("late", VectorClock.firstImport(7), 0, "x", 1, Phase.REFUSING);
    assertThatThrownBy(() -> importNodes().get(0).take(STORE, ofAnotherLife, List.of()))
        .hasMessageContaining("was emptied since import late began");
  }

  @Test
  void noImportBeginsWhilePartitionsMove() throws Exception {
    Topology moved = topology.with(topology.ring().moved(List.of(0), topology.ring().node(1)));
    nodes.get(0).service().moves().begin("m", 0, topology, moved);
    assertThatThrownBy(() -> run("nightly", 10))
        .hasMessageContaining("Partitions are moving")
        .hasMessageContaining("Nothing was imported; the store takes writes.");
    assertThat(put(1, "on")).isEqualTo(200);
  }

  /** Fault 43. */
  @Test
  void aKeyThatComesTwiceIsRefusedBeforeAnythingIsAsked() throws Exception {
    try (SortedTuples tuples = new SortedTuples(root.resolve("s"), Duplicates.FAIL)) {
      tuples.add(KEY, Bytes.of("1"));
      tuples.add(KEY, Bytes.of("2"));
      assertThatThrownBy(tuples::finish)
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.DUPLICATE_KEY));
      assertThatThrownBy(() -> tuples.add(Bytes.EMPTY, Bytes.of("1")))
          .isInstanceOf(IllegalArgumentException.class);
    }
    try (SortedTuples tuples = new SortedTuples(root.resolve("s"), Duplicates.LAST)) {
      tuples.add(KEY, Bytes.of("1"));
      tuples.add(KEY, Bytes.of("2"));
      tuples.finish();
      assertThat(tuples.count()).isOne();
      assertThat(tuples.next()).isEqualTo(new ImportedTuple(KEY, Bytes.of("2")));
      assertThat(tuples.next()).isNull();
    }
  }
}
