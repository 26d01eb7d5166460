package io.braid.simulation;

import io.braid.core.data.Bytes;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.omid.rows.CommitEntries;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.workload.AppendWorkload;
import io.braid.simulation.workload.BankWorkload;
import io.braid.simulation.workload.Client;
import io.braid.simulation.workload.FastWorkload;
import io.braid.simulation.workload.Journal;
import io.braid.simulation.workload.Keys;
import io.braid.simulation.workload.MemberWorkload;
import io.braid.simulation.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Omid's protocol: several processes run regular transactions and those of the fast path, while
 * clients die in the middle of their commits and the transaction manager is lost and replaced. What
 * the fast path does is judged by the condition of section 2.2, all else as strong snapshot
 * isolation. Runs that are not to commit in one phase leave the fast path out.
 */
final class OmidScenario implements Scenario {
  private static final Duration WATERMARK_PERIOD = Duration.ofMillis(300);

  private final World world;
  private final Settings settings;
  private final OmidSettings omid;
  private final List<Workload> workloads;
  private final Fleet fleet;
  private final @Nullable FeedWatch feeds;
  private boolean ended;

  /**
   * @param feeds follows what is changed, if that is watched
   */
  OmidScenario(World world, Settings settings, @Nullable FeedWatch feeds) {
    this.feeds = feeds;
    this.world = world;
    this.settings = settings;
    SimRandom random = world.random().split();
    this.omid = OmidSettings.drawn(random, settings);
    this.workloads =
        List.of(
            new AppendWorkload(journal(), settings.slots()),
            new BankWorkload(journal(), settings.accounts()),
            new MemberWorkload(journal()),
            new FastWorkload(journal(), settings.slots(), world.options().onePhase()));
    this.fleet = new Fleet(world, settings, new OmidOpener(world, omid), this::follow, this::step);
  }

  private Journal journal() {
    return new Journal(world.scheduler()::now);
  }

  @Override
  public String settings() {
    return settings + "; " + omid;
  }

  @Override
  public int tablets() {
    return Stream.concat(
            AppendWorkload.TABLES.stream(),
            Stream.of(
                BankWorkload.TABLE, MemberWorkload.TABLE, FastWorkload.TABLE, CommitEntries.TABLE))
        .mapToInt(table -> world.memory().tablets(table).size())
        .min()
        .orElseThrow();
  }

  @Override
  public void run() {
    createTables();
    world.cluster().start();
    world.cluster().startManager(omid.cells(), world.tampering()::manager);
    fleet.await("the manager", world.cluster()::hasManager);
    visitFeeds("keep", (watch, node) -> watch.keep(node, tables()));
    fleet.visit("prepare", node -> {}, client -> workloads.forEach(w -> w.prepare(client)));
    fleet.start();
    if (!omid.watermark().isZero()) {
      world.cluster().keeper().start("watermark", this::raiseWatermark);
    }
    fleet.sleep(world.options().duration());
    fleet.stopClients();
    ended = true;
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
    tables.add(FastWorkload.TABLE);
    return tables;
  }

  private void createTables() {
    List<Bytes> splits = Keys.splits(settings.slots());
    AppendWorkload.TABLES.forEach(
        table -> world.cluster().createTable(table, List.of(AppendWorkload.FAMILY), splits));
    create(BankWorkload.TABLE, BankWorkload.FAMILY, settings.accounts());
    create(MemberWorkload.TABLE, MemberWorkload.FAMILY, MemberWorkload.SPACE);
    create(FastWorkload.TABLE, FastWorkload.FAMILY, settings.slots());
  }

  private void create(String table, String family, int keys) {
    world.cluster().createTable(table, List.of(family), Keys.splits(keys));
  }

  /** Whoever is below it is refused; entries of the commit table may go. */
  private void raiseWatermark() {
    while (!ended) {
      try {
        long now = world.cluster().oracle(world.cluster().keeper()).next();
        world.memory().raiseWatermark(Timestamp.before(now, omid.watermark()));
      } catch (TimestampUnavailableException e) {
        // The next round tries again.
      }
      world.cluster().keeper().seams().sleep(WATERMARK_PERIOD);
    }
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
