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
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
  private final @Nullable FeedWatch feeds;

  /**
   * @param feeds follows what is changed, if that is watched
   */
  PercolatorScenario(World world, Settings settings, @Nullable FeedWatch feeds) {
    this.feeds = feeds;
    this.world = world;
    this.settings = settings;
    this.workloads =
        List.of(
            new AppendWorkload(new Journal(world.scheduler()::now), settings.slots()),
            new BankWorkload(new Journal(world.scheduler()::now), settings.accounts()),
            new MemberWorkload(new Journal(world.scheduler()::now)));
    this.fleet =
        new Fleet(world, settings, new PercolatorOpener(world, settings), this::follow, this::step);
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
    visitFeeds("keep", (watch, node) -> watch.keep(node, tables()));
    fleet.visit("prepare", node -> {}, client -> workloads.forEach(w -> w.prepare(client)));
    fleet.start();
    fleet.sleep(world.options().duration());
    fleet.stopClients();
    if (feeds != null) {
      feeds.end();
    }
    fleet.close();
    fleet.sweep();
    visitFeeds("finish", FeedWatch::finish);
    fleet.visit("audit", node -> {}, client -> workloads.forEach(w -> w.audit(client)));
    world.probe().checkAtRest();
  }

  private void follow(Node node) {
    if (feeds != null) {
      feeds.follow(node);
    }
  }

  private void visitFeeds(String name, BiConsumer<FeedWatch, Node> body) {
    if (feeds != null) {
      fleet.visit(name, node -> body.accept(feeds, node), client -> {});
    }
  }

  private List<String> tables() {
    List<String> tables = new ArrayList<>(AppendWorkload.TABLES);
    tables.add(BankWorkload.TABLE);
    tables.add(MemberWorkload.TABLE);
    return tables;
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
    if (feeds != null) {
      wrong.addAll(feeds.judge());
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
    if (feeds != null) {
      operations.put("told", feeds.told());
    }
    world.probe().count(operations);
    return operations;
  }
}
