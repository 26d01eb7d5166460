package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.NotFinishedException;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.ManifestFile;
import io.braid.serving.client.StoreClient;
import io.braid.serving.node.LiveVersion;
import io.braid.serving.node.NodeFixture;
import io.braid.serving.push.Push;
import io.braid.serving.push.PushPlan;
import io.braid.serving.rebalance.Batch;
import io.braid.serving.rebalance.NodeStores;
import io.braid.serving.rebalance.Rebalance;
import io.braid.serving.rebalance.RebalanceNode;
import io.braid.serving.rebalance.StolenVersion;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.Hint;
import io.braid.serving.writable.MemoryEngine;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.VersionedValue;
import io.braid.serving.writable.WritableStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fault 53: node 3 joins the ring of figure 2 while clients read and write, and whatever fails
 * meanwhile, every key is found in one version, and data and topology go together.
 */
class RebalanceTest {
  private static final List<Bytes> KEYS =
      IntStream.range(0, 60).mapToObj(i -> Bytes.of("key " + i)).toList();

  @TempDir Path root;
  private final List<RunningNode> nodes = new ArrayList<>();
  private final Map<String, Engine> engines = new ConcurrentHashMap<>();
  private Ring target = Ring.even(1, 1);

  @BeforeEach
  void start() throws Exception {
    List<Node> members = new ArrayList<>();
    for (int id = 0; id < 4; id++) {
      String own = "n" + id + "/";
      nodes.add(RunningNode.start(root.resolve(own), "", 0, name -> engine(own + name)));
      members.add(new Node(id, 0, nodes.get(id).url()));
    }
    List<Integer> owners = IntStream.range(0, 12).map(p -> p % 3).boxed().toList();
    Topology first = Topology.of(Ring.of(members.subList(0, 3), owners), Map.of());
    Topology topology = first.with(StoreDefinition.readWrite("carts", 2, Map.of(), 1, 2));
    for (int id = 0; id < 3; id++) {
      http(id).join(id, first);
      http(id).join(id, topology);
    }
    target = topology.ring().moved(List.of(3), members.get(3));
    push(1);
    push(2);
  }

  @AfterEach
  void stop() throws IOException {
    for (RunningNode node : nodes) {
      node.close();
    }
  }

  private HttpNode http(int id) {
    return new HttpNode(id, nodes.get(id).url(), "");
  }

  private Engine engine(String name) {
    return engines.computeIfAbsent(name, n -> new MemoryEngine());
  }

  private Topology topology() throws IOException {
    return new HttpNodes(Duration.ofSeconds(30)).bootstrap(nodes.get(0).url());
  }

  private void push(int version) throws IOException {
    Ring ring = topology().ring();
    BuildPlan plan = BuildPlan.of(NodeFixture.STORE).routing(Routing.consistent(ring, 2));
    Path built = NodeFixture.build(root, plan, version, KEYS.size());
    List<HttpNode> asked =
        ring.nodes().stream().map(node -> new HttpNode(node.id(), node.address(), "")).toList();
    String from = String.valueOf(built.getParent());
    PushPlan push = PushPlan.of(NodeFixture.STORE, "p" + version, from).version(version);
    new Push(new SystemSeams(), asked, push, (step, done, total) -> {}).run();
  }

  private List<HttpNode> all() {
    return IntStream.range(0, nodes.size()).mapToObj(this::http).toList();
  }

  private static Rebalance rebalance(List<? extends RebalanceNode> asked, String run) {
    return new Rebalance(new SystemSeams(), run, asked, (step, done, total) -> {});
  }

  private StoreClient client(int node) {
    return new StoreClient(
        new SystemSeams(),
        new HttpNodes(Duration.ofSeconds(30)),
        List.of(nodes.get(node).url()),
        0);
  }

  private WritableStore carts(StoreClient client) {
    return new WritableStore(
        new SystemSeams(),
        new HttpReplicas(Duration.ofSeconds(30), ""),
        client::topology,
        client::refresh,
        "carts",
        0);
  }

  private List<String> chunks(int node, int version) throws IOException {
    try (var files = Files.list(root.resolve("n" + node + "/people/version-" + version))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".data"))
          .map(name -> name.replace("_0.data", ""))
          .sorted()
          .toList();
    }
  }

  private void assertRead(StoreClient client, int version) {
    assertThat(client.getAll(NodeFixture.STORE, KEYS))
        .containsOnly(Optional.of(Bytes.of("value " + version)));
  }

  @Test
  void node3JoinsWhileClientsReadAndWrite() throws Exception {
    StoreClient stale = client(1);
    assertRead(stale, 2);
    StoreClient staleWriter = client(2);
    carts(staleWriter).put(Bytes.of("before"), Bytes.of("0"));
    AtomicBoolean over = new AtomicBoolean();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    Map<Bytes, Bytes> acknowledged = new ConcurrentHashMap<>();
    Thread reader = hammer(over, failures, i -> assertRead(stale, 2));
    WritableStore writer = carts(staleWriter);
    Thread writing =
        hammer(
            over,
            failures,
            i -> {
              Bytes key = Bytes.of("cart " + i % 20);
              writer.put(key, Bytes.of("w" + i));
              acknowledged.put(key, Bytes.of("w" + i));
            });
    Topology last = rebalance(all(), "run").run(target, 1);
    over.set(true);
    reader.join();
    writing.join();
    assertThat(failures).isEmpty();
    assertThat(last.ring()).isEqualTo(target);
    for (int version = 1; version <= 2; version++) {
      assertThat(chunks(0, version)).containsExactly("0_0", "11_1", "5_1", "6_0", "8_1", "9_0");
      assertThat(chunks(3, version)).containsExactly("2_1", "3_0");
      nodes.get(3).node().store("people").verifyLookups(version);
      nodes.get(3).node().store("people").verify(version);
      nodes.get(0).node().store("people").verify(version);
    }
    assertThat(acknowledged).isNotEmpty();
    for (int node = 0; node < 4; node++) {
      assertRead(client(node), 2);
      WritableStore carts = carts(client(node));
      acknowledged.forEach((key, value) -> assertThat(carts.get(key)).contains(value));
    }
    assertRead(stale, 2);
    assertThat(stale.topology().version()).isEqualTo(last.version());
    for (HttpNode node : all()) {
      assertThat(node.rollBack("people", 0, LiveVersion.ANYTHING))
          .as("retained versions moved too")
          .isEqualTo(1);
    }
    assertRead(stale, 1);
    push(3);
    assertRead(stale, 3);
  }

  /** Fault 53: a version that was gone back from is known as that where its partitions go. */
  @Test
  void whatWasRolledBackStaysSoOnEveryNode() throws Exception {
    for (int id = 0; id < 3; id++) {
      assertThat(http(id).rollBack("people", 0, LiveVersion.ANYTHING)).isEqualTo(1);
    }
    rebalance(all(), "run").run(target, 1);
    for (int id = 0; id < 4; id++) {
      assertThat(http(id).versions("people").path("versions").get(1).path("state").asText())
          .as("node " + id)
          .isEqualTo("rolled_back");
      assertThatThrownBy(() -> nodes.get(3).service().swap("people", 2, false))
          .hasMessageContaining("was rolled back");
    }
    assertThatThrownBy(() -> Push.swapPrepared(new SystemSeams(), all(), "people", 2, false))
        .hasMessageContaining("was rolled back");
    assertRead(client(3), 1);
    Push.swapPrepared(new SystemSeams(), all(), "people", 2, true);
    assertRead(client(0), 2);
    assertThat(http(3).versions("people").path("versions").get(1).path("state").asText())
        .isEqualTo("live");
  }

  /** Something that is done again and again. */
  private interface Blow {
    void strike(int i);
  }

  private static Thread hammer(
      AtomicBoolean over, ConcurrentLinkedQueue<Throwable> failures, Blow blow) {
    Thread thread =
        new Thread(
            () -> {
              for (int i = 0; !over.get(); i++) {
                try {
                  blow.strike(i);
                  Thread.sleep(10);
                } catch (InterruptedException e) {
                  return;
                } catch (RuntimeException | AssertionError e) {
                  failures.add(e);
                }
              }
            });
    thread.start();
    return thread;
  }

  /** A node whose step fails, before or after it did what it was asked to. */
  private record Failing(RebalanceNode node, String step, boolean done) implements RebalanceNode {
    private void fail(String at) throws IOException {
      if (step.equals(at)) {
        throw new IOException("no " + at + " today");
      }
    }

    @Override
    public int id() {
      return node.id();
    }

    @Override
    public String name() {
      return node.name();
    }

    @Override
    public NodeStores inventory() throws IOException {
      return node.inventory();
    }

    @Override
    public void leaseCluster(String run, Duration length) throws IOException {
      node.leaseCluster(run, length);
    }

    @Override
    public void releaseCluster(String run) throws IOException {
      node.releaseCluster(run);
    }

    @Override
    public void begin(String run, Batch batch) throws IOException {
      node.begin(run, batch);
      fail("begin");
    }

    @Override
    public void steal(String run, String batch, List<StolenVersion> versions) throws IOException {
      fail("steal");
      node.steal(run, batch, versions);
    }

    @Override
    public void install(Topology topology, String batch) throws IOException {
      if (topology.version() == 3) {
        if (done) {
          node.install(topology, batch);
        }
        fail("install");
      }
      node.install(topology, batch);
    }

    @Override
    public void close(String run, String batch) throws IOException {
      node.close(run, batch);
    }

    @Override
    public void settle(String run, String batch) throws IOException {
      fail("settle");
      node.settle(run, batch);
    }
  }

  private List<RebalanceNode> failing(int node, String step, boolean done) {
    List<RebalanceNode> asked = new ArrayList<>(all());
    asked.set(node, new Failing(asked.get(node), step, done));
    return asked;
  }

  @Test
  void whenANodeCannotSwapDataAndTopologyGoBackEverywhere() throws Exception {
    for (int node : List.of(0, 2, 3)) {
      for (boolean done : List.of(false, true)) {
        long before = topology().version();
        assertThatThrownBy(
                () ->
                    rebalance(failing(node, before == 2 ? "install" : "steal", done), "r")
                        .run(target, 1))
            .isInstanceOf(NotFinishedException.class)
            .hasMessageContaining("given up: data and topology are what they were");
        assertThat(topology().version()).isEqualTo(before == 2 ? 4 : before);
        assertThat(topology().ring().owner(3).id()).isZero();
        assertThat(chunks(0, 2))
            .containsExactly("0_0", "11_1", "2_1", "3_0", "5_1", "6_0", "8_1", "9_0");
        assertThat(root.resolve("n3/people")).doesNotExist();
        assertRead(client(0), 2);
      }
    }
    rebalance(all(), "again").run(target, 1);
    assertRead(client(3), 2);
  }

  /** The tool dies after some nodes have the new topology, or in the midst of copying. */
  @Test
  void whatAnEarlierRunLeftIsFinishedOrGivenUp() throws Exception {
    assertThatThrownBy(() -> rebalance(failing(0, "settle", false), "one").run(target, 1))
        .isInstanceOfSatisfying(
            NotFinishedException.class, e -> assertThat(e.unsettled()).hasSize(1));
    assertThatThrownBy(() -> http(0).fetch("people", "", "/nowhere", 9, false))
        .hasMessageContaining("Partitions are moving");
    assertThatThrownBy(() -> push(3)).hasMessageContaining("Partitions are moving");
    assertThatThrownBy(() -> http(0).rollBack("people", 1, LiveVersion.ANYTHING))
        .hasMessageContaining("are moving");
    assertThatThrownBy(() -> http(0).takeBack("people", 2, -1))
        .as("node 3 has its versions from there")
        .hasMessageContaining("are moving");
    assertThatThrownBy(() -> http(0).join(0, topology().with(target)))
        .hasMessageContaining("Partitions are moving");
    assertRead(client(0), 2);
    int port = nodes.get(0).http().address().getPort();
    nodes.remove(0).close();
    nodes.add(0, RunningNode.start(root.resolve("n0"), "", port));
    assertThat(http(0).inventory().move()).as("it remembers").isPresent();
    rebalance(all(), "two").run(target, 1);
    assertThat(chunks(0, 2)).doesNotContain("3_0");
    assertThat(rebalance(all(), "three").abort()).as("nothing is left").isFalse();
    push(4);
    assertRead(client(1), 4);
  }

  /** A file that does not have its checksum does not come into a live version. */
  @Test
  void aDamagedChunkOfTheDonorEndsTheBatch() throws Exception {
    Path file = root.resolve("n0/people/version-2/3_0_0.data");
    byte[] whole = Files.readAllBytes(file);
    byte[] damaged = whole.clone();
    damaged[whole.length / 2] ^= 4;
    Files.delete(file);
    Files.write(file, damaged);
    assertThatThrownBy(() -> rebalance(all(), "one").run(target, 1))
        .hasMessageContaining("checksum")
        .hasMessageContaining("given up");
    assertThat(root.resolve("n3/people")).doesNotExist();
    Files.write(file, whole);
    rebalance(all(), "two").run(target, 1);
    assertRead(client(3), 2);
    assertThat(ManifestFile.read(root.resolve("n3/people/version-2")).held()).containsExactly(2, 3);
  }

  /** A partition came to node 1 in version 2 alone, because nobody had version 1 of it any more. */
  @Test
  void nobodyGoesBackToAVersionThatLacksAPartition() throws Exception {
    for (int node : List.of(0, 2)) {
      DurableFiles.deleteTree(root.resolve("n" + node + "/people/version-1"));
    }
    Ring ring = topology().ring();
    rebalance(all().subList(0, 3), "run").run(ring.moved(List.of(3), ring.nodes().get(1)), 1);
    assertThat(chunks(1, 2)).contains("2_1");
    assertThatThrownBy(() -> http(1).rollBack("people", 0, LiveVersion.ANYTHING))
        .hasMessageContaining("lacks partitions [2, 3]");
    assertThatThrownBy(() -> http(1).takeBack("people", 2, -1))
        .hasMessageContaining("lacks partitions [2, 3]");
    assertRead(client(1), 2);
  }

  @Test
  void aStealerThatDiesLeavesTheOthersAsTheyWere() throws Exception {
    nodes.get(3).http().close();
    assertThatThrownBy(() -> rebalance(all(), "one").run(target, 1))
        .hasMessageContaining("could not take its lease");
    push(3);
    assertRead(client(0), 3);
  }

  /** Node 3 has left; the others have a newer topology, and another version. */
  private Ring withoutNode3() throws Exception {
    Ring small = topology().ring();
    rebalance(all(), "in").run(target, 1);
    rebalance(all(), "out").run(small, 1);
    Ring moved = small.moved(List.of(0), small.nodes().get(1));
    return rebalance(all().subList(0, 3), "move").run(moved, 1).ring();
  }

  /**
   * The others have forgotten since that the old tuples were deleted, so nothing but node 3 itself
   * keeps these from coming back.
   */
  @Test
  void aNodeThatLeftJoinsAgainWithNothingOfWhatItHad() throws Exception {
    List<Bytes> carts = IntStream.range(0, 50).mapToObj(i -> Bytes.of("cart " + i)).toList();
    List<Bytes> gone = IntStream.range(0, 50).mapToObj(i -> Bytes.of("gone " + i)).toList();
    WritableStore writer = carts(client(0));
    carts.forEach(key -> writer.put(key, key));
    Ring without = withoutNode3();
    Node node3 = target.node(3);
    VersionedValue old =
        new VersionedValue(VectorClock.parse("3:1"), 1, Optional.of(Bytes.of("old")));
    gone.forEach(key -> engine("n3/store_carts").put(key, old));
    new HttpReplicas(Duration.ofSeconds(30), "")
        .hint(node3, new Hint(1, "carts", gone.get(0)), old);
    push(3);
    int number = 3;
    for (Node again : List.of(node3, new Node(7, 0, node3.address()))) {
      List<HttpNode> asked = new ArrayList<>(all().subList(0, 3));
      asked.add(new HttpNode(number, node3.address(), ""));
      if (again.id() != number) {
        rebalance(asked, "out again").run(without, 1);
        push(4);
        asked.set(3, new HttpNode(again.id(), node3.address(), ""));
      }
      Topology last = rebalance(asked, "again").run(without.moved(List.of(3), again), 1);
      assertThat(last.ring().owner(3)).isEqualTo(again);
      number = again.id();
      for (int node = 0; node < 4; node++) {
        assertRead(client(node), again.id() == 3 ? 3 : 4);
        WritableStore here = carts(client(node));
        assertThat(carts).allSatisfy(key -> assertThat(here.get(key)).contains(key));
        assertThat(gone).allSatisfy(key -> assertThat(here.get(key)).isEmpty());
      }
      assertThat(chunks(3, 3)).containsExactly("2_1", "3_0");
      assertThat(engine("n3/slop").entries(null, 9)).isEmpty();
      assertThat(gone).allSatisfy(key -> assertThat(engine("n3/store_carts").get(key)).isEmpty());
    }
  }

  /** What came with a move that was given up is as old when the node joins at last. */
  @Test
  void aNodeThatNeverCameInJoinsWithNothingOfThatMove() throws Exception {
    assertThatThrownBy(() -> rebalance(failing(0, "steal", false), "one").run(target, 1))
        .hasMessageContaining("given up");
    VersionedValue old =
        new VersionedValue(VectorClock.parse("0:1"), 1, Optional.of(Bytes.of("old")));
    for (int i = 0; i < 50; i++) {
      engine("n3/store_carts").put(Bytes.of("gone " + i), old);
    }
    rebalance(all(), "two").run(target, 1);
    assertThat(engine("n3/store_carts").entries(null, 9)).isEmpty();
  }

  /** Neither one of another ring, nor one that knows more than who runs the move. */
  @Test
  void aNodeThatHasNotLeftItsRingKeepsWhatItHasAndDoesNotJoin() throws Exception {
    Topology current = topology();
    Node alone = new Node(3, 0, target.node(3).address());
    Topology other = Topology.of(Ring.of(List.of(alone), List.of(3, 3)), Map.of());
    http(3).join(3, other);
    assertThatThrownBy(() -> rebalance(all(), "run").run(target, 1))
        .hasMessageContaining("has not left it")
        .hasMessageContaining("empty directory")
        .hasMessageContaining("given up");
    assertThat(http(3).inventory().topology()).contains(other);
    Topology newer = current.with(target).with(current.ring().moved(List.of(), alone));
    http(3).join(3, newer.with(newer.ring()));
    Batch late = new Batch("late", current, current.with(target), List.of(3), List.of());
    http(3).leaseCluster("late", Duration.ofSeconds(30));
    assertThatThrownBy(() -> http(3).begin("late", late))
        .hasMessageContaining("knows version 5 of the topology, not 2");
    assertThat(http(3).inventory().topologyVersion()).isEqualTo(5);
  }
}
