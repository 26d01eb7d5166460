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
 * each, while all kinds of faults strike. Then the faults end, everything has to come to rest, and
 * all is read once more. A protocol adds workloads of its own.
 */
abstract class TransactionScenario implements Scenario {
  private final World world;
  private final List<Keyed> tables = new ArrayList<>();
  private final List<Workload> workloads = new ArrayList<>();
  private final Fleet fleet;
  private final @Nullable FeedWatch feeds;

  /**
   * A table that clients spread their keys over.
   *
   * @param keys how many
   */
  protected record Keyed(String table, String family, int keys) {}

  /**
   * @param feeds follows what is changed, if that is watched
   */
  TransactionScenario(World world, Settings settings, Opener opener, @Nullable FeedWatch feeds) {
    this.world = world;
    this.feeds = feeds;
    AppendWorkload.TABLES.forEach(
        table -> tables.add(new Keyed(table, AppendWorkload.FAMILY, settings.slots())));
    tables.add(new Keyed(BankWorkload.TABLE, BankWorkload.FAMILY, settings.accounts()));
    tables.add(new Keyed(MemberWorkload.TABLE, MemberWorkload.FAMILY, MemberWorkload.SPACE));
    workloads.add(new AppendWorkload(journal(world), settings.slots()));
    workloads.add(new BankWorkload(journal(world), settings.accounts()));
    workloads.add(new MemberWorkload(journal(world)));
    this.fleet = new Fleet(world, settings, opener, this::follow, this::step);
  }

  protected static Journal journal(World world) {
    return new Journal(world.scheduler()::now);
  }

  protected final World world() {
    return world;
  }

  protected final Fleet fleet() {
    return fleet;
  }

  protected final void add(Workload workload, Keyed table) {
    workloads.add(workload);
    tables.add(table);
  }

  /** Prepares what the protocol needs before clients begin. */
  protected void prepare() {}

  /** Starts the work that goes on beside the clients. */
  protected void accompany() {}

  /** The clients have stopped. */
  protected void settle() {}

  @Override
  public int tablets() {
    return names().mapToInt(table -> world.tablets(table)).min().orElseThrow();
  }

  /** The tables whose tablets count. */
  protected Stream<String> names() {
    return tables.stream().map(Keyed::table);
  }

  @Override
  public void run() {
    for (Keyed each : tables) {
      List<Bytes> splits = Keys.splits(each.keys());
      world.cluster().createTable(each.table(), List.of(each.family()), splits);
    }
    world.cluster().start();
    prepare();
    List<String> watched = tables.stream().map(Keyed::table).toList();
    visitFeeds("keep", (watch, node) -> watch.keep(node, watched));
    fleet.visit("prepare", node -> {}, client -> workloads.forEach(w -> w.prepare(client)));
    fleet.start();
    accompany();
    fleet.sleep(world.options().duration());
    fleet.stopClients();
    settle();
    if (feeds != null) {
      feeds.end();
    }
    fleet.close();
    fleet.sweep();
    visitFeeds("finish", FeedWatch::finish);
    fleet.visit("audit", node -> {}, client -> workloads.forEach(w -> w.audit(client)));
    world.probe().checkAtRest();
  }

  /** A process has its database open, and its clients are about to begin. */
  protected void joined(Node node) {}

  private void follow(Node node) {
    joined(node);
    if (feeds != null) {
      feeds.follow(node);
    }
  }

  private void visitFeeds(String name, BiConsumer<FeedWatch, Node> body) {
    if (feeds != null) {
      fleet.visit(name, node -> body.accept(feeds, node), client -> {});
    }
  }

  /** Takes one step of a client; called again and again. */
  protected void step(Client client) {
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
