package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.client.ReplicaFailedException;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.node.RefillFile;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.MemoryEngine;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.VersionedValue;
import io.braid.serving.writable.WritableStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica that comes back without its directory, in a cluster of three real nodes. */
class RefilledReplicaTest {
  private static final Bytes KEY = Bytes.of("bob");
  private static final VersionedValue PEARS =
      new VersionedValue(VectorClock.parse("0:1"), 1, Optional.of(Bytes.of("pears")));

  @TempDir Path root;
  private final List<RunningNode> nodes = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private final HttpReplicas replicas = new HttpReplicas(Duration.ofSeconds(30), "");
  private Topology topology = Topology.of(Ring.even(1, 1), Map.of());

  @BeforeEach
  void start() throws IOException {
    List<Node> members = new ArrayList<>();
    for (int id = 0; id < 3; id++) {
      nodes.add(RunningNode.start(root.resolve("n" + id), ""));
      ports.add(nodes.get(id).http().address().getPort());
      members.add(new Node(id, 0, nodes.get(id).url()));
    }
    topology = Topology.of(Ring.of(members, List.of(0, 1, 2, 0, 1, 2)), Map.of());
    tell(0, 1, 2);
    topology = topology.with(StoreDefinition.readWrite("carts", 3, Map.of(), 2, 2));
    tell(0, 1, 2);
  }

  @AfterEach
  void stop() throws IOException {
    for (RunningNode node : nodes) {
      node.close();
    }
  }

  private void tell(int... ids) throws IOException {
    for (int id : ids) {
      new HttpNode(nodes.get(id).url(), "").join(id, topology);
    }
  }

  /** The ring, with node 0 where nobody listens or where it is. */
  private void move(String first) {
    List<Node> members = new ArrayList<>();
    for (Node node : topology.ring().nodes()) {
      members.add(node.id() == 0 ? new Node(0, 0, first) : node);
    }
    topology = topology.with(Ring.of(members, List.of(0, 1, 2, 0, 1, 2)));
  }

  private List<VersionedValue> at(int id) throws IOException {
    return replicas.get(topology.ring().node(id), "carts", KEY, topology.ringVersion());
  }

  private void put(int id, VersionedValue version) throws IOException {
    long ring = topology.ringVersion();
    assertThat(replicas.put(topology.ring().node(id), "carts", KEY, version, ring)).isTrue();
  }

  /**
   * Nodes 0 and 1 had acknowledged a write that node 2 missed. Did node 1 answer without what it
   * lost, it and node 2 were a quorum that knows nothing of it.
   */
  @Test
  void aReplicaThatLostItsDirectoryAnswersOnlyWhenItIsRefilled() throws Exception {
    put(0, PEARS);
    put(1, PEARS);
    nodes.get(1).close();
    nodes.set(1, RunningNode.start(root.resolve("n1-anew"), "", ports.get(1)));
    assertThatThrownBy(() -> tell(1))
        .hasMessageContaining("has tuples of [carts]")
        .hasMessageContaining("braid cluster tell");
    move("http://127.0.0.1:9");
    tell(0, 2);
    new HttpNode(nodes.get(1).url(), "").refill(1, topology);
    // Of node 2 alone it cannot know all that was acknowledged.
    requireRefused();
    VersionedValue plums = new VersionedValue(VectorClock.parse("2:1"), 1, Optional.empty());
    put(1, plums);
    Thread.sleep(2000);
    requireRefused();
    assertThat(RefillFile.read(root.resolve("n1-anew"))).containsExactly("carts");
    move(nodes.get(0).url());
    tell(0, 1, 2);
    until(() -> nodes.get(1).service().cluster().refilling().isEmpty());
    assertThat(RefillFile.read(root.resolve("n1-anew"))).isEmpty();
    assertThat(at(1)).as("and what it was told meanwhile").containsExactlyInAnyOrder(PEARS, plums);
    // Of its own first writes some may be under way yet.
    VersionedValue own = new VersionedValue(VectorClock.parse("0:1,1:1,2:1"), 2, Optional.empty());
    long ring = topology.ringVersion();
    assertThatThrownBy(() -> replicas.putFirst(topology.ring().node(1), "carts", KEY, own, ring))
        .hasMessageContaining("minutes ago");
    WritableStore carts =
        new WritableStore(new SystemSeams(), replicas, () -> topology, "carts", 0);
    assertThat(carts.put(KEY, Bytes.of("figs")).clock().toString()).doesNotContain("1:");
    assertThat(at(1))
        .extracting(VersionedValue::value)
        .containsExactly(Optional.of(Bytes.of("figs")));
    // Nothing can be added where all additions begin at it, and that is known.
    Set<Class<?>> refusals = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      try {
        carts.append(Bytes.of("list" + i), before -> Bytes.of("x"));
      } catch (RuntimeException e) {
        refusals.add(e.getClass());
      }
    }
    assertThat(refusals).containsExactly(StoreUnavailableException.class);
    // It counts as one that has stored a write, whichever of them comes first for a key.
    nodes.get(2).close();
    for (int i = 0; i < 20; i++) {
      carts.put(Bytes.of("key" + i), Bytes.of("dates"));
    }
  }

  /**
   * It refused to be the first of a write, and its client was told that nothing was added. The same
   * request comes again, late, when the node was started anew.
   */
  @Test
  void aReplicaThatIsStartedAnewAfterItsRefillIsNotTheFirstOfAWriteForTenMinutes()
      throws Exception {
    Path directory = root.resolve("n1-anew");
    nodes.get(1).close();
    nodes.set(1, RunningNode.start(directory, "", ports.get(1)));
    move(nodes.get(0).url());
    tell(0, 2);
    new HttpNode(nodes.get(1).url(), "").refill(1, topology);
    until(() -> nodes.get(1).service().cluster().refilling().isEmpty());
    AtomicLong passed = new AtomicLong();
    Seams seams =
        new SystemSeams() {
          @Override
          public long nanoTime() {
            return super.nanoTime() + passed.get();
          }
        };
    nodes.get(1).close();
    nodes.set(1, RunningNode.start(directory, "", ports.get(1), name -> new MemoryEngine(), seams));

    Node node = topology.ring().node(1);
    long ring = topology.ringVersion();
    VersionedValue own =
        new VersionedValue(VectorClock.parse("1:1"), 1, Optional.of(Bytes.of("pears")));
    assertThatThrownBy(() -> replicas.putFirst(node, "carts", KEY, own, ring))
        .isInstanceOf(ReplicaFailedException.class)
        .hasMessageContaining("minutes ago");
    assertThat(at(1)).isEmpty();

    passed.set(Duration.ofMinutes(10).toNanos());
    assertThat(replicas.putFirst(node, "carts", KEY, own, ring)).isTrue();
    until(() -> Files.notExists(directory.resolve(".refilled").resolve("carts")));
  }

  private static void until(BooleanSupplier reached) throws InterruptedException {
    long begin = System.nanoTime();
    while (!reached.getAsBoolean()) {
      assertThat(System.nanoTime() - begin).isLessThan(Duration.ofMinutes(1).toNanos());
      Thread.sleep(50);
    }
  }

  private void requireRefused() {
    Node node = topology.ring().node(1);
    long ring = topology.ringVersion();
    assertThatThrownBy(() -> at(1))
        .isInstanceOf(ReplicaFailedException.class)
        .hasMessageContaining("lost what it had of store carts");
    VersionedValue own = new VersionedValue(VectorClock.parse("1:1"), 1, Optional.empty());
    assertThatThrownBy(() -> replicas.putFirst(node, "carts", KEY, own, ring))
        .hasMessageContaining("being refilled");
    assertThatThrownBy(() -> replicas.entries(node, "carts", null, null))
        .hasMessageContaining("being refilled");
  }

  /** A node is told of a store when it is created, and of a new cluster's first topology. */
  @Test
  void whoLostNothingIsNotRefilled() {
    for (RunningNode node : nodes) {
      assertThat(node.service().cluster().refilling()).isEmpty();
    }
  }
}
