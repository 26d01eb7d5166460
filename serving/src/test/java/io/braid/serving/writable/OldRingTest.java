package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.chunk.Placement;
import io.braid.serving.client.WrongNodeException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.ring.TopologyText;
import io.braid.serving.writable.imports.ImportKeeper;
import io.braid.serving.writable.imports.ImportState;
import io.braid.serving.writable.imports.WriteGate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Callers that go by rings of before the last move, and replicas that left and came back. */
class OldRingTest {
  private static final String STORE = "carts";
  private static final Bytes KEY = Bytes.of("k");
  private static final StoreDefinition DEFINITION =
      StoreDefinition.readWrite(STORE, 3, Map.of(), 2, 2);
  private static final VersionedValue WRITTEN = version("3:1", "acknowledged");

  private final Endpoints endpoints = new Endpoints();

  /**
   * Node 1 lacks an acknowledged write, and node 4 takes its place: the two are one replica. Who
   * still knows a ring in which both were replicas must not read of these two alone.
   */
  @Test
  void thePairOfAMoveIsNotTakenForTwoReplicas() {
    Topology old = Topology.of(ring(1, 4, 3), Map.of()).with(DEFINITION);
    Topology from = old.with(ring(3, 0, 1));
    Topology to = from.with(ring(3, 4, 0));
    endpoints.engine(3).put(KEY, WRITTEN);
    endpoints.engine(0).put(KEY, WRITTEN);
    endpoints.all(Optional.of(from), Optional.of(new ReplicaEndpoint.Move(from, to, true, false)));
    AtomicReference<Topology> known = new AtomicReference<>(old);
    assertThat(store(known, from).siblings(KEY)).containsExactly(WRITTEN);
    assertThat(known.get()).isEqualTo(from);
    endpoints.all(Optional.of(to), Optional.empty());
    known.set(from);
    assertThat(store(known, to).siblings(KEY)).as("after the move").containsExactly(WRITTEN);
    assertThat(known.get()).isEqualTo(to);
  }

  /** A new store is no new ring: who does not know it yet is answered. */
  @Test
  void onlyMovesMakeARingOld() {
    Topology first = Topology.of(ring(0, 1, 2), Map.of()).with(DEFINITION);
    Topology more = first.with(StoreDefinition.readWrite("more", 3, Map.of(), 2, 2));
    assertThat(more.ringVersion()).isEqualTo(first.ringVersion());
    assertThat(more.without("more").ringVersion()).isEqualTo(first.ringVersion());
    Topology moved = more.with(ring(0, 1, 3));
    assertThat(moved.ringVersion()).isEqualTo(moved.version());
    assertThat(TopologyText.decode(TopologyText.encode(moved))).isEqualTo(moved);
    endpoints.engine(0).put(KEY, WRITTEN);
    endpoints.all(Optional.of(more), Optional.empty());
    AtomicReference<Topology> known = new AtomicReference<>(first);
    assertThat(store(known, more).siblings(KEY)).containsExactly(WRITTEN);
    assertThat(known.get()).isEqualTo(first);
  }

  /**
   * Node 1 was the first to take a write that only node 3 has now, left, and comes back for node 2.
   * Did it count anew, its next clock would include that write, which nobody has seen.
   */
  @Test
  void aNodeThatComesBackCountsOnWhereItStopped() throws Exception {
    Topology from = Topology.of(ring(3, 0, 2), Map.of()).with(DEFINITION);
    Topology to = from.with(ring(3, 0, 1));
    VersionedValue own = version("1:11,3:2", "first taken by 1");
    endpoints.engine(3).put(KEY, own);
    endpoints.engine(3).put(Bytes.of("j"), version("3:1", "of others"));
    endpoints.engine(2).put(KEY, version("1:10,3:2", "before"));
    Engine joining = endpoints.engine(1);
    new TupleMove(new SystemSeams(), from, to, 1, STORE).copy(endpoints, joining, () -> false);
    assertThat(joining.get(KEY)).containsExactly(own);
    assertThat(joining.get(Bytes.of("j"))).as("not of its donor").isEmpty();
    assertThat(joining.putFirst(KEY, version("1:11,3:3", "unaware"), 1)).isFalse();
  }

  /** A replica that stored a write may have left and come back without it before it is repeated. */
  @Test
  void aWriteThatGoesOnWithANewerRingIsToldToAllOfItsReplicas() {
    Topology old = Topology.of(ring(0, 1, 2), Map.of()).with(DEFINITION);
    Topology next = old.with(ring(0, 2, 1));
    endpoints.all(Optional.of(next), Optional.empty());
    endpoints.know(0, Optional.of(old), Optional.empty());
    AtomicReference<Topology> known = new AtomicReference<>(old);
    WritableStore store =
        new WritableStore(
            new SystemSeams(),
            endpoints,
            known::get,
            version -> {
              endpoints.forget(0);
              endpoints.know(0, Optional.of(next), Optional.empty());
              known.set(next);
            },
            STORE,
            0);
    VersionedValue written = store.put(KEY, VectorClock.NONE, Optional.of(Bytes.of("v")));
    assertThat(written.clock().counts()).isEqualTo(Map.of(0, 1L));
    for (int node = 0; node < 3; node++) {
      assertThat(endpoints.engine(node).get(KEY)).as("node %d", node).containsExactly(written);
    }
  }

  /** A move that ends between the look at the topology and the read takes the tuple away. */
  @Test
  void whatIsTakenAwayWhileItIsReadIsNotTakenForAbsent() {
    Topology from = Topology.of(ring(0, 1, 2), Map.of()).with(DEFINITION);
    Topology to = from.with(ring(3, 1, 2));
    AtomicReference<ReplicaEndpoint.View> view =
        new AtomicReference<>(new ReplicaEndpoint.View(0, Optional.of(from), Optional.empty()));
    Engine trimmed =
        (Engine)
            Proxy.newProxyInstance(
                OldRingTest.class.getClassLoader(),
                new Class<?>[] {Engine.class},
                (proxy, method, arguments) -> {
                  view.set(new ReplicaEndpoint.View(0, Optional.of(to), Optional.empty()));
                  return List.of();
                });
    ReplicaEndpoint endpoint =
        new ReplicaEndpoint(
            view::get,
            endpoints,
            store -> trimmed,
            store -> {
              throw new AssertionError("Nothing is written.");
            });
    assertThatThrownBy(() -> endpoint.get(STORE, KEY, from.ringVersion()))
        .isInstanceOf(WrongNodeException.class);
  }

  private WritableStore store(AtomicReference<Topology> known, Topology newest) {
    return new WritableStore(
        new SystemSeams(), endpoints, known::get, version -> known.set(newest), STORE, 0);
  }

  private static VersionedValue version(String clock, String value) {
    return new VersionedValue(VectorClock.parse(clock), 0, Optional.of(Bytes.of(value)));
  }

  /** A ring of three partitions in which these are the replicas of the key, in this order. */
  private static Ring ring(Integer... replicas) {
    int partition = new Placement(3, 1).partition(DEFINITION.hash().of(KEY.toArray()));
    Integer[] owners = new Integer[3];
    for (int i = 0; i < 3; i++) {
      owners[(partition + i) % 3] = replicas[i];
    }
    List<Node> nodes = new ArrayList<>();
    for (int id = 0; id < Endpoints.NODES; id++) {
      nodes.add(new Node(id, 0, ""));
    }
    return Ring.of(nodes, Arrays.asList(owners));
  }

  /** Nodes that are called directly; what they know is said. */
  private static final class Endpoints implements ReplicaNetwork {
    static final int NODES = 5;
    private final Map<Integer, Engine> engines = new ConcurrentHashMap<>();
    private final Map<Integer, ReplicaEndpoint.View> views = new ConcurrentHashMap<>();

    Endpoints() {
      for (int id = 0; id < NODES; id++) {
        forget(id);
      }
    }

    void forget(int node) {
      engines.put(node, new MemoryEngine());
    }

    @Override
    public Optional<ImportState> imported(Node node, String store) {
      return Optional.empty();
    }

    Engine engine(int node) {
      return Objects.requireNonNull(engines.get(node));
    }

    void all(Optional<Topology> topology, Optional<ReplicaEndpoint.Move> move) {
      for (int id = 0; id < NODES; id++) {
        know(id, topology, move);
      }
    }

    void know(int node, Optional<Topology> topology, Optional<ReplicaEndpoint.Move> move) {
      views.put(node, new ReplicaEndpoint.View(node, topology, move));
    }

    private ReplicaEndpoint endpoint(Node node) {
      return new ReplicaEndpoint(
          () -> Objects.requireNonNull(views.get(node.id())),
          this,
          store -> engine(node.id()),
          store -> gate());
    }

    private static WriteGate gate() {
      try {
        return new WriteGate(STORE, ImportKeeper.memory());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public List<VersionedValue> get(Node node, String store, Bytes key, long ring) {
      return endpoint(node).get(store, key, ring);
    }

    @Override
    public boolean put(Node node, String store, Bytes key, VersionedValue fresh, long ring)
        throws IOException {
      return endpoint(node).put(store, key, fresh, ring);
    }

    @Override
    public boolean putFirst(Node master, String store, Bytes key, VersionedValue fresh, long ring)
        throws IOException {
      return endpoint(master).putFirst(store, key, fresh, ring);
    }

    @Override
    public boolean mirror(Node other, String store, Bytes key, VersionedValue fresh) {
      return endpoint(other).mirrored(store, key, fresh);
    }

    @Override
    public Bytes digest(Node other, String store, ReplicaAgreement.Span span) {
      throw new AssertionError("Nothing is compared.");
    }

    @Override
    public void hint(Node keeper, Hint hint, VersionedValue missed) {}

    @Override
    public boolean keepsHints(Node keeper, String store) {
      throw new AssertionError("Nothing is forgotten.");
    }

    @Override
    public List<Engine.Entry> entries(
        Node node, String store, @Nullable Bytes after, @Nullable Integer master) {
      return engine(node.id()).counted(after, 1, master);
    }

    @Override
    public ReplicaEntries rest(Node node, String store, @Nullable Bytes after) {
      throw new AssertionError("Nobody is refilled.");
    }
  }
}
