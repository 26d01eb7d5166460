package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowMutation;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.percolator.rows.OnePhaseCommit;
import io.braid.percolator.rows.PercolatorAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two clients that know nothing of each other change one table. */
class EpochIT {
  private static final String TABLE = "t";
  private static final ColumnName COLUMN = ColumnName.of("f", "q");
  private static final List<Row> ROWS =
      List.of(Row.of(TABLE, "a"), Row.of(TABLE, "k"), Row.of(TABLE, "z"));
  private static final int ROUNDS = 2;

  private final HBaseOptions options = HBaseOptions.DEFAULT.withNamespace("epochs");

  @Test
  void noRegionTakesALowerEpochAfterEitherRaiseHasReturned() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (CellStore one = HBaseStore.connect(LocalCluster.configuration(), options);
        CellStore other = HBaseStore.connect(LocalCluster.configuration(), options)) {
      one.ensureTable(Families.transactional(TABLE, List.of("f")));
      one.splitTablet(TABLE, Bytes.of("f"));
      one.splitTablet(TABLE, Bytes.of("p"));
      for (int round = 1; round <= ROUNDS; round++) {
        long low = 10L * round;
        long high = low + 5;
        Future<?> first = threads.submit(() -> raise(one, other, low));
        Future<?> second = threads.submit(() -> raise(other, one, high));
        first.get(2, TimeUnit.MINUTES);
        second.get(2, TimeUnit.MINUTES);

        assertThat(List.of(one.epoch(TABLE), other.epoch(TABLE))).containsOnly(high);
        ROWS.forEach(row -> assertThat(isRefused(one, row, high)).as("%s", row).isFalse());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aTableThatTheOtherDroppedAndCreatedAnewIsScanned() {
    String table = "anew";
    TableSchema schema = Families.transactional(table, List.of("f"));
    Row row = Row.of(table, "r");
    ScanRequest all = ScanRequest.of(table, KeyRange.ALL, Selection.column(COLUMN));
    try (CellStore one = HBaseStore.connect(LocalCluster.configuration(), options);
        CellStore other = HBaseStore.connect(LocalCluster.configuration(), options)) {
      one.ensureTable(schema);
      assertThat(rows(one, all)).isEmpty();

      other.dropTable(table);
      other.ensureTable(schema);
      other.write(
          List.of(RowWrite.put(row, new Cell(COLUMN, 1, Bytes.of("v")))), Durability.BUFFERED);

      assertThat(rows(one, all)).containsExactly(row);
    }
  }

  private static List<Row> rows(CellStore store, ScanRequest request) {
    List<Row> rows = new ArrayList<>();
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells each = scanner.next(); each != null; each = scanner.next()) {
        rows.add(each.row());
      }
    }
    return rows;
  }

  private static void raise(CellStore by, CellStore seenBy, long epoch) {
    by.raiseEpoch(TABLE, epoch);
    for (Row row : ROWS) {
      assertThat(isRefused(seenBy, row, epoch - 1)).as("%s at %d", row, epoch).isTrue();
    }
  }

  /** Whether a writer who knows this epoch is refused for it. */
  private static boolean isRefused(CellStore store, Row row, long epoch) {
    CellWrite write = new CellWrite(COLUMN, Intent.Kind.PUT, Bytes.of("v"), false);
    OnePhaseCommit.Request request =
        new OnePhaseCommit.Request(
            List.of(new RowMutation(row, epoch, List.of(write), List.of())),
            1,
            new DecisionPoint.PrimaryCell(row, COLUMN));
    Outcome<PercolatorAnswer> outcome =
        store.execute(OnePhaseCommit.INSTANCE, request, Durability.BUFFERED);
    assertThat(outcome).isInstanceOf(Outcome.Done.class);
    return ((Outcome.Done<PercolatorAnswer>) outcome).result() instanceof PercolatorAnswer.Refused;
  }
}
