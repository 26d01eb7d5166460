package io.braid.percolator;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.braid.core.cells.Families;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.TableSchema;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * A store with two tables of eight tablets each, an oracle that counts, and processes that a test
 * begins and kills. Everything happens on the test's thread.
 *
 * <p>The store is in memory, or that of a {@link LabStore}. There tests are left out that need more
 * of it: that it crashes, or commits in one phase, whose versions come from a clock that others of
 * the same servers have raised beyond an oracle that counts from one.
 */
final class Lab {
  static final String TABLE = "t";
  private static final String[] CUTS = {"b", "c", "d", "e", "f", "g", "h"};
  static final Column<String> X = Column.of("f", "x", Codecs.utf8());
  static final Column<String> Y = Column.of("f", "y", Codecs.utf8());
  static final Column<Long> N = Column.of("f", "n", Codecs.int64());

  final Clocks clocks = new Clocks();
  final StepOracle oracle = new StepOracle();
  final CellStore base;
  final Intercepted store;
  final PercolatorOptions options;

  Lab(boolean onePhase) {
    this(
        PercolatorOptions.defaults()
            .onePhase(onePhase)
            .duties(new PercolatorOptions.Duties(0, Duration.ofSeconds(30), 0)));
  }

  Lab(PercolatorOptions options) {
    Optional<LabStore> other = ServiceLoader.load(LabStore.class).findFirst();
    assumeTrue(other.isEmpty() || !options.onePhase());
    this.options = options;
    List<TableSchema> tables =
        Stream.of(TABLE, "u").map(each -> Families.transactional(each, List.of("f", "g"))).toList();
    this.base = other.map(each -> each.open(tables, CUTS)).orElseGet(Lab::inMemory);
    this.store = new Intercepted(base);
    tables.forEach(base::ensureTable);
    long first = oracle.next();
    base.advanceClock(first);
    // A store of many servers learns with the first which tablets there are.
    base.advanceClock(first);
  }

  private static MemoryStore inMemory() {
    return new MemoryStore(
        MemoryOptions.defaults().reach(MemoryStore.Reach.TABLET).withLog().splitAt(CUTS));
  }

  /** The store, for tests of what only one in memory can do. */
  MemoryStore memory() {
    assumeTrue(base instanceof MemoryStore);
    return (MemoryStore) base;
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
    return FormatText.of(base, TABLE);
  }

  void kill(String process) {
    clocks.alive.remove(process);
  }
}
