package io.braid.percolator;

import static io.braid.percolator.Lab.TABLE;
import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.Y;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.BlockedByTransactionException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.CommitRow;
import io.braid.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Scans: what they show of a snapshot, of one's own writes, and past the intents of others. */
class ScanTest {
  private static final Scan ALL = Scan.of(TABLE).family("f");

  private static List<String> keys(Snapshot snapshot, Scan scan) {
    try (RowCursor cursor = snapshot.scan(scan)) {
      return cursor.stream().map(values -> values.row().key().toString()).toList();
    }
  }

  @Test
  void aScanNamesWhatItWants() {
    Snapshot snapshot = new Lab(true).process("p").snapshot();
    assertThatThrownBy(() -> snapshot.scan(Scan.of(TABLE)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void rangePrefixColumnAndLimitNarrowAScan() {
    PercolatorTransactions transactions = new Lab(true).process("p");
    Transaction tx = transactions.begin();
    for (String key : List.of("a", "b1", "b2", "b3", "h")) {
      tx.set(row(key), X, key);
    }
    tx.set(row("c"), Y, "only y");
    tx.commit();
    Snapshot now = transactions.snapshot();
    assertThat(keys(now, ALL)).containsExactly("a", "b1", "b2", "b3", "c", "h");
    assertThat(keys(now, ALL.prefix("b"))).containsExactly("b1", "b2", "b3");
    assertThat(keys(now, ALL.limit(2))).containsExactly("a", "b1");
    assertThat(keys(now, ALL.limit(0))).isEmpty();
    assertThat(keys(now, Scan.of(TABLE).column(Y))).containsExactly("c");
    assertThat(keys(now, ALL.range(new KeyRange(Bytes.of("b2"), Bytes.of("h")))))
        .containsExactly("b2", "b3", "c");
  }

  @Test
  void aScanOfATransactionWithALimitCountsWhatItShows() {
    PercolatorTransactions transactions = new Lab(true).process("p");
    Lab.write(transactions, "1", "a", "b", "c", "d");
    Transaction tx = transactions.begin();
    tx.delete(row("a"), X);
    tx.delete(row("b"), X);
    tx.set(row("ba"), X, "own");
    assertThat(keys(tx, ALL.limit(2))).containsExactly("ba", "c");
    assertThat(keys(transactions.snapshot(), ALL.limit(2))).containsExactly("a", "b");
  }

  @Test
  void writesAheadOfAScanShowInIt() {
    PercolatorTransactions transactions = new Lab(true).process("p");
    Lab.write(transactions, "1", "a", "c");
    Transaction tx = transactions.begin();
    List<String> seen = new ArrayList<>();
    try (RowCursor cursor = tx.scan(ALL)) {
      while (cursor.hasNext()) {
        seen.add(cursor.next().row().key().toString());
        if (seen.size() == 1) {
          tx.set(row("b"), X, "ahead");
          tx.set(row("A"), X, "behind");
        }
      }
    }
    assertThat(seen).containsExactly("a", "b", "c");
  }

  /** Fault 18: blocked rows are resolved in one batch; nothing else of the scan waits. */
  @Test
  void aScanResolvesWhatCrashedWritersLeft() {
    Lab lab = new Lab(false);
    PercolatorTransactions dead = lab.process("dead");
    Lab.write(dead, "old", "a", "b", "c", "d", "e");
    Transaction committed = dead.begin();
    committed.set(row("a"), X, "new");
    committed.set(row("b"), X, "new");
    committed.set(row("bb"), X, "new");
    lab.store.fateOf(CommitRow.INSTANCE, 1, Fate.CRASH);
    Lab.die(committed);
    Transaction undecided = dead.begin();
    undecided.set(row("c"), X, "never");
    undecided.set(row("dd"), X, "never");
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    Lab.die(undecided);
    lab.store.heal();
    lab.kill("dead");
    Map<String, String> seen = new LinkedHashMap<>();
    try (RowCursor cursor = lab.process("p").snapshot().scan(ALL)) {
      cursor.stream().forEach(v -> seen.put(v.row().key().toString(), v.get(X).orElseThrow()));
    }
    assertThat(seen)
        .containsExactly(
            Map.entry("a", "new"),
            Map.entry("b", "new"),
            Map.entry("bb", "new"),
            Map.entry("c", "old"),
            Map.entry("d", "old"),
            Map.entry("e", "old"));
  }

  /** A call that failed may be made again: no row is passed over that was not shown. */
  @Test
  void aScanThatWasBlockedGoesOnWhereItWas() {
    Lab lab = new Lab(false);
    PercolatorTransactions writer = lab.process("writer");
    Lab.write(writer, "old", "a", "b", "c");
    Transaction tx = writer.begin();
    tx.set(row("b"), X, "new");
    tx.set(row("h"), X, "new");
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    Lab.die(tx);
    lab.store.heal();
    PercolatorTransactions reader =
        lab.process(lab.seams("reader"), lab.options.readWait(Duration.ZERO));
    Snapshot now = reader.snapshot();
    try (RowCursor cursor = now.scan(ALL)) {
      assertThatThrownBy(cursor::hasNext).isInstanceOf(BlockedByTransactionException.class);
      lab.kill("writer");
      assertThat(cursor.stream().map(values -> values.row().key().toString()).toList())
          .containsExactly("a", "b", "c");
    }
  }

  /** What a closed snapshot would have needed may be collected. */
  @Test
  void aScanEndsWithItsSnapshot() {
    PercolatorTransactions transactions = new Lab(true).process("p");
    Lab.write(transactions, "1", "a", "b");
    Transaction tx = transactions.begin();
    Snapshot snapshot = transactions.snapshot();
    for (Snapshot each : List.of(snapshot, tx)) {
      RowCursor cursor = each.scan(ALL);
      cursor.next();
      each.close();
      assertThatThrownBy(cursor::hasNext).isInstanceOf(IllegalStateException.class);
      cursor.close();
    }
  }

  /** A call that failed may be made again, also when the store was away in the middle of a scan. */
  @Test
  void aScanThatTheStoreBrokeOffGoesOnWhereItWas() {
    Lab lab = new Lab(true);
    Lab.write(lab.process("p"), "1", "a", "b", "c");
    AtomicInteger rows = new AtomicInteger();
    AtomicBoolean away = new AtomicBoolean();
    CellStore flaky =
        new ForwardingStore(lab.base) {
          @Override
          public RowScanner scan(ScanRequest request) {
            RowScanner scanner = super.scan(request);
            return new RowScanner() {
              @Override
              public @Nullable RowCells next() {
                if (rows.getAndIncrement() == 2) {
                  away.set(true);
                }
                if (away.get()) {
                  throw new TabletUnavailableException("away");
                }
                return scanner.next();
              }

              @Override
              public void close() {
                scanner.close();
              }
            };
          }
        };
    PercolatorTransactions reader =
        new PercolatorTransactions(flaky, lab.oracle, lab.seams("reader"), lab.options);
    try (RowCursor cursor = reader.snapshot().scan(ALL)) {
      assertThatThrownBy(cursor::hasNext).isInstanceOf(TabletUnavailableException.class);
      away.set(false);
      assertThat(cursor.stream().map(values -> values.row().key().toString()).toList())
          .containsExactly("a", "b", "c");
    }
  }

  /** Against a model: random commits, deletions, locks and large values, read at random times. */
  @Test
  void scansAndReadsAgreeWithAModel() {
    Seeds.each(10, seed -> new Model(seed).run());
  }

  /** What should be there, kept beside what is. */
  private static final class Model {
    private final RandomGenerator random;
    private final Lab lab;
    private final PercolatorTransactions transactions;
    private final TreeMap<Long, SortedMap<Row, SortedMap<ColumnName, String>>> history =
        new TreeMap<>();

    Model(long seed) {
      random = Seeds.random(seed);
      PercolatorOptions options = new Lab(seed % 2 == 0).options.smallValueBytes(4);
      lab = new Lab(options);
      transactions = lab.process("p");
      history.put(0L, new TreeMap<>());
    }

    void run() {
      for (int i = 0; i < 120; i++) {
        transact();
        long at = random.nextInt(3) == 0 ? someTime() : transactions.snapshot().timestamp();
        try (Snapshot snapshot = transactions.snapshotAt(at)) {
          compare(snapshot, history.floorEntry(at).getValue());
        }
      }
    }

    private long someTime() {
      List<Long> times = new ArrayList<>(history.keySet());
      return times.get(random.nextInt(times.size()));
    }

    private void transact() {
      try (Transaction tx = transactions.begin()) {
        SortedMap<Row, SortedMap<ColumnName, String>> state = copy(history.lastEntry().getValue());
        for (int n = random.nextInt(1, 8); n > 0; n--) {
          write(tx, state);
        }
        compare(tx, state);
        if (random.nextInt(4) != 0) {
          history.put(tx.commit(), state);
        }
      }
    }

    private void write(Transaction tx, SortedMap<Row, SortedMap<ColumnName, String>> state) {
      Row row = someRow();
      Column<String> column = someColumn();
      SortedMap<ColumnName, String> values = state.computeIfAbsent(row, r -> new TreeMap<>());
      switch (random.nextInt(5)) {
        case 0 -> {
          tx.delete(row, column);
          values.remove(column.name());
        }
        case 1 -> tx.lock(row, column);
        default -> {
          String value = "v".repeat(random.nextInt(1, 9)) + random.nextInt(100);
          tx.set(row, column, value);
          values.put(column.name(), value);
        }
      }
      if (values.isEmpty()) {
        state.remove(row);
      }
    }

    private Row someRow() {
      return row(String.valueOf((char) ('a' + random.nextInt(9))) + random.nextInt(3));
    }

    private Column<String> someColumn() {
      return Column.of(
          random.nextBoolean() ? "f" : "g", random.nextBoolean() ? "x" : "xx", Codecs.utf8());
    }

    private void compare(Snapshot snapshot, SortedMap<Row, SortedMap<ColumnName, String>> state) {
      Bytes from = Bytes.of(String.valueOf((char) ('a' + random.nextInt(9))));
      KeyRange range = new KeyRange(from, random.nextBoolean() ? null : Bytes.of("g1"));
      long limit = random.nextInt(3) == 0 ? random.nextInt(6) : Long.MAX_VALUE;
      Scan scan = Scan.of(TABLE).range(range).limit(limit);
      Column<String> single = someColumn();
      scan =
          switch (random.nextInt(3)) {
            case 0 -> scan.family("f").family("g");
            case 1 -> scan.column(single);
            default -> scan.family("g").column(single);
          };
      assertThat(scanned(snapshot, scan)).isEqualTo(expected(state, scan));
      Row row = someRow();
      assertThat(snapshot.get(row, single))
          .isEqualTo(
              Optional.ofNullable(state.getOrDefault(row, new TreeMap<>()).get(single.name())));
      assertThat(texts(snapshot.getRow(row, "f", "g")))
          .isEqualTo(state.getOrDefault(row, new TreeMap<>()));
    }

    private static List<Map.Entry<Row, SortedMap<ColumnName, String>>> scanned(
        Snapshot snapshot, Scan scan) {
      try (RowCursor cursor = snapshot.scan(scan)) {
        return cursor.stream().map(v -> Map.entry(v.row(), texts(v))).toList();
      }
    }

    private static List<Map.Entry<Row, SortedMap<ColumnName, String>>> expected(
        SortedMap<Row, SortedMap<ColumnName, String>> state, Scan scan) {
      List<Map.Entry<Row, SortedMap<ColumnName, String>>> rows = new ArrayList<>();
      state.forEach(
          (row, values) -> {
            SortedMap<ColumnName, String> wanted = new TreeMap<>(values);
            wanted
                .keySet()
                .removeIf(
                    c -> !scan.families().contains(c.family()) && !scan.columns().contains(c));
            if (!wanted.isEmpty()
                && scan.range().contains(row.key())
                && rows.size() < scan.limit()) {
              rows.add(Map.entry(row, wanted));
            }
          });
      return rows;
    }

    private static SortedMap<ColumnName, String> texts(RowValues values) {
      SortedMap<ColumnName, String> texts = new TreeMap<>();
      values.values().forEach((column, value) -> texts.put(column, value.toUtf8()));
      return texts;
    }

    private static SortedMap<Row, SortedMap<ColumnName, String>> copy(
        SortedMap<Row, SortedMap<ColumnName, String>> state) {
      SortedMap<Row, SortedMap<ColumnName, String>> copy = new TreeMap<>();
      state.forEach((row, values) -> copy.put(row, new TreeMap<>(values)));
      return copy;
    }
  }
}
