package io.braid.benchmarks;

import io.braid.core.cells.Families;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampOracle;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.TransactionManager;
import io.braid.omid.manager.TransactionManager.Begun;
import io.braid.omid.manager.WriteSet;
import io.braid.testkit.MemoryStore;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The transaction manager alone, in this process: what it adds to the oracle's timestamps. */
@Command(
    name = "tm",
    mixinStandardHelpOptions = true,
    description = "Begins and commits per second of the transaction manager in process.")
final class TransactionManagerBenchmark implements Callable<Integer> {
  private static final double MANY_BEGINS = 3_000_000;
  private static final double MANY_COMMITS = 1_000_000;
  private static final int WRITES = 3;

  @Option(names = "--rounds", description = "Counted rounds (default: ${DEFAULT-VALUE}).")
  int rounds = 5;

  @Option(names = "--slice", description = "Milliseconds of a case in a round.")
  long slice = 500;

  @Option(names = "--open", description = "Transactions that each thread keeps open.")
  int open = 256;

  @Option(names = "--cells", description = "Cells that the conflict map holds.")
  int cells = LocalTransactionManager.DEFAULT_CELLS;

  @Option(names = "--keys", description = "Different cells that are written.")
  int keys = 10_000_000;

  /** What a thread works with. */
  private final class Worker {
    final WriteSet writes = new WriteSet();
    final ArrayDeque<Begun> begun = new ArrayDeque<>();
    long granted;
  }

  private final ThreadLocal<Worker> worker = ThreadLocal.withInitial(Worker::new);

  @Override
  public Integer call() throws Exception {
    Report report = new Report("tm", System.out);
    for (int threads : List.of(1, 2)) {
      run(report, threads);
    }
    report.end();
    return 0;
  }

  private void run(Report report, int threads) throws Exception {
    MemoryStore store = new MemoryStore();
    store.ensureTable(Families.system());
    TimestampOracle oracle = new LocalOracle(new StoreTimestampBound(store), new SystemSeams());
    TransactionManager manager = new LocalTransactionManager(oracle, cells);
    Comparison.Results figures =
        new Comparison(threads, rounds, slice)
            .add("timestamp", random -> oracle.next())
            .add("begin and end", random -> manager.begin().close())
            .add("begin, many open", random -> beginAndHold(manager))
            .add("commit", random -> commit(manager, oracle.lastIssued(), random))
            .add("begin and commit", random -> transact(manager, random))
            .run();
    for (Comparison.Figures each : figures.all().values()) {
      report.figure(
          each.name(),
          Map.of("threads", threads, "writes", WRITES, "open", open, "cells", cells),
          each.median(),
          "1/s",
          "timestamp",
          figures.ratio(each.name(), "timestamp"));
    }
    if (threads == 2) {
      report.atLeast("begins/s", MANY_BEGINS, figures.of("begin, many open").median());
      report.atLeast("commits/s", MANY_COMMITS, figures.of("commit").median());
    }
  }

  /** Begins, and ends the one that has been open for longest. */
  private void beginAndHold(TransactionManager manager) {
    Worker own = worker.get();
    own.begun.add(manager.begin());
    if (own.begun.size() > open) {
      own.begun.remove().close();
    }
  }

  private void transact(TransactionManager manager, SplittableRandom random) {
    try (Begun begun = manager.begin()) {
      commit(manager, begun.timestamp(), random);
    }
  }

  private void commit(TransactionManager manager, long start, SplittableRandom random) {
    Worker own = worker.get();
    WriteSet writes = own.writes.reset(start).addTable(1);
    for (int i = 0; i < WRITES; i++) {
      writes.add(random.nextInt(keys) * 0x9E3779B97F4A7C15L);
    }
    if (manager.commit(writes) == TransactionManager.Verdict.GRANTED) {
      own.granted++;
    }
  }
}
