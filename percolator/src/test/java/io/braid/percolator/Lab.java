package io.braid.percolator;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A store in memory with two tables of eight tablets each, an oracle that counts, and processes
 * that a test begins and kills. Everything happens on the test's thread.
 */
final class Lab {
  static final String TABLE = "t";
  static final Column<String> X = Column.of("f", "x", Codecs.utf8());
  static final Column<String> Y = Column.of("f", "y", Codecs.utf8());
  static final Column<Long> N = Column.of("f", "n", Codecs.int64());

  final Clocks clocks = new Clocks();
  final StepOracle oracle = new StepOracle();
  final MemoryStore memory =
      new MemoryStore(
          MemoryOptions.defaults()
              .reach(MemoryStore.Reach.TABLET)
              .withLog()
              .splitAt("b", "c", "d", "e", "f", "g", "h"));
  final Intercepted store = new Intercepted(memory);
  final PercolatorOptions options;

  Lab(boolean onePhase) {
    this(
        PercolatorOptions.defaults()
            .onePhase(onePhase)
            .duties(new PercolatorOptions.Duties(0, Duration.ofSeconds(30), 0)));
  }

  Lab(PercolatorOptions options) {
    this.options = options;
    for (String table : List.of(TABLE, "u")) {
      memory.ensureTable(Families.transactional(table, List.of("f", "g")));
    }
    memory.advanceClock(oracle.next());
  }

  static Row row(String key) {
    return Row.of(TABLE, key);
  }

  ManualSeams seams(String process) {
    return new ManualSeams(clocks, process);
  }

  PercolatorTransactions process(String name) {
    return process(seams(name));
  }

  PercolatorTransactions process(ManualSeams seams) {
    return process(seams, options);
  }

  PercolatorTransactions process(ManualSeams seams, PercolatorOptions own) {
    return new PercolatorTransactions(store, oracle, seams, own);
  }

  /** Commits one value in each of some rows. */
  static long write(PercolatorTransactions transactions, String value, String... keys) {
    Transaction tx = transactions.begin();
    for (String key : keys) {
      tx.set(row(key), X, value);
    }
    return tx.commit();
  }

  /** Commits, and dies on the way. */
  static void die(Transaction tx) {
    assertThatThrownBy(tx::commit).isInstanceOf(Intercepted.Crash.class);
  }

  static Optional<String> read(PercolatorTransactions transactions, String key) {
    try (Snapshot snapshot = transactions.snapshot()) {
      return snapshot.get(row(key), X);
    }
  }

  List<String> cells() {
    return FormatText.of(memory, TABLE);
  }

  void kill(String process) {
    clocks.alive.remove(process);
  }
}
