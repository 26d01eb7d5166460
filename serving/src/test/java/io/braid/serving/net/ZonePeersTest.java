package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.braid.core.data.Bytes;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.ManifestFile;
import io.braid.serving.client.StoreClient;
import io.braid.serving.node.NodeFixture;
import io.braid.serving.push.Push;
import io.braid.serving.push.PushPlan;
import io.braid.serving.push.PushResult;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Section 6: one copy of the data into each zone, of two zones with two real nodes each. */
class ZonePeersTest {
  private static final int PARTITIONS = 8;
  private static final int KEYS = 400;

  @TempDir Path root;
  private final List<RunningNode> nodes = new ArrayList<>();
  private final List<Node> members = new ArrayList<>();
  private final Queue<String> fetched = new ConcurrentLinkedQueue<>();
  private HttpServer outside;
  private Path built = Path.of("");

  @BeforeEach
  void start() throws IOException {
    for (int id = 0; id < 4; id++) {
      nodes.add(RunningNode.start(root.resolve("n" + id), ""));
      members.add(new Node(id, id / 2, nodes.get(id).url()));
    }
    List<Integer> owners = IntStream.range(0, PARTITIONS).map(p -> p % 4).boxed().toList();
    Ring ring = Ring.of(members, owners);
    for (Node node : members) {
      new HttpNode(node.address(), "").join(node.id(), Topology.of(ring, Map.of()));
    }
    Routing routing = Routing.zoned(ring, Map.of(0, 2, 1, 2));
    BuildPlan plan = BuildPlan.of(NodeFixture.STORE).routing(routing);
    built = NodeFixture.build(root, plan, 1, KEYS).resolveSibling(".").normalize();
    outside = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    outside.createContext("/", this::give);
    outside.start();
  }

  @AfterEach
  void stop() throws IOException {
    outside.stop(0);
    for (RunningNode node : nodes) {
      node.close();
    }
  }

  private void give(HttpExchange exchange) throws IOException {
    try (exchange) {
      Path file = built.resolve(exchange.getRequestURI().getPath().substring(1));
      if (!Files.exists(file)) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      byte[] content = Files.readAllBytes(file);
      fetched.add(exchange.getRequestURI().getPath());
      exchange.sendResponseHeaders(200, content.length);
      exchange.getResponseBody().write(content);
    }
  }

  private PushResult push(PushPlan plan) {
    List<HttpNode> asked = new ArrayList<>();
    members.forEach(node -> asked.add(new HttpNode(node.id(), node.address(), "")));
    return new Push(new SystemSeams(), asked, plan, (step, done, total) -> {}).run();
  }

  private PushPlan plan() {
    String from = "http://127.0.0.1:" + outside.getAddress().getPort();
    return PushPlan.of(NodeFixture.STORE, "push", from).version(1);
  }

  /** How often each chunk's data came from outside, whatever the number of the replica. */
  private Map<String, Long> timesFetched() {
    return fetched.stream()
        .filter(path -> path.endsWith(".data"))
        .map(path -> path.replaceAll("/node-\\d+/(\\d+)_\\d+_(\\d+).data", "$1 $2"))
        .collect(Collectors.groupingBy(chunk -> chunk, Collectors.counting()));
  }

  private void allCanBeRead() {
    StoreClient client =
        new StoreClient(
            new SystemSeams(),
            new HttpNodes(Duration.ofSeconds(30)),
            List.of(nodes.get(3).url()),
            1);
    List<Bytes> keys = IntStream.range(0, KEYS).mapToObj(NodeFixture::key).toList();
    assertThat(client.getAll(NodeFixture.STORE, keys))
        .allMatch(value -> value.equals(Optional.of(NodeFixture.value(1))));
  }

  @Test
  void ofEachChunkOneCopyComesIntoAZone() throws IOException {
    push(plan().peers(true));
    assertThat(timesFetched())
        .hasSize(PARTITIONS)
        .allSatisfy((chunk, n) -> assertThat(n).isEqualTo(2));
    for (RunningNode node : nodes) {
      FetchJob job = node.service().fetch(NodeFixture.STORE);
      assertThat(job.copied()).as("each node brings its share").isBetween(1L, job.total() - 1);
      assertThat(job.fetched()).isEqualTo(job.total());
      node.service().versions(NodeFixture.STORE).verify(1);
    }
    allCanBeRead();
  }

  @Test
  void withoutItEachNodeFetchesAll() {
    push(plan());
    assertThat(timesFetched())
        .hasSize(PARTITIONS)
        .allSatisfy((chunk, n) -> assertThat(n).isEqualTo(4));
  }

  @Test
  void whatADeadPeerWasToBringComesFromOutside() throws IOException {
    nodes.get(2).close();
    nodes.remove(2);
    PushResult pushed = push(plan().peers(true).tolerating(1));
    assertThat(pushed.missed()).hasSize(1);
    assertThat(timesFetched())
        .hasSize(PARTITIONS)
        .allSatisfy((chunk, n) -> assertThat(n).isEqualTo(2));
    assertThat(nodes.get(2).service().fetch(NodeFixture.STORE).copied()).isZero();
    nodes.add(2, RunningNode.start(root.resolve("other"), ""));
  }

  /** A node that was away during the push gets its files from its zone, not from outside. */
  @Test
  void aNodeThatCatchesUpCopiesWithinItsZone() throws Exception {
    nodes.get(3).close();
    PushResult pushed = push(plan().peers(true).tolerating(1));
    assertThat(pushed.missed()).hasSize(1);
    fetched.clear();
    URI old = URI.create(members.get(3).address());
    nodes.set(3, RunningNode.start(root.resolve("n3"), "", old.getPort()));
    while (nodes.get(3).service().live(NodeFixture.STORE) < 1) {
      Thread.sleep(20);
    }
    FetchJob job = nodes.get(3).service().fetch(NodeFixture.STORE);
    assertThat(job.copied()).isEqualTo(job.total());
    assertThat(fetched).containsExactly("/node-3/" + ManifestFile.NAME);
    nodes.get(3).service().versions(NodeFixture.STORE).verify(1);
    allCanBeRead();
  }

  /** What the peer has lost meanwhile, or was never to have, comes from outside. */
  @Test
  void aNodeThatCatchesUpFindsOutsideWhatItsZoneDoesNotHave() throws Exception {
    nodes.get(3).close();
    push(plan().peers(true).tolerating(1));
    Path there = root.resolve("n2").resolve(NodeFixture.STORE).resolve("version-1");
    for (Path file : DurableFiles.list(there)) {
      if (file.toString().endsWith(".data")) {
        byte[] wrong = Files.readAllBytes(file);
        wrong[wrong.length / 2] ^= 1;
        Files.write(file, wrong);
      }
    }
    fetched.clear();
    URI old = URI.create(members.get(3).address());
    nodes.set(3, RunningNode.start(root.resolve("n3"), "", old.getPort()));
    while (nodes.get(3).service().live(NodeFixture.STORE) < 1) {
      Thread.sleep(20);
    }
    assertThat(timesFetched()).hasSize(PARTITIONS);
    nodes.get(3).service().versions(NodeFixture.STORE).verify(1);
  }

  /** A peer that has another version under the number: its files have other checksums. */
  @Test
  void whatAPeerHasOtherwiseComesFromOutside() throws IOException {
    Path other = NodeFixture.build(root.resolve("x"), 7, 10);
    for (Path file : DurableFiles.list(other)) {
      String name = String.valueOf(file.getFileName());
      if (name.equals(ManifestFile.NAME)) {
        continue;
      }
      Path wrong = root.resolve("n1").resolve(NodeFixture.STORE).resolve("version-1");
      Files.createDirectories(wrong);
      for (int p = 0; p < PARTITIONS; p++) {
        for (int r = 0; r < 4; r++) {
          Files.copy(file, wrong.resolve(p + "_" + r + "_0" + name.substring(name.indexOf('.'))));
        }
      }
    }
    RunningNode node = nodes.get(0);
    node.service().startFetch(NodeFixture.STORE, plan().from() + "/node-0", 1, true);
    while (!node.service().fetch(NodeFixture.STORE).ended()) {
      Thread.onSpinWait();
    }
    assertThat(node.service().fetch(NodeFixture.STORE).problem()).isEmpty();
    assertThat(node.service().fetch(NodeFixture.STORE).copied()).isZero();
    node.service().versions(NodeFixture.STORE).verify(1);
  }

  @Test
  void aNodeInNoClusterHasNoPeers() throws IOException {
    try (RunningNode alone = RunningNode.start(root.resolve("alone"), "")) {
      assertThatThrownBy(
              () -> new HttpNode(alone.url(), "").fetch("people", "", plan().from(), 1, true))
          .hasMessageContaining("in no cluster");
    }
  }
}
