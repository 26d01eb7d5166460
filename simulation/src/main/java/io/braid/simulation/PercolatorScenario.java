package io.braid.simulation;

import io.braid.core.data.Bytes;
import io.braid.simulation.workload.AppendWorkload;
import io.braid.simulation.workload.BankWorkload;
import io.braid.simulation.workload.Client;
import io.braid.simulation.workload.Journal;
import io.braid.simulation.workload.Keys;
import io.braid.simulation.workload.MemberWorkload;
import io.braid.simulation.workload.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Several processes run transactions on lists, accounts and a set, over at least eight tablets
 * each, while whatever can go wrong does. Then nothing goes wrong any more, everything has to come
 * to rest, and all is read once more.
 */
final class PercolatorScenario implements Scenario {
  private final World world;
  private final Settings settings;
  private final List<Workload> workloads;
  private final Fleet fleet;

  PercolatorScenario(World world, Settings settings) {
    this.world = world;
    this.settings = settings;
    this.workloads =
        List.of(
            new AppendWorkload(new Journal(world.scheduler()::now), settings.slots()),
            new BankWorkload(new Journal(world.scheduler()::now), settings.accounts()),
            new MemberWorkload(new Journal(world.scheduler()::now)));
    this.fleet =
        new Fleet(world, settings, new PercolatorOpener(world, settings), node -> {}, this::step);
  }

  @Override
  public String settings() {
    return settings.toString();
  }

  @Override
  public int tablets() {
    return Stream.concat(
            AppendWorkload.TABLES.stream(), Stream.of(BankWorkload.TABLE, MemberWorkload.TABLE))
        .mapToInt(table -> world.memory().tablets(table).size())
        .min()
        .orElseThrow();
  }

  @Override
  public void run() {
    createTables();
    world.cluster().start();
    fleet.visit("prepare", node -> {}, client -> workloads.forEach(w -> w.prepare(client)));
    fleet.start();
    fleet.sleep(world.options().duration());
    fleet.stopClients();
    fleet.close();
    fleet.sweep();
    fleet.visit("audit", node -> {}, client -> workloads.forEach(w -> w.audit(client)));
    world.probe().checkAtRest();
  }

  private void createTables() {
    List<Bytes> splits = Keys.splits(settings.slots());
    AppendWorkload.TABLES.forEach(
        table -> world.cluster().createTable(table, List.of(AppendWorkload.FAMILY), splits));
    world
        .cluster()
        .createTable(
            BankWorkload.TABLE, List.of(BankWorkload.FAMILY), Keys.splits(settings.accounts()));
    world
        .cluster()
        .createTable(
            MemberWorkload.TABLE,
            List.of(MemberWorkload.FAMILY),
            Keys.splits(MemberWorkload.SPACE));
  }

  private void step(Client client) {
    workloads.get(client.random().nextInt(workloads.size())).step(client);
  }

  @Override
  public List<String> judge() {
    Judgement judgement = new Judgement(world.probe());
    List<String> wrong = new ArrayList<>();
    for (Workload workload : workloads) {
      wrong.addAll(judgement.of(workload));
    }
    return wrong;
  }

  @Override
  public Map<String, Long> operations() {
    Map<String, Long> operations = new LinkedHashMap<>();
    for (Workload workload : workloads) {
      workload
          .journal()
          .counts()
          .forEach(
              (type, count) ->
                  operations.put(
                      workload.name() + "-" + type.name().toLowerCase(Locale.ROOT), count));
    }
    operations.put("conflicts", workloads.stream().mapToLong(w -> w.journal().conflicts()).sum());
    operations.put("too-old", workloads.stream().mapToLong(w -> w.journal().tooOld()).sum());
    world.probe().count(operations);
    return operations;
  }
}
