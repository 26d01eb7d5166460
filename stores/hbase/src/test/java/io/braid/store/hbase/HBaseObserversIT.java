package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.Snapshot;
import io.braid.observers.Observer;
import io.braid.observers.ObserverOptions;
import io.braid.observers.Observers;
import io.braid.percolator.PercolatorTransactions;
import io.braid.percolator.context.PercolatorOptions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fault 29, over HBase: two workers that share the rows, while regions are cut under them. */
@Timeout(120)
class HBaseObserversIT {
  private static final String TABLE = "observed";
  private static final Column<Long> CHANGED = Column.of("f", "changed", Codecs.int64());
  private static final Column<Long> SEEN = Column.of("f", "seen", Codecs.int64());
  private static final Column<Long> RUNS = Column.of("f", "runs", Codecs.int64());
  private static final int ROWS = 40;
  private static final int ROUNDS = 5;

  @Test
  void everyChangeIsFollowedByARunAndAtMostOneCommits() throws Exception {
    HBaseOptions options = HBaseOptions.DEFAULT.withNamespace("observers");
    try (HBaseStore store = HBaseStore.connect(LocalCluster.configuration(), options)) {
      store.ensureTable(Families.system());
      store.ensureTable(Families.transactional(TABLE, List.of("f")));
      TimestampOracle oracle = new LocalOracle(new StoreTimestampBound(store), new SystemSeams());
      AdvisoryLocks locks = new SystemSeams().locks();
      store.advanceClock(oracle.next());
      try (Worker one = new Worker(store, oracle, locks);
          Worker two = new Worker(store, oracle, locks)) {
        for (long round = 1; round <= ROUNDS; round++) {
          change(round % 2 == 0 ? one : two, round);
          store.splitTablet(TABLE, Bytes.of("row" + (10 + 5 * round)));
          store.advanceClock(oracle.next());
        }
        assertThat(one.observers.awaitIdle(Duration.ofMinutes(1))).isTrue();
        assertThat(two.observers.awaitIdle(Duration.ofMinutes(1))).isTrue();
        check(one);
      }
      try (RowScanner left =
          store.scan(ScanRequest.of(TABLE, KeyRange.ALL, Selection.family(Families.NOTIFY)))) {
        assertThat(left.next()).isNull();
      }
      assertThat(store.tablets(TABLE)).hasSizeGreaterThan(1);
    }
  }

  private static Row row(int i) {
    return Row.of(TABLE, "row" + (10 + i));
  }

  private static void change(Worker by, long round) {
    for (int i = 0; i < ROWS; i++) {
      Row row = row(i);
      by.transactions.run(
          tx -> {
            tx.set(row, CHANGED, round);
            return true;
          });
    }
  }

  private static void check(Worker by) {
    try (Snapshot now = by.transactions.snapshot()) {
      for (int i = 0; i < ROWS; i++) {
        assertThat(now.get(row(i), SEEN)).as("%s", row(i)).hasValue((long) ROUNDS);
        assertThat(now.get(row(i), RUNS).orElse(0L)).as("%s", row(i)).isBetween(1L, (long) ROUNDS);
      }
    }
  }

  private record Alive(String token) implements Liveness {
    @Override
    public boolean isAlive(String other) {
      return true;
    }
  }

  /** As in a process of its own. */
  private static final class Worker implements AutoCloseable {
    final PercolatorTransactions transactions;
    final Observers observers;

    Worker(HBaseStore store, TimestampOracle oracle, AdvisoryLocks locks) {
      SystemSeams seams = new SystemSeams(new Alive(UUID.randomUUID().toString()), locks);
      transactions = new PercolatorTransactions(store, oracle, seams, PercolatorOptions.defaults());
      observers =
          new Observers(
              store,
              transactions,
              seams,
              ObserverOptions.defaults().scanInterval(Duration.ofMillis(50)));
      observers.register(
          Observer.of(
              "see",
              TABLE,
              CHANGED,
              (tx, row) -> {
                tx.set(row, SEEN, tx.get(row, CHANGED).orElse(0L));
                tx.set(row, RUNS, tx.get(row, RUNS).orElse(0L) + 1);
              }));
      observers.start();
    }

    @Override
    public void close() {
      observers.close();
      transactions.close();
    }
  }
}
