package io.braid.serving.net;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.serving.ServingException;
import io.braid.serving.node.Membership;
import io.braid.serving.node.MoveState;
import io.braid.serving.node.RecentRefills;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.ContentAges;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.Hint;
import io.braid.serving.writable.HintPusher;
import io.braid.serving.writable.ImportHistory;
import io.braid.serving.writable.LifeEngine;
import io.braid.serving.writable.ReplicaAgreement;
import io.braid.serving.writable.ReplicaEndpoint;
import io.braid.serving.writable.ReplicaNetwork;
import io.braid.serving.writable.TombstonePurge;
import io.braid.serving.writable.TupleMove;
import io.braid.serving.writable.TupleRefill;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.VersionedValue;
import io.braid.serving.writable.WritableStore;
import io.braid.serving.writable.imports.ImportState;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The read-write stores of a node: an engine for each that the topology names, one for hints, and
 * the duty that delivers these.
 */
public final class WritableStores implements AutoCloseable, NodeMoves.TupleMoves {
  private static final Logger LOG = LoggerFactory.getLogger(WritableStores.class);
  private static final String SLOP = "slop";
  private static final String AGES = "ages";
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final Duration REFILL_PERIOD = Duration.ofSeconds(1);

  private static final Duration PURGE_PERIOD = Duration.ofHours(1);

  private static final Duration BETWEEN = Duration.ofMillis(1);

  private final Seams seams;
  private final NodeService service;
  private final Function<String, Engine> engines;
  private final ReplicaNetwork network;
  private final ConcurrentMap<String, Engine> open = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, WritableStore> routed = new ConcurrentHashMap<>();
  private final ReplicaEndpoint endpoint;
  private final StoreImports imports;
  private final ContentAges ages;
  private final Signal end;
  private final Task pusher;
  private volatile boolean closed;

  /** The lives of stores as they were when they were last looked at, by one task. */
  private final Map<String, Long> lives = new HashMap<>();

  /** The stores of whose earlier lives nothing lies on the disk since this process began. */
  private final Set<String> purged = new HashSet<>();

  /** See {@link ReplicaEndpoint}. */
  private final RecentRefills refilled;

  /** The problem that was logged last. */
  private String refillProblem = "";

  /**
   * @param engines opens the engine of a store
   * @param network to the other nodes
   */
  public WritableStores(
      Seams seams, NodeService service, Function<String, Engine> engines, ReplicaNetwork network)
      throws IOException {
    this.seams = seams;
    this.service = service;
    this.engines = engines;
    this.network = network;
    this.ages = new ContentAges(seams, () -> open.computeIfAbsent(AGES, engines));
    this.refilled = new RecentRefills(seams, service.directory());
    this.imports = new StoreImports(this, service.directory(), network);
    this.endpoint = new ReplicaEndpoint(this::view, network, this::anyLife, imports::gate);
    this.end = seams.signal();
    service.moves().tuples(this);
    this.pusher = seams.start("push-hints", EnduringLoop.loop(this::pushNowAndThen));
  }

  /** Imports into the stores of this node. */
  StoreImports imports() {
    return imports;
  }

  /**
   * Returns the means to compare this node's tuples of a store with other nodes, and to bring
   * tuples to them.
   */
  ReplicaAgreement agreement(String store) {
    Membership member = member();
    StoreDefinition definition = member.topology().store(store);
    if (definition == null || !definition.writable()) {
      throw ServingException.noStoreHere(store);
    }
    endpoint.requireWhole(store);
    return new ReplicaAgreement(member.topology(), member.self(), definition, engine(store));
  }

  /** Keeps partitions from moving while something is begun. */
  NodeMoves.Change change() {
    return service.moves().change();
  }

  @Override
  public void admit(Topology topology) {
    for (String store : imports.running()) {
      StoreDefinition next = topology.store(store);
      if (next == null || next.life() != life(store)) {
        imports.gate(store).refuseWhileRunning();
      }
    }
  }

  /**
   * Refuses an import while a rebalance begins, or a store is dropped. Both check for imports when
   * they have the lease of all nodes.
   *
   * @throws ServingException {@code IMPORT_REFUSED} then
   */
  void refuseWhileLeased() {
    if (service.rebalances().anyHeld()) {
      throw new ServingException(
          ErrorCode.IMPORT_REFUSED,
          "Partitions are about to move, or a store is being dropped. Import again when that has"
              + " ended.");
    }
  }

  /**
   * Refuses the tuples of an import that began before the store was emptied.
   *
   * @throws ServingException {@code IMPORT_REFUSED} then
   */
  void requireOfLife(String store, ImportState ticket) {
    long life = life(store);
    if (ticket.number() < VectorClock.firstImport(life)
        || ticket.number() >= VectorClock.firstImport(life + 1)) {
      throw new ServingException(
          ErrorCode.IMPORT_REFUSED,
          "Store " + store + " was emptied since import " + ticket.id() + " began. Give that up.");
    }
  }

  @Override
  public void refuseMove() {
    service.cluster().refilling().forEach(endpoint::requireWhole);
    imports.refuseWhileAnyRuns();
  }

  private Membership member() {
    return service
        .cluster()
        .membership()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "This node is in no cluster: braid cluster init; or, if it was in one, braid cluster tell."));
  }

  /** Whether the topology, or the one of a move to here, names a read-write store. */
  boolean has(String store) {
    Optional<Topology> known = service.cluster().membership().map(Membership::topology);
    Optional<Topology> coming = service.moves().state().map(MoveState::to);
    return known.filter(t -> has(t, store)).isPresent()
        || coming.filter(t -> has(t, store)).isPresent();
  }

  private static boolean has(Topology topology, String store) {
    StoreDefinition definition = topology.store(store);
    return definition != null && definition.writable();
  }

  /** Where requests for one replica come in. */
  ReplicaEndpoint endpoint() {
    return endpoint;
  }

  long topologyVersion() {
    return service.cluster().version();
  }

  /**
   * Returns the state by which the endpoint decides. The move is read first, so that the end of a
   * move is not overlooked.
   */
  private ReplicaEndpoint.View view() {
    Optional<MoveState> move = service.moves().state();
    Optional<Membership> member = service.cluster().membership();
    int self = member.map(Membership::self).orElseGet(() -> move.map(MoveState::self).orElse(-1));
    return new ReplicaEndpoint.View(
        self,
        member.map(Membership::topology),
        move.map(m -> new ReplicaEndpoint.Move(m.from(), m.to(), m.prepared(), m.closed())),
        service.cluster().refilling(),
        refilled.stores());
  }

  @Override
  public void copy(MoveState move, ChunkTransfer job) throws IOException {
    for (StoreDefinition store : move.to().stores().values()) {
      if (store.writable()) {
        TupleMove tuples = new TupleMove(seams, move.from(), move.to(), move.self(), store.store());
        tuples.copy(network, engine(store.store()), job::isStopped);
        Optional<String> problem = learnImports(move.from(), move.self(), store.store());
        if (problem.isPresent()) {
          throw new IOException(problem.get());
        }
      }
    }
  }

  @Override
  public void trim(Topology topology, int self) {
    for (StoreDefinition store : topology.stores().values()) {
      if (store.writable()) {
        Engine engine = open.computeIfAbsent("store_" + store.store(), engines);
        TupleMove.trim(engine, topology, self, store);
      }
    }
  }

  @Override
  public void clear(Set<String> names) {
    names.forEach(store -> open.computeIfAbsent("store_" + store, engines).truncate());
    slop().truncate();
    open.computeIfAbsent(AGES, engines).truncate();
  }

  /** Returns the tuples that this node has of the current life of a store. */
  LifeEngine engine(String store) {
    return new LifeEngine(anyLife(store), life(store));
  }

  /** All that lies here, also of before a store was dropped or emptied. */
  private Engine anyLife(String store) {
    if (!has(store)) {
      throw ServingException.noStoreHere(store);
    }
    return open.computeIfAbsent("store_" + store, engines);
  }

  private long life(String store) {
    return service
        .cluster()
        .membership()
        .map(Membership::topology)
        .or(() -> service.moves().state().map(MoveState::to))
        .map(topology -> topology.store(store))
        .map(StoreDefinition::life)
        .orElse(0L);
  }

  /** A store as clients see it, for those that do not route by themselves. */
  WritableStore routed(String store) {
    if (!has(store)) {
      throw ServingException.noStoreHere(store);
    }
    return routed.computeIfAbsent(
        store,
        name -> {
          Membership member = member();
          int zone = member.topology().ring().node(member.self()).zone();
          return new WritableStore(seams, network, () -> member().topology(), name, zone);
        });
  }

  /** Keeps a write that another node missed. */
  void keep(Hint hint, VersionedValue missed) {
    HintPusher.keep(slop(), hint, missed);
  }

  /** Whether this node keeps a hint of a store. */
  boolean keepsHints(String store) {
    return HintPusher.keepsAny(slop(), store);
  }

  private Engine slop() {
    return open.computeIfAbsent(SLOP, engines);
  }

  /** Delivers hints now; answers how many. */
  int pushHints() {
    Topology topology = member().topology();
    return new HintPusher(seams, slop(), ages, network, BETWEEN).push(topology);
  }

  /** Forgets what was deleted long ago, but not while tuples are copied, to others or to here. */
  private void purge() {
    Membership member = member();
    for (StoreDefinition store : member.topology().stores().values()) {
      if (store.writable() && service.moves().state().isEmpty() && isWhole(store.store())) {
        int gone =
            new TombstonePurge(
                    network, member.topology(), member.self(), store, engine(store.store()), ages)
                .run();
        LOG.debug("Forgot {} deleted tuples of store {}.", gone, store.store());
      }
    }
  }

  /** Frees the disk of what stores had before they were emptied or dropped. */
  private void purgeEarlierLives(boolean hourly) {
    Topology topology = member().topology();
    for (String store : Set.copyOf(lives.keySet())) {
      if (topology.store(store) == null) {
        purgeDropped(store, topology);
        lives.remove(store);
      }
    }
    for (StoreDefinition store : topology.stores().values()) {
      if (store.writable()) {
        Long before = lives.put(store.store(), store.life());
        boolean emptied = before != null && before != store.life();
        if (emptied || (hourly && !purged.contains(store.store()))) {
          engine(store.store()).purge();
          purged.add(store.store());
        }
      }
    }
  }

  /** If a store of this name is made, its life will be a later one. */
  private void purgeDropped(String store, Topology topology) {
    new LifeEngine(open.computeIfAbsent("store_" + store, engines), topology.version() + 1).purge();
  }

  private Optional<String> learnImports(Topology topology, int self, String store)
      throws IOException {
    return new ImportHistory(network, topology, self, store).learn(imports.gate(store));
  }

  /** Whether this node has lost nothing of a store. */
  boolean isWhole(String store) {
    return !service.cluster().refilling().contains(store);
  }

  private void refillNow() {
    try {
      refill();
      refilled.removeOld();
    } catch (IOException | RuntimeException | VirtualMachineError | LinkageError e) {
      LOG.warn("What this node lost cannot be refilled now.", e);
    }
  }

  /** Refills what this node lost, as far as the others answer. */
  private void refill() throws IOException {
    StringBuilder problems = new StringBuilder();
    for (String store : service.cluster().refilling()) {
      Membership member = member();
      StoreDefinition definition = member.topology().store(store);
      Optional<String> problem = Optional.empty();
      if (definition == null) {
        purgeDropped(store, member.topology());
      } else {
        problem =
            new TupleRefill(seams, member.topology(), member.self(), definition)
                .fill(network, engine(store), () -> closed);
        if (problem.isEmpty()) {
          problem = learnImports(member.topology(), member.self(), store);
        }
      }
      if (problem.isEmpty()) {
        // First, so that a crash in between makes the refill begin again.
        refilled.add(store);
        service.cluster().refilled(store);
        LOG.info("Store {} is refilled from the other replicas, and answers again.", store);
      } else {
        problems.append(store).append(": ").append(problem.get()).append(' ');
      }
    }
    if (!problems.isEmpty() && !refillProblem.contentEquals(problems) && !closed) {
      LOG.warn("What this node lost cannot be refilled yet. {}", problems);
    }
    refillProblem = problems.toString();
  }

  private void pushNowAndThen() {
    long last = seams.nanoTime();
    while (!closed) {
      end.await(service.cluster().refilling().isEmpty() ? PERIOD : REFILL_PERIOD);
      if (!closed && service.cluster().version() > 0) {
        try {
          pushHints();
          ages.save();
          boolean hourly = seams.nanoTime() - last > PURGE_PERIOD.toNanos();
          purgeEarlierLives(hourly);
          if (hourly) {
            last = seams.nanoTime();
            purge();
          }
        } catch (RuntimeException | VirtualMachineError | LinkageError e) {
          LOG.warn("Hints cannot be delivered now.", e);
        }
        refillNow();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    end.raise();
    pusher.join(Duration.ofSeconds(10));
  }
}
