package io.braid.serving.net;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.serving.ServingException;
import io.braid.serving.StoreNames;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.build.Manifest;
import io.braid.serving.node.Membership;
import io.braid.serving.node.MoveState;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.ServedStore;
import io.braid.serving.node.StoreVersions;
import io.braid.serving.rebalance.NodeStores;
import io.braid.serving.rebalance.StolenVersion;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.TupleRefill;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's part in moving partitions (section 4.3.2). The node enters the move, which is durable
 * and keeps fetches and swaps out. It gets the chunks that come to it, and serves what it has and
 * what it got, so no reader can come too early or too late. It learns the new topology. It
 * <em>closes</em>: it no longer answers for read-write tuples that are others' now. Finally it
 * <em>settles</em>: it leaves of every version exactly what its topology gives it. A move that is
 * given up ends the same way, with the topology that was there before.
 */
public final class NodeMoves implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeMoves.class);

  private final Seams seams;
  private final NodeDirectory node;
  private final NodeService service;
  private volatile @Nullable MoveState state;
  private volatile @Nullable ChunkTransfer job;
  private volatile TupleMoves tuples = TupleMoves.NONE;
  private int changes;

  /** The read-write stores of the node, which move too. */
  interface TupleMoves {
    TupleMoves NONE =
        new TupleMoves() {
          @Override
          public void copy(MoveState move, ChunkTransfer job) {}

          @Override
          public void trim(Topology topology, int self) {}

          @Override
          public void clear(Set<String> stores) {}

          @Override
          public void refuseMove() {}

          @Override
          public void admit(Topology topology) {}
        };

    /** Brings the tuples that come to this node here. */
    void copy(MoveState move, ChunkTransfer job) throws IOException;

    /** Takes those away that a topology gives to others. */
    void trim(Topology topology, int self);

    /** Takes all tuples of some stores away, and all hints. */
    void clear(Set<String> stores);

    /** Throws while nothing may move. */
    void refuseMove();

    /** Throws while an import runs into a store that a topology empties or does not have. */
    void admit(Topology topology);
  }

  /** A fetch by hand, a swap, a prepare: none of them overlaps with a move. */
  interface Change extends AutoCloseable {
    @Override
    void close();
  }

  NodeMoves(Seams seams, NodeDirectory node, NodeService service) throws IOException {
    this.seams = seams;
    this.node = node;
    this.service = service;
    this.state = MoveState.read(node.path()).orElse(null);
  }

  void tuples(TupleMoves stores) {
    tuples = stores;
  }

  /** The move this node takes part in. */
  public Optional<MoveState> state() {
    return Optional.ofNullable(state);
  }

  /**
   * Begins a change that a move must not see half done.
   *
   * @throws ServingException {@code VERSION_REFUSED} while partitions move
   */
  synchronized Change change() {
    refuse();
    changes++;
    return this::changed;
  }

  private synchronized void changed() {
    changes--;
  }

  /** Refuses what must not happen while partitions move. */
  void refuse() {
    MoveState move = state;
    if (move != null) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "Partitions are moving (topology "
              + move.from().version()
              + " to "
              + move.to().version()
              + "): nothing is fetched, swapped or rolled back meanwhile. Wait for the end of the"
              + " rebalancing, finish it with 'braid rebalance run', or give it up with 'braid"
              + " rebalance abort'.");
    }
  }

  /** Refuses a topology that does not come from the move that is under way. */
  void admitTopology(Topology topology, String move) {
    MoveState current = state;
    if (current != null && !current.id().equals(move)) {
      refuse();
    }
    tuples.admit(topology);
  }

  /** Whether a move is under way by which a node joins that had nothing before. */
  boolean brings(int node) {
    MoveState move = state;
    return move != null && !isReplica(move.from(), node);
  }

  private static boolean isReplica(Topology topology, int node) {
    return topology.stores().values().stream()
        .anyMatch(store -> TupleRefill.concerns(topology, node, store));
  }

  /** Takes part in a move from now on. */
  void begin(String id, int self, Topology from, Topology to) throws IOException {
    synchronized (this) {
      MoveState current = state;
      if (current != null) {
        if (!current.id().equals(id)) {
          refuse();
        }
        return;
      }
      if (changes > 0 || service.isFetching() || service.leases().anyHeld()) {
        throw new ServingException(
            ErrorCode.VERSION_REFUSED,
            "A version is being fetched, pushed or swapped here. Wait for its end.");
      }
      tuples.refuseMove();
      Optional<Membership> known = service.cluster().membership();
      boolean joins = from.ring().nodes().stream().noneMatch(node -> node.id() == self);
      boolean free = known.isEmpty() || (joins && known.get().hasLeft(from));
      if (!free) {
        requireMember(known.get(), self, from, joins);
      } else if (isReplica(from, self)) {
        throw new ServingException(
            ErrorCode.VERSION_REFUSED,
            "Node "
                + self
                + " lost what it had of its read-write stores. Have it refilled first: braid cluster"
                + " tell.");
      }
      if (joins && free) {
        clear(from);
      }
      MoveState entered = new MoveState(id, self, from, to, Set.of(), false, false);
      entered.write(node.path());
      state = entered;
    }
  }

  private static void requireMember(Membership known, int self, Topology from, boolean joins) {
    long version = known.topology().version();
    if (joins && version <= from.version()) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "This node is number "
              + known.self()
              + " of a ring already, by version "
              + version
              + " of its topology, and has not left it. If it is not in use there any more, start"
              + " it with an empty directory.");
    }
    if (version != from.version()) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "This node knows version "
              + version
              + " of the topology, not "
              + from.version()
              + (version < from.version() ? ". Tell it first: braid cluster tell." : "."));
    }
    if (known.self() != self) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "This node is number " + known.self() + " of its cluster, not " + self + ".");
    }
  }

  /**
   * Clears a node that joins. Its data from an earlier time in the ring, or from a move that was
   * given up, is old. The other nodes may have deleted that data since, and have forgotten the
   * deletion. The topology goes last: after a crash in between, all of this is done again.
   */
  private void clear(Topology from) throws IOException {
    Set<String> stores = new TreeSet<>(from.stores().keySet());
    Optional<Membership> left = service.cluster().membership();
    if (left.isPresent()) {
      LOG.info(
          "This node left the ring, and joins again. What it had in topology {} is deleted.",
          left.get().topology().version());
      stores.addAll(left.get().topology().writableOnly().stores().keySet());
      for (String name : node.stores()) {
        if (StoreNames.isStore(name)) {
          service.drop(name);
        }
      }
    }
    tuples.clear(stores);
    service.cluster().forget();
  }

  /** Starts to bring here what comes to this node; goes on after a failure or a crash. */
  void steal(String id, List<StolenVersion> versions) throws IOException {
    synchronized (this) {
      MoveState move = moving(id);
      ChunkTransfer running = job;
      if (move.prepared() || (running != null && running.isRunning())) {
        return;
      }
      Set<String> fresh = new TreeSet<>(move.fresh());
      versions.stream()
          .map(StolenVersion::store)
          .filter(store -> service.live(store) == 0)
          .filter(store -> !service.stores().contains(store))
          .forEach(fresh::add);
      MoveState stealing = move.stealing(fresh);
      stealing.write(node.path());
      state = stealing;
      job = new ChunkTransfer(seams, this, service, stealing, versions);
    }
  }

  private MoveState moving(String id) {
    MoveState move = state;
    if (move == null || !move.id().equals(id)) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED, "This node takes no part in move " + id + ".");
    }
    return move;
  }

  /** Everything is here. */
  synchronized void prepared(String id) throws IOException {
    MoveState done = moving(id).nowPrepared();
    done.write(node.path());
    state = done;
  }

  TupleMoves tuples() {
    return tuples;
  }

  /** Answers no more for tuples that are others' by now. */
  synchronized void close(String id) throws IOException {
    if (state != null) {
      MoveState closed = moving(id).nowClosed();
      closed.write(node.path());
      state = closed;
    }
  }

  /** Ends the move: of everything that is left which the topology of now gives to this node. */
  void settle(String id) throws IOException {
    MoveState move;
    ChunkTransfer running;
    synchronized (this) {
      move = state;
      if (move == null) {
        return;
      }
      moving(id);
      running = job;
    }
    if (running != null) {
      running.stop();
    }
    Topology topology = service.cluster().membership().map(Membership::topology).orElse(null);
    for (String name : service.stores()) {
      if (topology != null) {
        trim(service.store(name), topology, move);
      }
    }
    for (String name : move.fresh()) {
      if (topology == null || !holdsAny(name, topology, move)) {
        service.drop(name);
      }
    }
    if (topology != null) {
      tuples.trim(topology, move.self());
    }
    synchronized (this) {
      job = null;
      MoveState.delete(node.path());
      state = null;
    }
  }

  private boolean holdsAny(String store, Topology topology, MoveState move) throws IOException {
    StoreVersions versions = service.versions(store);
    for (long version : versions.numbers()) {
      if (isWhole(versions, version) && !held(versions, version, topology, move.self()).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static boolean isWhole(StoreVersions versions, long version) throws IOException {
    try {
      versions.whole(version);
      return true;
    } catch (ServingException | BadManifestException e) {
      return false;
    }
  }

  private static void trim(ServedStore store, Topology topology, MoveState move)
      throws IOException {
    StoreVersions versions = store.versions();
    for (long version : versions.numbers()) {
      if (isWhole(versions, version)) {
        Manifest manifest = versions.whole(version);
        if (manifest.place().partitions() == topology.ring().partitions()) {
          if (versions.chunks(version).trim(held(versions, version, topology, move.self()))) {
            store.remap(version);
          }
          versions.chunks(version).sweep();
        }
      } else if (!versions.chunks(version).haveManifest()) {
        versions.discard(version);
      }
    }
  }

  private static Map<Integer, Integer> held(
      StoreVersions versions, long version, Topology topology, int self) throws IOException {
    return versions.whole(version).definition().routing(topology.ring()).held(self);
  }

  /** Returns the stores, the topology and the move of this node. */
  NodeStores inventory() throws IOException {
    List<NodeStores.Store> stores = new ArrayList<>();
    for (String name : service.stores()) {
      StoreVersions versions = service.store(name).versions();
      List<NodeStores.Version> numbers = new ArrayList<>();
      for (long number : versions.numbers()) {
        if (isWhole(versions, number)) {
          numbers.add(version(number, versions.whole(number)));
        }
      }
      stores.add(new NodeStores.Store(name, versions.served(), numbers, versions.rolledBack()));
    }
    Optional<Topology> topology =
        service.cluster().membership().map(member -> member.topology().writableOnly());
    return new NodeStores(topology, state().map(this::progress), stores);
  }

  private static NodeStores.Version version(long number, Manifest manifest) {
    Map<Integer, Long> bytes = new TreeMap<>();
    for (Manifest.Chunk chunk : manifest.chunks()) {
      long both = chunk.data().bytes() + chunk.index().bytes();
      bytes.merge(chunk.name().partition(), both, Long::sum);
    }
    return new NodeStores.Version(
        number, manifest.definition(), manifest.place().partitions(), bytes);
  }

  private NodeStores.Move progress(MoveState move) {
    ChunkTransfer running = job;
    return new NodeStores.Move(
        move.id(),
        move.from(),
        move.to(),
        move.prepared(),
        running != null && running.isRunning(),
        running == null ? 0 : running.fetched(),
        running == null ? 0 : running.total(),
        running == null ? "" : running.problem());
  }

  @Override
  public void close() {
    ChunkTransfer running = job;
    if (running != null) {
      running.stop();
    }
  }
}
