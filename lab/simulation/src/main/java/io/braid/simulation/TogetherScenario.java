package io.braid.simulation;

import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.transaction.Protocol;
import io.braid.groups.Groups;
import io.braid.groups.node.RemoteGroups;
import io.braid.observers.Observer;
import io.braid.observers.ObserverOptions;
import io.braid.observers.Observers;
import io.braid.serving.writable.MemoryEngine;
import io.braid.simulation.cluster.SimProcess;
import io.braid.simulation.probe.OwnershipWatch;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimulationFailure;
import io.braid.simulation.serving.ReplicaWorld;
import io.braid.simulation.serving.SetWorkload;
import io.braid.simulation.workload.AppendWorkload;
import io.braid.simulation.workload.BankWorkload;
import io.braid.simulation.workload.Client;
import io.braid.simulation.workload.FastWorkload;
import io.braid.simulation.workload.GroupJournal;
import io.braid.simulation.workload.GroupJournal.Look;
import io.braid.simulation.workload.GroupJudge;
import io.braid.simulation.workload.GroupPlayer;
import io.braid.simulation.workload.Journal;
import io.braid.simulation.workload.Keys;
import io.braid.simulation.workload.LoadClients;
import io.braid.simulation.workload.LoadJournal;
import io.braid.simulation.workload.MemberWorkload;
import io.braid.simulation.workload.Pipeline;
import io.braid.simulation.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything in one cluster: each process has the whole database open. Its clients run transactions
 * on tables of both protocols, and change what observers follow. They write and read rows while
 * these are loaded, and play in groups, whose nodes are processes of their own. Beside them clients
 * add to replicas of a read-write store. Every part is judged as in its own scenario.
 */
final class TogetherScenario implements Scenario {
  private static final Duration TICK = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(8);

  private final World world;
  private final Settings settings;
  private final OmidSettings omidSettings;
  private final GroupNodeSettings nodeSettings;
  private final ObserverOptions observerOptions;
  private final SimRandom random;
  private final OwnershipWatch watch;
  private final DatabaseOpener opener;
  private final Fleet fleet;
  private final List<Bound> tables = new ArrayList<>();
  private final List<Workload> workloads = new ArrayList<>();
  private final Pipeline pipeline;
  private final LoadJournal loads = new LoadJournal();
  private final LoadClients loadClients = new LoadClients(loads);
  private final Loader loader;
  private final GroupJournal games;
  private final GroupNodes nodes;
  private final GroupPlayer player;
  private final Map<Seams, Groups> groups = new IdentityHashMap<>();
  private final ReplicaWorld replicas;
  private final SetWorkload sets;
  private final List<String> wrong = new ArrayList<>();
  private @Nullable Look end;
  private boolean clientsOver;
  private boolean setsOver;
  private boolean over;

  /**
   * A table, and whose transactions write it.
   *
   * @param splits where its tablets begin
   */
  private record Bound(String table, String family, Protocol protocol, List<Bytes> splits) {}

  TogetherScenario(World world, Settings settings, OwnershipWatch watch) {
    this.world = world;
    this.settings = settings;
    this.watch = watch;
    this.random = world.random().split();
    this.omidSettings = OmidSettings.drawn(random.split(), settings, world.options());
    this.nodeSettings =
        GroupNodeSettings.drawn(random.split(), settings.transactions().durability());
    this.observerOptions = ObserverSettings.patient(ObserverSettings.drawn(random.split()));
    this.opener =
        new DatabaseOpener(
            world,
            settings,
            new BothSweeper(
                new PercolatorOpener(world, settings), new OmidOpener(world, omidSettings)));
    workloads.add(new AppendWorkload(journal(), settings.slots()));
    workloads.add(new BankWorkload(journal(), settings.accounts()));
    workloads.add(new MemberWorkload(journal()));
    workloads.add(new FastWorkload(journal(), settings.slots(), world.options().onePhase()));
    this.pipeline = new Pipeline(journal(), settings.slots());
    this.loader = new Loader(world, loads, random.split());
    this.games = new GroupJournal(world.scheduler()::now);
    this.nodes = new GroupNodes(world, nodeSettings, new PercolatorOpener(world, settings));
    this.player = new GroupPlayer(games, nodeSettings.keys(), nodes::names);
    this.fleet = new Fleet(world, settings, opener, this::opened, this::step);
    this.replicas =
        new ReplicaWorld(
            world.scheduler(),
            world.faults(),
            world.cluster().keeper(),
            () -> world.tampering().engine(new MemoryEngine()));
    this.sets = new SetWorkload(replicas, 1 + random.nextInt(3));
    watch.watch(GroupJournal.rows(nodeSettings.keys()), nodes::living);
    world.probe().loads(LoadJournal.TABLE);
    bindTables();
  }

  private Journal journal() {
    return new Journal(world.scheduler()::now);
  }

  /** Opens what cleans up after both protocols. */
  private record BothSweeper(Opener percolator, Opener omid) implements Opener {
    @Override
    public Node open(SimProcess process) {
      return percolator.open(process);
    }

    @Override
    public Node visit(SimProcess process) {
      return percolator.visit(process);
    }

    @Override
    public Node sweep(SimProcess process) {
      Node both = percolator.sweep(process);
      both.closeFirst(omid.sweep(process).transactions()::close);
      return both;
    }
  }

  @Override
  public String settings() {
    return settings + "; " + omidSettings + "; " + nodeSettings + "; of Omid: " + ofOmid();
  }

  private List<String> ofOmid() {
    return tables.stream()
        .filter(each -> each.protocol() == Protocol.OMID)
        .map(Bound::table)
        .toList();
  }

  @Override
  public int tablets() {
    return tables.stream()
        .map(Bound::table)
        .filter(table -> !table.equals(Pipeline.GROUPS))
        .mapToInt(table -> world.tablets(table))
        .min()
        .orElseThrow();
  }

  @Override
  public void run() {
    world.cluster().start();
    world.cluster().startManager(omidSettings.cells(), world.tampering()::manager);
    fleet.await("the manager", world.cluster()::hasManager);
    fleet.visit("prepare", this::create, this::prepare);
    nodes.start();
    fleet.start();
    world.cluster().keeper().start("watch", this::look);
    world.cluster().keeper().start("sets", this::addToSets);
    fleet.sleep(world.options().duration());
    nodes.leaveAlone();
    loader.stop();
    clientsOver = true;
    fleet.await("the sets", () -> setsOver);
    fleet.stopClients();
    fleet.await(
        "rows to become free", () -> watch.held().isEmpty() && GroupNodes.records(world).isEmpty());
    fleet.await("observers", () -> !world.probe().hasNotifications());
    over = true;
    fleet.await("the loader", () -> !loader.isWorking());
    fleet.close();
    nodes.close();
    fleet.await("group nodes", nodes::areDown);
    fleet.visit("last-load", loader::finish, client -> {});
    fleet.sweep();
    fleet.visit("audit", node -> {}, this::audit);
    world.probe().checkAtRest();
  }

  private void bindTables() {
    Protocol ofLists = drawn();
    AppendWorkload.TABLES.forEach(
        table -> bind(table, ofLists, AppendWorkload.FAMILY, Keys.splits(settings.slots())));
    bind(BankWorkload.TABLE, drawn(), BankWorkload.FAMILY, Keys.splits(settings.accounts()));
    bind(MemberWorkload.TABLE, drawn(), MemberWorkload.FAMILY, Keys.splits(MemberWorkload.SPACE));
    bind(FastWorkload.TABLE, Protocol.OMID, FastWorkload.FAMILY, Keys.splits(settings.slots()));
    Protocol ofPages = drawn();
    bind(Pipeline.TABLE, ofPages, Pipeline.FAMILY, Keys.splits(settings.slots()));
    bind(Pipeline.GROUPS, ofPages, Pipeline.FAMILY, List.of());
    bind(LoadJournal.TABLE, drawn(), LoadJournal.FAMILY, LoadJournal.splits());
    bind(
        GroupJournal.TABLE,
        Protocol.PERCOLATOR,
        GroupJournal.FAMILY,
        GroupJournal.splits(nodeSettings.keys()));
  }

  private Protocol drawn() {
    return random.nextBoolean() ? Protocol.OMID : Protocol.PERCOLATOR;
  }

  private void bind(String table, Protocol protocol, String family, List<Bytes> splits) {
    tables.add(new Bound(table, family, protocol, splits));
  }

  private void create(Node node) {
    Braid db = opener.of(node.transactions());
    for (Bound each : tables) {
      db.ensureTable(each.table(), each.protocol(), each.family());
      world.cluster().createTable(each.table(), List.of(each.family()), each.splits());
    }
  }

  private void prepare(Client client) {
    workloads.forEach(workload -> workload.prepare(client));
    player.prepare(client);
  }

  // In each process.

  private void opened(Node node) {
    RemoteGroups remote =
        RemoteGroups.connect(
            node.seams(), nodes.lines().of(node.process()), nodes.addresses(), PATIENCE);
    groups.put(node.seams(), remote);
    node.closeFirst(remote::close);
    Observers observers = ObserverScenario.open(node, observerOptions);
    node.closeFirst(observers::close);
    for (Observer observer : pipeline.observers(random.split())) {
      ObserverScenario.register(node, observers, observer);
    }
    observers.start();
    node.seams().start("loader", () -> loader.work(node));
  }

  private void step(Client client) {
    int kind = client.random().nextInt(workloads.size() + 3);
    if (kind < workloads.size()) {
      workloads.get(kind).step(client);
    } else if (kind == workloads.size()) {
      pipeline.step(client);
    } else if (kind == workloads.size() + 1) {
      loadClients.step(client);
    } else {
      player.step(client, Objects.requireNonNull(groups.get(client.seams())));
    }
  }

  // Beside them.

  private void look() {
    while (!over) {
      watch.check();
      fleet.sleep(TICK);
    }
  }

  private void addToSets() {
    sets.run(done -> !clientsOver, true, false);
    setsOver = true;
  }

  // At the end.

  private void audit(Client client) {
    workloads.forEach(workload -> workload.audit(client));
    wrong.addAll(pipeline.audit(client));
    loadClients.audit(client);
    end = player.audit(client);
  }

  @Override
  public List<String> judge() {
    Look last = end;
    if (last == null) {
      throw new SimulationFailure("Nobody has looked at the rows at the end.");
    }
    List<String> all = new ArrayList<>(wrong);
    Judgement judgement = new Judgement(world.probe());
    workloads.forEach(workload -> all.addAll(judgement.of(workload)));
    all.addAll(loads.judge(world.probe()::commitOf));
    all.addAll(GroupJudge.judge(games, last, nodeSettings.keys() * GroupJournal.FIRST_CHIPS));
    all.addAll(sets.wrong());
    return all;
  }

  @Override
  public Map<String, Long> operations() {
    Map<String, Long> operations = new LinkedHashMap<>();
    workloads.forEach(workload -> count(workload.name(), workload.journal(), operations));
    count("changes", pipeline.journal(), operations);
    operations.putAll(loads.counts());
    operations.putAll(games.counts());
    operations.put("holds", watch.taken());
    operations.put("ownership-checks", watch.checks());
    operations.putAll(sets.operations());
    operations.put("calls", replicas.calls());
    nodes.count(operations);
    world.probe().count(operations);
    return operations;
  }

  private static void count(String name, Journal journal, Map<String, Long> operations) {
    journal
        .counts()
        .forEach(
            (type, many) ->
                operations.put(name + "-" + type.name().toLowerCase(Locale.ROOT), many));
  }
}
