package io.braid.simulation;

import io.braid.core.runtime.Seams;
import io.braid.groups.Groups;
import io.braid.groups.node.RemoteGroups;
import io.braid.simulation.probe.OwnershipWatch;
import io.braid.simulation.schedule.SimulationFailure;
import io.braid.simulation.workload.Client;
import io.braid.simulation.workload.GroupJournal;
import io.braid.simulation.workload.GroupJournal.Look;
import io.braid.simulation.workload.GroupJudge;
import io.braid.simulation.workload.GroupPlayer;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Group nodes and their clients, each in a process of its own, over a store: the real code of both
 * sides, above the rows (Faults 36 to 41). While everything goes wrong it is watched that no row
 * has two owners; then every row has to become free; then the histories are judged.
 */
final class GroupNodeScenario implements Scenario {
  private static final Duration TICK = Duration.ofMillis(20);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(8);

  private final World world;
  private final Settings settings;
  private final GroupNodeSettings nodeSettings;
  private final OwnershipWatch watch;
  private final GroupJournal journal;
  private final GroupNodes nodes;
  private final GroupPlayer player;
  private final Fleet fleet;
  private final Map<Seams, Groups> groups = new IdentityHashMap<>();
  private @Nullable Look end;
  private boolean over;

  GroupNodeScenario(World world, Settings settings, OwnershipWatch watch) {
    this.world = world;
    this.settings = settings;
    this.nodeSettings =
        GroupNodeSettings.drawn(world.random().split(), settings.transactions().durability());
    this.watch = watch;
    this.journal = new GroupJournal(world.scheduler()::now);
    Opener opener = new PercolatorOpener(world, settings);
    this.nodes = new GroupNodes(world, nodeSettings, opener);
    this.player = new GroupPlayer(journal, nodeSettings.keys(), nodes::names);
    this.fleet = new Fleet(world, settings, opener, this::connect, this::step);
    watch.watch(GroupJournal.rows(nodeSettings.keys()), nodes::living);
  }

  @Override
  public String settings() {
    return settings + "; " + nodeSettings;
  }

  @Override
  public int tablets() {
    return world.tablets(GroupJournal.TABLE);
  }

  @Override
  public void run() {
    world
        .cluster()
        .createTable(
            GroupJournal.TABLE,
            List.of(GroupJournal.FAMILY),
            GroupJournal.splits(nodeSettings.keys()));
    world.cluster().start();
    fleet.visit("prepare", node -> {}, player::prepare);
    nodes.start();
    fleet.start();
    world.cluster().keeper().start("watch", this::look);
    fleet.sleep(world.options().duration());
    nodes.leaveAlone();
    fleet.stopClients();
    fleet.await(this::notFree, () -> watch.held().isEmpty() && GroupNodes.records(world).isEmpty());
    over = true;
    fleet.close();
    nodes.close();
    fleet.await("group nodes", nodes::areDown);
    fleet.sweep();
    fleet.visit("audit", node -> {}, client -> end = player.audit(client));
    world.probe().checkAtRest();
  }

  private String notFree() {
    return "rows to become free: " + watch.held() + ", groups " + GroupNodes.records(world);
  }

  private void look() {
    while (!over) {
      watch.check();
      fleet.sleep(TICK);
    }
  }

  private void connect(Node node) {
    RemoteGroups remote =
        RemoteGroups.connect(
            node.seams(), nodes.lines().of(node.process()), nodes.addresses(), PATIENCE);
    groups.put(node.seams(), remote);
    node.closeFirst(remote::close);
  }

  private void step(Client client) {
    player.step(client, Objects.requireNonNull(groups.get(client.seams())));
  }

  @Override
  public List<String> judge() {
    Look last = end;
    if (last == null) {
      throw new SimulationFailure("Nobody has looked at the rows at the end.");
    }
    return GroupJudge.judge(journal, last, nodeSettings.keys() * GroupJournal.FIRST_CHIPS);
  }

  @Override
  public Map<String, Long> operations() {
    Map<String, Long> operations = new LinkedHashMap<>(journal.counts());
    operations.put("holds", watch.taken());
    operations.put("ownership-checks", watch.checks());
    nodes.count(operations);
    world.probe().count(operations);
    return operations;
  }
}
