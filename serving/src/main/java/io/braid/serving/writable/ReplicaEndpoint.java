package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.Placement;
import io.braid.serving.client.WrongNodeException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Succession;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.imports.ImportState;
import io.braid.serving.writable.imports.WriteGate;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How a node answers for the tuples of read-write stores, also while partitions move (section
 * 4.3.2). Invariants of a move, in which one node joins the replicas of a partition and another
 * node leaves them for it:
 *
 * <ul>
 *   <li>From before the first tuple is copied until the move is settled, these two nodes are one
 *       replica: a write counts as stored at either only when both have it. So required reads and
 *       writes mean what they did, whichever topology a client knows. And the move can be given up
 *       at any time.
 *   <li>Once all nodes know the new topology, the nodes that have left close. They answer for
 *       nothing any more, and refer their callers to the topology. Only then do the others stop
 *       sending writes back.
 *   <li>A node answers only for tuples that it holds by the topology it knows, or by one of the two
 *       topologies of its move. By the new one it answers only when it has copied all tuples.
 *       Otherwise a caller could read there that nothing was written: one that still knows a
 *       topology from before the last move, in which the node was a replica, too. Until then the
 *       node takes writes that the other node of its pair sends.
 *   <li>A caller names the version of the ring by which it chose its replicas. A ring older than
 *       the one from which partitions move, or moved last, is refused. An older ring may name both
 *       nodes of a pair, and the caller would take one replica for two.
 *   <li>A node takes and shows only tuples of the life of the store that it knows ({@link
 *       LifeEngine}). Requests and hints from before a store was dropped or emptied may come long
 *       after.
 *   <li>A node that lost its tuples of a store takes the writes that it gets. But it answers for
 *       nothing, and is the first to take nothing, until it is refilled ({@link TupleRefill}). For
 *       ten minutes more, and for ten after each start within them, it is the first to take
 *       nothing.
 * </ul>
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ReplicaEndpoint {
  private final Supplier<View> view;
  private final ReplicaNetwork network;
  private final Function<String, Engine> engines;
  private final Function<String, WriteGate> gates;

  /**
   * The knowledge of a node at a moment.
   *
   * @param topology none: the node is in no cluster yet
   * @param refilling the stores whose tuples the node lost
   * @param refilled the stores that were refilled recently
   */
  public record View(
      int self,
      Optional<Topology> topology,
      Optional<Move> move,
      Set<String> refilling,
      Set<String> refilled) {
    /** Of a node that has lost nothing. */
    public View(int self, Optional<Topology> topology, Optional<Move> move) {
      this(self, topology, move, Set.of(), Set.of());
    }

    long version() {
      return topology.or(() -> move.map(Move::from)).map(Topology::version).orElse(0L);
    }

    /** The oldest ring by which callers may go. */
    long oldestRing() {
      return move.map(Move::from).or(() -> topology).map(Topology::ringVersion).orElse(0L);
    }
  }

  /**
   * A move it takes part in.
   *
   * @param prepared whether all that comes to this node is here
   */
  public record Move(Topology from, Topology to, boolean prepared, boolean closed) {}

  /** A key at this node: its engine, and the node that must also get its writes. */
  private record Place(LifeEngine engine, @Nullable Node mirror, long topology) {
    /** Refuses a write by a topology that knows another life of the store. */
    void requireOfLife(String store, VersionedValue fresh) {
      if (!engine.has(fresh)) {
        throw new WrongNodeException(
            "What was to be written is of another life of store "
                + store
                + " than the one that this node knows: the store was dropped or emptied since, or"
                + " this node was not told. Ask for the topology again.",
            topology);
      }
    }
  }

  /**
   * @param engines opens the engine of a store on this node, whatever the life
   * @param gates of the stores
   */
  public ReplicaEndpoint(
      Supplier<View> view,
      ReplicaNetwork network,
      Function<String, Engine> engines,
      Function<String, WriteGate> gates) {
    this.view = view;
    this.network = network;
    this.engines = engines;
    this.gates = gates;
  }

  /**
   * Returns the siblings of a key. The check that this node holds the key is made before and after
   * the read: tuples read while a move ended may already be gone from here.
   *
   * @param ring the version of the ring by which the caller came here
   * @throws WrongNodeException when this node does not hold the key, or the ring is too old
   * @throws ServingException {@code REFILLING} when this node lost its tuples
   */
  public List<VersionedValue> get(String store, Bytes key, long ring) {
    requireWhole(store);
    List<VersionedValue> siblings = place(store, key, ring).engine.get(key);
    place(store, key, ring);
    return siblings;
  }

  /**
   * As {@link Engine#put Engine.put}.
   *
   * @param ring as for {@link #get get}
   */
  public boolean put(String store, Bytes key, VersionedValue fresh, long ring) throws IOException {
    TupleLimits.check(key, fresh.value());
    Place place = place(store, key, ring);
    place.requireOfLife(store, fresh);
    boolean stored = place.engine.put(key, fresh);
    // A new ring may have come since. Then this check fails, and the caller sends the write again.
    place(store, key, ring);
    mirror(store, key, fresh);
    return stored;
  }

  /**
   * Stores as {@link Engine#putFirst Engine.putFirst} does, with this node as the master.
   *
   * @param ring as for {@link #get get}
   * @throws ServingException {@code WRITES_REFUSED} while an import runs
   * @throws IllegalArgumentException when the clock names an import that did not happen
   * @throws ServingException {@code REFILLING} when this node lost its tuples: it would give out
   *     counts of its own writes again
   */
  public boolean putFirst(String store, Bytes key, VersionedValue fresh, long ring)
      throws IOException {
    TupleLimits.check(key, fresh.value());
    requireWhole(store);
    requireMaster(store);
    Place place = place(store, key, ring);
    place.requireOfLife(store, fresh);
    Engine engine = place.engine;
    WriteGate gate = gates.apply(store);
    requireKnownImport(gate, engine, key, fresh.clock());
    int self = view.get().self();
    boolean stored = gate.write(() -> engine.putFirst(key, fresh, self));
    place(store, key, ring);
    if (stored) {
      mirror(store, key, fresh);
    }
    return stored;
  }

  /**
   * Refuses a clock that knows of more imports than there were. No client can have read such a
   * clock.
   */
  private static void requireKnownImport(
      WriteGate gate, Engine engine, Bytes key, VectorClock clock) {
    long known = gate.state().map(ImportState::number).orElse(0L);
    // A node that joined the cluster later knows of imports only by its tuples.
    if (clock.imports() > known && clock.imports() > Siblings.basis(engine.get(key)).imports()) {
      throw new IllegalArgumentException(
          "'"
              + clock.countsText()
              + "' names an import that has not been. Give back the clock that was read.");
    }
  }

  /** Takes a write from the other one of a pair. */
  public boolean mirrored(String store, Bytes key, VersionedValue fresh) {
    Place place = paired(store, key);
    place.requireOfLife(store, fresh);
    return place.engine.put(key, fresh);
  }

  /**
   * Sends a write that is stored here on to the other node of the pair. Only now the state of the
   * move is read: a move that began since finds the tuple when it copies.
   */
  private void mirror(String store, Bytes key, VersionedValue fresh) throws IOException {
    Node mirror = paired(store, key).mirror;
    if (mirror == null) {
      return;
    }
    try {
      network.mirror(mirror, store, key, fresh);
    } catch (WrongNodeException e) {
      // Either the other node has closed, so that no client reads there any more. Or it has not
      // entered the move yet, and copies the tuple when all have.
      return;
    }
  }

  /**
   * Checks that this node has lost nothing of a store. To be called before the node reports its
   * tuples.
   *
   * @throws ServingException {@code REFILLING} when it lost its tuples
   */
  public void requireWhole(String store) {
    View now = view.get();
    if (now.refilling.contains(store)) {
      throw refilling(now.self, store);
    }
  }

  /**
   * Writes that this node was the first to take before it lost them may be under way to other
   * replicas for as long as their clients try: until then others are the first to take one, and
   * count for themselves.
   */
  private void requireMaster(String store) {
    View now = view.get();
    if (now.refilled.contains(store)) {
      throw refilling(now.self, store);
    }
  }

  private static ServingException refilling(int node, String store) {
    return new ServingException(
        ErrorCode.REFILLING,
        "Node "
            + node
            + " lost what it had of store "
            + store
            + " and is being refilled from the other replicas, or was so minutes ago.");
  }

  private Place place(String store, Bytes key, long ring) {
    View now = view.get();
    if (ring < now.oldestRing()) {
      throw new WrongNodeException(
          "Partitions have moved since ring " + ring + ": ask for the topology again.",
          now.version());
    }
    return place(now, store, key, false);
  }

  /** A key that the other one of a pair sends, or is sent: it need not be copied yet. */
  private Place paired(String store, Bytes key) {
    return place(view.get(), store, key, true);
  }

  private Place place(View now, String store, Bytes key, boolean paired) {
    boolean holds = now.topology.map(t -> replicas(t, store, key, now.self)).orElse(false);
    Node mirror = null;
    if (now.move.isPresent()) {
      Move move = now.move.get();
      boolean before = replicas(move.from, store, key, now.self);
      boolean after = replicas(move.to, store, key, now.self);
      if (!move.closed) {
        holds |= before || (after && (move.prepared || paired));
      }
      if (before != after) {
        mirror = mirror(move, store, key, now.self);
      }
    }
    if (!holds) {
      throw new WrongNodeException(
          "Node " + now.self + " does not hold this key of store " + store + ".", now.version());
    }
    long life = now.topology.or(() -> now.move.map(Move::to)).map(t -> life(t, store)).orElse(0L);
    return new Place(new LifeEngine(engines.apply(store), life), mirror, now.version());
  }

  private static long life(Topology topology, String store) {
    StoreDefinition definition = topology.store(store);
    return definition == null ? 0 : definition.life();
  }

  private static boolean replicas(Topology topology, String store, Bytes key, int node) {
    StoreDefinition definition = topology.store(store);
    return definition != null
        && definition.writable()
        && definition.routing(topology.ring()).nodes(partition(topology, definition, key)).stream()
            .anyMatch(replica -> replica.id() == node);
  }

  private static int partition(Topology topology, StoreDefinition definition, Bytes key) {
    return new Placement(topology.ring().partitions(), 1)
        .partition(definition.hash().of(key.toArray()));
  }

  private static @Nullable Node mirror(Move move, String store, Bytes key, int self) {
    StoreDefinition before = move.from.store(store);
    StoreDefinition after = move.to.store(store);
    if (before == null || after == null) {
      return null;
    }
    Routing from = before.routing(move.from.ring());
    Routing to = after.routing(move.to.ring());
    int partition = partition(move.to, after, key);
    for (Map.Entry<Integer, Integer> pair : Succession.of(from, to, partition).entrySet()) {
      if (pair.getKey() == self) {
        return move.from.ring().node(pair.getValue());
      }
      if (pair.getValue() == self) {
        return move.to.ring().node(pair.getKey());
      }
    }
    return null;
  }
}
