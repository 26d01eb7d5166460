package io.braid.simulation.serving;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.ContentAges;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.Hint;
import io.braid.serving.writable.HintPusher;
import io.braid.serving.writable.ImportHistory;
import io.braid.serving.writable.LifeEngine;
import io.braid.serving.writable.MemoryEngine;
import io.braid.serving.writable.ReplicaAgreement;
import io.braid.serving.writable.ReplicaEndpoint;
import io.braid.serving.writable.ReplicaNetwork;
import io.braid.serving.writable.TombstonePurge;
import io.braid.serving.writable.TupleMove;
import io.braid.serving.writable.TupleRefill;
import io.braid.serving.writable.VersionedValue;
import io.braid.serving.writable.WritableStore;
import io.braid.serving.writable.imports.ImportState;
import io.braid.simulation.cluster.Fault;
import io.braid.simulation.cluster.Faults;
import io.braid.simulation.schedule.Host;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.SimulationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Nodes with a read-write store, and the {@link ReplicaLinks} between them and to their clients. A
 * node keeps everything that it has stored, unless it loses its disk.
 */
public final class ReplicaWorld {
  public static final String STORE = "carts";

  /** The faults that may strike here. */
  public static final List<Fault> FAULTS =
      List.of(
          Fault.REQUEST_LOST,
          Fault.REPLY_LOST,
          Fault.RESENT_LATE,
          Fault.CUT_OFF,
          Fault.PROCESS_CRASHED);

  private static final int NODES = 5;

  /** A second makes so many: deletions are forgotten while the network still loses messages. */
  private static final long PACE = 500_000;

  private static final long WRONG = Duration.ofHours(12).toMillis();
  public static final int PARTITIONS = 2 * NODES;

  private final Seams seams;
  private final ReplicaLinks links;
  private final Topology topology;
  private final Map<Integer, Topology> known = new TreeMap<>();
  private final Map<Integer, ReplicaEndpoint.Move> moves = new TreeMap<>();
  private final Map<Integer, ReplicaEndpoint> endpoints = new TreeMap<>();
  private final Map<Integer, Engine> engines = new TreeMap<>();
  private final Map<Integer, Engine> slops = new TreeMap<>();
  private final Map<Integer, ContentAges> ages = new TreeMap<>();

  private int begun;
  private int emptied;

  /** Nodes that lost what they had. */
  private final Set<Integer> refilling = new TreeSet<>();

  private final Supplier<Engine> fresh;
  private final Engine special;
  private final ReplicaImports imports;
  private final SimRandom random;
  private final SimScheduler scheduler;
  private final Host host;

  /**
   * @param engine makes the engine of a node
   */
  public ReplicaWorld(SimScheduler scheduler, Faults faults, Host host, Supplier<Engine> engine) {
    this.random = scheduler.random().split();
    this.scheduler = scheduler;
    this.host = host;
    this.seams = new SmallSeams(scheduler, host, random);
    this.links = new ReplicaLinks(scheduler, faults, seams, random, NODES);
    this.special = new MemoryEngine();
    this.fresh = engine;
    List<Node> nodes = new ArrayList<>();
    List<Integer> owners = new ArrayList<>();
    for (int id = 0; id < NODES; id++) {
      nodes.add(new Node(id, 0, ""));
      engines.put(id, engine.get());
      slops.put(id, new MemoryEngine());
      Engine kept = new MemoryEngine();
      ages.put(id, new ContentAges(skewed(PACE), () -> kept));
    }
    for (int partition = 0; partition < PARTITIONS; partition++) {
      owners.add(partition % NODES);
    }
    this.topology =
        Topology.of(Ring.of(nodes, owners), Map.of())
            .with(StoreDefinition.readWrite(STORE, 3, Map.of(), 2, 2));
    for (int id = 0; id < NODES; id++) {
      int self = id;
      known.put(id, topology);
      endpoints.put(
          id,
          new ReplicaEndpoint(
              () -> view(self),
              new Wire("n" + self),
              store -> anyLife(self),
              store -> imports().gate(self)));
    }
    this.imports = new ReplicaImports(this, List.copyOf(known.keySet()));
  }

  public Seams seams() {
    return seams;
  }

  /** Returns the seams of a process whose wall clock is wrong by hours, and jumps. */
  private Seams skewed(long pace) {
    long[] ahead = {0};
    return new SmallSeams(
        scheduler,
        host,
        random,
        () -> {
          if (ahead[0] == 0 || random.nextInt(8) == 0) {
            ahead[0] = random.nextLong(2 * WRONG) - WRONG;
          }
          return ahead[0];
        },
        pace);
  }

  /** Calls between nodes, and of clients. */
  public long calls() {
    return links.calls();
  }

  /** Returns the versions that each node keeps of a key, in the order of nodes. */
  public List<List<VersionedValue>> kept(Bytes key) {
    return engines.values().stream().map(engine -> engine.get(key)).toList();
  }

  private ReplicaEndpoint.View view(int node) {
    return new ReplicaEndpoint.View(
        node,
        Optional.ofNullable(known.get(node)),
        Optional.ofNullable(moves.get(node)),
        refilling.contains(node) ? Set.of(STORE) : Set.of(),
        Set.of());
  }

  /** Imports into the store. */
  public ReplicaImports imports() {
    return imports;
  }

  /** Returns the data of a node, in the life of the store that the node knows. */
  Engine engine(int id) {
    return new LifeEngine(anyLife(id), store(topology(id)).life());
  }

  private Engine anyLife(int id) {
    return engines.getOrDefault(id, special);
  }

  private static StoreDefinition store(Topology topology) {
    return Objects.requireNonNull(topology.stores().get(STORE));
  }

  /** Empties the store: node after node learns of it, and frees its disk later or not at all. */
  public void empty() {
    begun++;
    Topology before = newest();
    Topology next = before.with(store(before).begun(before.version() + 1));
    each(id -> known.put(id, next));
    each(
        id -> {
          if (random.nextInt(2) == 0) {
            new LifeEngine(anyLife(id), store(next).life()).purge();
          }
        });
    emptied++;
  }

  /** Returns how often an emptying of the store began. */
  public int begun() {
    return begun;
  }

  /** How often the store was emptied. */
  public int emptied() {
    return emptied;
  }

  /**
   * A rebalancing, with the steps of the real one, of which nodes may be down.
   *
   * @param undone whether it is given up when some nodes know the new ring
   */
  public void rebalance(List<Integer> primaries, int taker, boolean undone) {
    Topology from = known.getOrDefault(0, topology);
    Topology to = from.with(from.ring().moved(primaries, from.ring().node(taker)));
    each(id -> moves.put(id, new ReplicaEndpoint.Move(from, to, false, false)));
    each(
        id -> {
          copy(from, to, id);
          moves.put(id, new ReplicaEndpoint.Move(from, to, true, false));
        });
    int told = undone ? random.nextInt(NODES) : NODES;
    each(id -> known.compute(id, (n, before) -> n < told ? to : before));
    if (undone) {
      Topology back = to.with(from.ring());
      each(id -> known.put(id, back));
    }
    each(id -> moves.put(id, new ReplicaEndpoint.Move(from, to, true, true)));
    each(
        id -> {
          moves.remove(id);
          Topology now = known.getOrDefault(id, topology);
          TupleMove.trim(engine(id), now, id, store(now));
        });
  }

  /**
   * Takes the data of a node away; the node no longer knows its cluster. The other nodes get a new
   * ring, so that no write counts what was stored there before. Then the node is refilled.
   */
  void loseDisk(int lost) {
    Topology next = newest().with(newest().ring());
    known.remove(lost);
    engines.put(lost, fresh.get());
    slops.put(lost, new MemoryEngine());
    each(id -> known.compute(id, (n, before) -> n == lost ? null : next));
    refilling.add(lost);
    known.put(lost, next);
    imports.loseDisk(lost);
    TupleRefill refill = new TupleRefill(seams, next, lost, store(next));
    while (refill.fill(new Wire("n" + lost), engine(lost), () -> false).isPresent()) {
      seams.sleep(Duration.ofMillis(50));
    }
    learnImports(next, lost);
    refilling.remove(lost);
  }

  private void learnImports(Topology now, int node) {
    try {
      while (new ImportHistory(new Wire("n" + node), now, node, STORE)
          .learn(imports.gate(node))
          .isPresent()) {
        seams.sleep(Duration.ofMillis(50));
      }
    } catch (IOException e) {
      throw new SimulationFailure("Memory cannot be written: " + e.getMessage());
    }
  }

  /** A step on each node, one after another, as soon as it is up. */
  private void each(IntConsumer step) {
    int slowest = random.nextBoolean() ? 20_000_000 : 500_000;
    for (int id = 0; id < NODES; id++) {
      seams.sleep(Duration.ofNanos(1 + random.nextInt(slowest)));
      while (!links.isUp(id)) {
        seams.sleep(Duration.ofMillis(20));
      }
      step.accept(id);
    }
  }

  private void copy(Topology from, Topology to, int id) {
    while (true) {
      try {
        new TupleMove(seams, from, to, id, STORE).copy(new Wire("n" + id), engine(id), () -> false);
        return;
      } catch (IOException e) {
        seams.sleep(Duration.ofMillis(20));
      }
    }
  }

  /** The newest topology that any node knows. */
  Topology newest() {
    Topology best = topology;
    for (Topology seen : known.values()) {
      best = seen.version() > best.version() ? seen : best;
    }
    return best;
  }

  /** From now on nothing is lost and everybody is up. */
  public void quiet() {
    links.quiet();
  }

  /**
   * Returns a client. Either nodes inform it of the topology, or, as one of several clients within
   * a process, it learns of a new topology in the middle of its work.
   */
  public WritableStore client(String name) {
    AtomicReference<Topology> mine = new AtomicReference<>(newest());
    boolean alone = random.nextBoolean();
    Supplier<Topology> known = alone ? mine::get : this::newest;
    return new WritableStore(
        skewed(1), new Wire(name), known, version -> mine.set(newest()), STORE, 0);
  }

  /** One that reads all replicas, so that it also repairs what no quorum ever acknowledged. */
  public WritableStore thorough(String name) {
    long life = store(newest()).life();
    Topology all = newest().with(StoreDefinition.readWrite(STORE, 3, Map.of(), 3, 2).begun(life));
    return new WritableStore(seams, new Wire(name), () -> all, STORE, 0);
  }

  public int pushHints() {
    int delivered = 0;
    for (int id : slops.keySet()) {
      if (links.isUp(id)) {
        delivered += pushHints(id);
      }
    }
    return delivered;
  }

  int pushHints(int id) {
    return new HintPusher(
            seams, slops.getOrDefault(id, special), ages(id), network("n" + id), Duration.ZERO)
        .push(topology(id));
  }

  private ContentAges ages(int id) {
    return Objects.requireNonNull(ages.get(id));
  }

  /** Nodes forget what was deleted long ago, as they do now and then. */
  public int purge() {
    int gone = 0;
    for (int id = 0; id < NODES; id++) {
      Topology now = topology(id);
      if (links.isUp(id) && !moves.containsKey(id) && !refilling.contains(id)) {
        gone +=
            new TombstonePurge(network("n" + id), now, id, store(now), engine(id), ages(id)).run();
      }
    }
    return gone;
  }

  Topology topology(int id) {
    return known.getOrDefault(id, topology);
  }

  ReplicaNetwork network(String caller) {
    return new Wire(caller);
  }

  ReplicaAgreement agreement(int id) {
    Topology now = topology(id);
    return new ReplicaAgreement(now, id, store(now), engine(id));
  }

  /** A call over the network. */
  <T> T call(String caller, Node node, ReplicaLinks.Effect<T> effect) throws IOException {
    return links.call(caller, node, effect);
  }

  /** Delivers what a slop store keeps. */
  public int push(Engine slop) {
    return new HintPusher(seams, slop, ages(0), new Wire("n0"), Duration.ZERO).push(topology);
  }

  /** Nobody reaches a node for so long. */
  public void cutOff(int node, Duration length) {
    links.cutOff(node, length);
  }

  public boolean hasHints() {
    return slops.values().stream().anyMatch(slop -> !slop.entries(null, 1).isEmpty());
  }

  /** The network as one caller sees it. */
  private final class Wire implements ReplicaNetwork {
    private final String caller;

    Wire(String caller) {
      this.caller = caller;
    }

    @Override
    public List<VersionedValue> get(Node node, String store, Bytes key, long ring)
        throws IOException {
      return links.call(caller, node, id -> endpoint(id).get(store, key, ring));
    }

    @Override
    public boolean put(Node node, String store, Bytes key, VersionedValue fresh, long ring)
        throws IOException {
      return links.call(caller, node, id -> endpoint(id).put(store, key, fresh, ring));
    }

    @Override
    public boolean putFirst(Node master, String store, Bytes key, VersionedValue fresh, long ring)
        throws IOException {
      return links.call(caller, master, id -> endpoint(id).putFirst(store, key, fresh, ring));
    }

    @Override
    public boolean mirror(Node other, String store, Bytes key, VersionedValue fresh)
        throws IOException {
      return links.call(caller, other, id -> endpoint(id).mirrored(store, key, fresh));
    }

    @Override
    public List<Engine.Entry> entries(
        Node node, String store, @Nullable Bytes after, @Nullable Integer master)
        throws IOException {
      return links.call(
          caller,
          node,
          id -> {
            endpoint(id).requireWhole(store);
            return engine(id).counted(after, 100, master);
          });
    }

    @Override
    public boolean keepsHints(Node keeper, String store) throws IOException {
      return links.call(
          caller, keeper, id -> HintPusher.keepsAny(slops.getOrDefault(id, special), store));
    }

    @Override
    public ReplicaEntries rest(Node node, String store, @Nullable Bytes after) throws IOException {
      return links.call(
          caller,
          node,
          id -> new ReplicaEntries(!refilling.contains(id), engine(id).entries(after, 100)));
    }

    @Override
    public Bytes digest(Node other, String store, ReplicaAgreement.Span span) throws IOException {
      return links.call(caller, other, id -> agreement(id).digest(span));
    }

    @Override
    public Optional<ImportState> imported(Node node, String store) throws IOException {
      return links.call(caller, node, id -> imports.gate(id).state());
    }

    @Override
    public void hint(Node keeper, Hint hint, VersionedValue missed) throws IOException {
      links.call(
          caller,
          keeper,
          id -> {
            HintPusher.keep(slops.getOrDefault(id, special), hint, missed);
            return true;
          });
    }

    private ReplicaEndpoint endpoint(int id) {
      ReplicaEndpoint endpoint = endpoints.get(id);
      if (endpoint == null) {
        throw new SimulationFailure("There is no node " + id + ".");
      }
      return endpoint;
    }
  }
}
