package io.braid.simulation;

import io.braid.changes.feed.Change;
import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.ChangeFeed;
import io.braid.changes.feed.ChangeLogs;
import io.braid.changes.feed.Position;
import io.braid.core.cells.Families;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.time.TimestampOracle;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.TransactionException;
import io.braid.simulation.cluster.SimProcess;
import io.braid.simulation.probe.RecordBook;
import io.braid.simulation.probe.RecordBook.Commit;
import io.braid.simulation.schedule.SimRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Followers of the change feeds of all tables, one for each process and table, that keep positions
 * over crashes (Fault 88). Each feed must rise strictly, past what it said was resolved, and in the
 * end equal the commits of the table.
 */
final class FeedWatch {
  private static final Duration PAUSE = Duration.ofMillis(150);

  private final World world;
  private final RecordBook book;
  private final SimRandom random;
  private final Map<String, Follower> followers = new TreeMap<>();
  private final Map<String, Long> begun = new LinkedHashMap<>();
  private final List<String> wrong = new ArrayList<>();
  private boolean ended;

  /** The state of a follower, which outlives its processes. */
  private static final class Follower {
    final String table;
    Position position;
    final TreeSet<Commit> told = new TreeSet<>();

    Follower(String table, Position position) {
      this.table = table;
      this.position = position;
    }
  }

  FeedWatch(World world, RecordBook book) {
    this.world = world;
    this.book = book;
    this.random = world.random().split();
  }

  /** Has the changes of these tables kept; in a process that nothing happens to. */
  void keep(Node node, List<String> tables) {
    while (!isKept(node, tables)) {
      node.seams().sleep(PAUSE);
    }
  }

  /**
   * Returns whether the logs are kept now. The request fails while no oracle gives out timestamps.
   */
  private boolean isKept(Node node, List<String> tables) {
    try (ChangeLogs logs = open(node)) {
      for (String table : tables) {
        begun.put(table, logs.keep(table, Duration.ofDays(1)));
      }
      return true;
    } catch (StoreException | TimestampUnavailableException e) {
      return false;
    }
  }

  /** Follows in a process until it dies. */
  void follow(Node node) {
    node.seams().start("follower", () -> run(node, node.process().name().replaceAll("\\..*", "")));
  }

  private void run(Node node, String name) {
    while (!ended) {
      try (ChangeLogs logs = open(node)) {
        while (!ended) {
          for (String table : begun.keySet()) {
            step(logs, follower(name, table));
          }
          node.seams().sleep(Duration.ofNanos(random.around(PAUSE.toNanos())));
        }
      } catch (StoreException | TimestampUnavailableException | TransactionException e) {
        if (e instanceof TransactionException refusal
            && refusal.code() != ErrorCode.SNAPSHOT_TOO_OLD) {
          throw e;
        }
        node.seams().sleep(PAUSE);
      }
    }
  }

  private Follower follower(String name, String table) {
    return followers.computeIfAbsent(
        name + " " + table,
        each -> new Follower(table, Position.after(begun.getOrDefault(table, 0L))));
  }

  /** Reads on; whether all that is resolved was read. */
  private boolean step(ChangeLogs logs, Follower follower) {
    ChangeFeed feed = logs.feed(follower.table, follower.position);
    ChangeBatch batch = feed.next(1 + random.nextInt(30));
    for (Change change : batch.changes()) {
      if (change.position().compareTo(follower.position) <= 0
          || change.commit() > batch.resolved()) {
        wrong.add(
            "A feed of "
                + follower.table
                + " at "
                + follower.position
                + ", resolved to "
                + batch.resolved()
                + ", goes on with "
                + change);
      }
      follower.position = change.position();
      change
          .columns()
          .keySet()
          .forEach(column -> follower.told.add(new Commit(change.row(), column, change.commit())));
    }
    follower.position = batch.position();
    return batch.isEnd();
  }

  void end() {
    ended = true;
  }

  /** Reads all feeds to their ends; when everything is at rest. */
  void finish(Node node) {
    long until = now(node);
    try (ChangeLogs logs = open(node)) {
      begun.keySet().forEach(table -> follower("late", table));
      for (Follower follower : followers.values()) {
        while (follower.position.timestamp() < until) {
          if (tryStep(logs, follower)) {
            node.seams().sleep(PAUSE);
          }
        }
      }
    }
  }

  private long now(Node node) {
    TimestampOracle oracle = world.cluster().oracle(node.process());
    while (true) {
      try {
        return oracle.next();
      } catch (TimestampUnavailableException e) {
        node.seams().sleep(PAUSE);
      }
    }
  }

  /** Does a {@link #step}; returns whether to wait before the next one. */
  private boolean tryStep(ChangeLogs logs, Follower follower) {
    try {
      return step(logs, follower);
    } catch (StoreException | TimestampUnavailableException | TransactionException e) {
      if (e instanceof TransactionException refusal
          && refusal.code() != ErrorCode.SNAPSHOT_TOO_OLD) {
        throw e;
      }
      return true;
    }
  }

  private ChangeLogs open(Node node) {
    SimProcess process = node.process();
    return new ChangeLogs(
        node.store(),
        node.transactions(),
        world.cluster().oracle(process),
        process.seams(),
        table -> {});
  }

  List<String> judge() {
    List<String> all = new ArrayList<>(wrong);
    followers.forEach((name, follower) -> all.addAll(compare(name, follower)));
    return all;
  }

  private List<String> compare(String name, Follower follower) {
    String table = follower.table;
    List<String> families =
        world.memory().table(table).orElseThrow().families().stream()
            .map(TableSchema.FamilySchema::name)
            .filter(Families::isUsers)
            .toList();
    TreeSet<Commit> missing =
        book.commits(world.memory(), table, families, begun.getOrDefault(table, 0L));
    TreeSet<Commit> invented = new TreeSet<>(follower.told);
    invented.removeAll(missing);
    missing.removeAll(follower.told);
    List<String> found = new ArrayList<>();
    if (!missing.isEmpty()) {
      found.add(
          "Fault 88: the feed " + name + " misses " + missing.size() + ": " + missing.first());
    }
    if (!invented.isEmpty()) {
      found.add("Fault 88: the feed " + name + " invents " + invented.first());
    }
    return found;
  }

  /** Returns how many changes of columns the feeds reported. */
  long told() {
    return followers.values().stream().mapToLong(each -> each.told.size()).sum();
  }
}
