package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.Durability;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.Snapshot;
import io.braid.percolator.PercolatorTransactions;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.percolator.garbage.CollectionReport;
import io.braid.percolator.garbage.CollectionRequest;
import io.braid.store.hbase.wire.HBaseNames;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Test;

/**
 * Faults 26 to 28 in compactions of a real HBase: a collection settles and is stopped before it
 * walks; what goes then went in a compaction.
 */
class CompactionIT {
  private static final String TABLE = "z";
  private static final Row ROW = Row.of(TABLE, "r");
  private static final Row LOGGED = Row.of("y", "r");
  private static final Column<String> SMALL = Column.of("f", "small", Codecs.utf8());
  private static final Column<Bytes> LARGE = Column.of("f", "large", Codecs.bytes());
  private static final Column<String> GONE = Column.of("f", "gone", Codecs.utf8());

  private static final Column<String> FREE = Column.of("f", "free", Codecs.utf8());

  private final HBaseOptions options = HBaseOptions.DEFAULT.withNamespace("compaction");
  private final Seams seams = new SystemSeams();

  @Test
  void compactionsLeaveOutWhatNobodyCanReadAndNothingElse() throws Exception {
    try (HBaseStore store = HBaseStore.connect(LocalCluster.configuration(), options);
        Connection hbase = ConnectionFactory.createConnection(LocalCluster.configuration());
        Admin admin = hbase.getAdmin()) {
      store.ensureTable(Families.system());
      store.ensureTable(Families.transactional("a", List.of("f")));
      store.ensureTable(Families.transactional(TABLE, List.of("f")));
      store.ensureTable(Families.transactional(LOGGED.table(), List.of("f")));
      TimestampOracle oracle = new LocalOracle(new StoreTimestampBound(store), seams);
      try (PercolatorTransactions transactions =
          new PercolatorTransactions(store, oracle, seams, PercolatorOptions.defaults())) {
        write(transactions, "one", true);
        flush(admin);
        write(transactions, "two", false);
        write(transactions, "three", false);
        writeLogged(store, transactions);
        long pinned = oracle.next();
        transactions.pin("report", pinned);
        write(transactions, "four", false);
        plantIntent(store, oracle.next());
        write(transactions, "five", false);

        CollectionReport report = settle(transactions);
        assertThat(report.horizon()).isLessThanOrEqualTo(pinned);
        assertThat(records(store, SMALL)).hasSize(5);

        List<Cell> kept = records(store, SMALL).subList(0, 3);
        compact(store, admin);
        await(() -> records(store, SMALL).size() == 3 && records(store, LARGE).size() == 3);
        assertThat(records(store, SMALL)).as("the newest at the pin, and later").isEqualTo(kept);
        assertThat(records(store, GONE)).as("no deletion that masks nothing").hasSize(2);
        assertMarkedStays(store, admin);
        String large = Families.large(LARGE.name()).family();
        if (cells(store, large).size() > 3) {
          // What leads to a large value went at the same time, or later.
          compact(store, admin);
          await(() -> cells(store, large).size() == 3);
        }
        await(() -> admin.getCompactionState(table()) == CompactionState.NONE);
        assertThat(cells(store, Families.INTENT)).as("the undecided intent").hasSize(1);
        try (Snapshot then = transactions.snapshotAt(pinned);
            Snapshot now = transactions.snapshot()) {
          assertThat(then.get(ROW, SMALL)).contains("three");
          assertThat(then.get(ROW, LARGE)).contains(large("three"));
          assertThat(now.get(ROW, SMALL)).contains("five");
          assertThat(now.get(ROW, LARGE)).contains(large("five"));
          assertThat(now.get(ROW, GONE)).isEmpty();
        }
      }
    }
  }

  private static void write(PercolatorTransactions transactions, String text, boolean gone) {
    transactions.run(
        tx -> {
          tx.set(ROW, SMALL, text);
          tx.set(ROW, LARGE, large(text));
          if (gone) {
            tx.set(ROW, GONE, text);
          } else {
            tx.delete(ROW, GONE);
          }
          return true;
        });
  }

  /** Two commits that the change log has yet to take over, and two that it has. */
  private static void writeLogged(HBaseStore store, PercolatorTransactions transactions) {
    store.ensureTable(
        new TableSchema(LOGGED.table(), List.of(new FamilySchema(Families.CHANGES, Kind.SPARSE))));
    for (String text : List.of("one", "two")) {
      transactions.run(
          tx -> {
            tx.set(LOGGED, SMALL, text);
            tx.set(LOGGED, FREE, text);
            return true;
          });
    }
    for (Cell taken : store.read(RowRead.of(LOGGED, change(FREE))).cells()) {
      store.write(
          List.of(RowWrite.remove(LOGGED, taken.column(), taken.version())), Durability.BUFFERED);
    }
  }

  private static Selection change(Column<?> column) {
    return Selection.column(Families.change(column.name()));
  }

  private void assertMarkedStays(HBaseStore store, Admin admin) throws Exception {
    admin.flush(TableName.valueOf(options.namespace(), HBaseNames.table(LOGGED.table())));
    store.reclaim(LOGGED.table(), KeyRange.ALL);
    await(() -> store.read(RowRead.of(LOGGED, Selection.column(FREE.name()))).cells().size() == 1);

    assertThat(store.read(RowRead.of(LOGGED, Selection.column(SMALL.name()))).cells())
        .as("records that the change log awaits")
        .hasSize(2);
    assertThat(store.read(RowRead.of(LOGGED, change(SMALL))).cells()).hasSize(2);
  }

  private static Bytes large(String text) {
    return Bytes.of(text.repeat(20_000));
  }

  /** Of a writer that lives. */
  private void plantIntent(HBaseStore store, long start) {
    Intent intent =
        new Intent(
            Intent.Kind.PUT,
            new DecisionPoint.PrimaryCell(ROW, FREE.name()),
            seams.liveness().token(),
            seams.wallMillis(),
            Bytes.of("undecided"));
    store.write(
        List.of(RowWrite.put(ROW, new Cell(Families.intent(FREE.name()), start, intent.encode()))),
        Durability.BUFFERED);
  }

  /** Collects up to the first table, which is not the one that is looked at. */
  private static CollectionReport settle(PercolatorTransactions transactions) {
    AtomicBoolean stop = new AtomicBoolean();
    CollectionReport report =
        transactions
            .collector()
            .collect(CollectionRequest.keep(Duration.ZERO), each -> stop.set(true), stop::get)
            .orElseThrow();
    assertThat(report.complete()).isFalse();
    return report;
  }

  private static List<Cell> records(HBaseStore store, Column<?> column) {
    return store.read(RowRead.of(ROW, Selection.column(column.name()))).cells();
  }

  private static List<Cell> cells(HBaseStore store, String family) {
    return store.read(RowRead.of(ROW, Selection.family(family))).cells();
  }

  private TableName table() {
    return TableName.valueOf(options.namespace(), HBaseNames.table(TABLE));
  }

  private void flush(Admin admin) throws Exception {
    admin.flush(table());
  }

  private void compact(HBaseStore store, Admin admin) throws Exception {
    flush(admin);
    store.reclaim(TABLE, KeyRange.ALL);
  }

  /** Compactions run when HBase finds the time. */
  private static void await(Callable<Boolean> condition) throws Exception {
    for (int i = 0; i < 1200 && !condition.call(); i++) {
      Thread.sleep(50);
    }
    assertThat(condition.call()).isTrue();
  }
}
