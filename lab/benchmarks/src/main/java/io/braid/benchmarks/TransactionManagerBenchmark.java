package io.braid.benchmarks;

import io.braid.core.cells.Families;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampOracle;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.TransactionManager;
import io.braid.omid.manager.TransactionManager.BegunTransaction;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import io.braid.testkit.MemoryStore;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The transaction manager alone, in this process: its cost in addition to the oracle's timestamps.
 */
final class TransactionManagerBenchmark {
  private static final double MANY_TIMESTAMPS = 2_000_000;
  private static final double MANY_BEGINS = 3_000_000;
  private static final double MANY_COMMITS = 1_000_000;
  private static final int WRITES = 3;

  private static final int OPEN = 256;
  private static final int CELLS = LocalTransactionManager.DEFAULT_CELLS;
  private static final int KEYS = 10_000_000;

  private int rounds;
  private long slice;

  /** The state of a thread. */
  private final class Worker {
    final WriteSet writes = new WriteSet();
    final ArrayDeque<BegunTransaction> begun = new ArrayDeque<>();
    final List<WriteSet> batch = Stream.generate(WriteSet::new).limit(OPEN).toList();
    final Verdict[] verdicts = new Verdict[OPEN];
    long granted;
  }

  private final ThreadLocal<Worker> worker = ThreadLocal.withInitial(Worker::new);

  /** Runs as a part of a larger benchmark. */
  void run(Report report, int someRounds, long millis) throws Exception {
    rounds = someRounds;
    slice = millis;
    for (int threads : List.of(1, 2)) {
      run(report, threads);
    }
  }

  private void run(Report report, int threads) throws Exception {
    MemoryStore store = new MemoryStore();
    store.ensureTable(Families.system());
    TimestampOracle oracle = new LocalOracle(new StoreTimestampBound(store), new SystemSeams());
    LocalTransactionManager manager = new LocalTransactionManager(oracle, CELLS);
    Comparison.Results figures =
        new Comparison(threads, rounds, slice)
            .add("timestamp", random -> oracle.next())
            .add("256 timestamps together", random -> oracle.next(OPEN))
            .add("begin and end", random -> manager.begin().close())
            .add("begin, many open", random -> beginAndHold(manager))
            .add("commit", random -> commit(manager, oracle.lastIssued(), random))
            .add("256 commits together", random -> commitTogether(manager, oracle, random))
            .add("begin and commit", random -> transact(manager, random))
            .run();
    for (Comparison.Figures each : figures.all().values()) {
      report.figure(
          each.name(),
          Map.of("threads", threads, "writes", WRITES, "open", OPEN, "cells", CELLS),
          each.median(),
          each.name().endsWith("together") ? "messages/s" : "1/s",
          "timestamp",
          figures.ratio(each.name(), "timestamp"));
    }
    if (threads == 2) {
      report.atLeast(
          "timestamps/s, batched",
          MANY_TIMESTAMPS,
          OPEN * figures.of("256 timestamps together").median());
      report.atLeast("begins/s in process", MANY_BEGINS, figures.of("begin, many open").median());
      report.atLeast("commits/s in process", MANY_COMMITS, figures.of("commit").median());
      report.atLeast(
          "commits/s in process, 256 together",
          MANY_COMMITS,
          OPEN * figures.of("256 commits together").median());
    }
  }

  /** Begins a transaction and ends the one that has been open for longest. */
  private void beginAndHold(TransactionManager manager) {
    Worker own = worker.get();
    own.begun.add(manager.begin());
    if (own.begun.size() > OPEN) {
      own.begun.remove().close();
    }
  }

  /** Commits transactions together, as they arrive from a socket. */
  private void commitTogether(
      LocalTransactionManager manager, TimestampOracle oracle, SplittableRandom random) {
    Worker own = worker.get();
    long start = oracle.lastIssued();
    for (WriteSet writes : own.batch) {
      fill(writes.reset(start), random);
    }
    manager.commitAll(own.batch, own.verdicts);
  }

  private void transact(TransactionManager manager, SplittableRandom random) {
    try (BegunTransaction begun = manager.begin()) {
      commit(manager, begun.timestamp(), random);
    }
  }

  private void commit(TransactionManager manager, long start, SplittableRandom random) {
    Worker own = worker.get();
    if (manager.commit(fill(own.writes.reset(start), random)) == Verdict.GRANTED) {
      own.granted++;
    }
  }

  private static WriteSet fill(WriteSet writes, SplittableRandom random) {
    writes.addTable(1);
    for (int i = 0; i < WRITES; i++) {
      writes.add(random.nextInt(KEYS) * 0x9E3779B97F4A7C15L);
    }
    return writes;
  }
}
