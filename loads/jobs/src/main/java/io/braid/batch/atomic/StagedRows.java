package io.braid.batch.atomic;

import io.braid.batch.LoadContext;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rows of a table that have intents, and which of these are cells that a load has staged. */
final class StagedRows {
  /** The number of attempts to read from a store that does not answer. */
  static final int STORE_ATTEMPTS = 10;

  static final Duration PAUSE = Duration.ofMillis(2);
  static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

  private final CellStore store;
  private final String load;
  private final PatientReads reads;
  private final long start;

  StagedRows(LoadContext context, String load, String table, long start) {
    this.store = context.store();
    this.load = load;
    this.reads = new PatientReads(context, table, PAUSE, LONGEST_PAUSE);
    this.start = start;
  }

  /** Returns the staged cell of the load in a row, or null if there is none. */
  LoadDecisions.@Nullable StagedRow staged(RowCells row) {
    for (Cell cell : row.cells()) {
      Intent intent = intent(cell);
      if (intent != null && cell.version() == start && isOurs(intent)) {
        return LoadDecisions.StagedRow.of(row.row(), start, intent);
      }
    }
    return null;
  }

  boolean isOurs(Intent intent) {
    return intent.decision() instanceof LoadRecord record && record.load().equals(load);
  }

  /** Returns the intent in a cell of that family; null when the cell is not an intent. */
  static @Nullable Intent intent(Cell cell) {
    return cell.column().qualifier().isEmpty() ? null : Intent.decode(cell.value());
  }

  /** The writes of the load that are staged in a row. */
  List<CellWrite> ours(RowCells row) {
    List<CellWrite> cells = new ArrayList<>(row.cells().size());
    for (Cell cell : row.cells()) {
      Intent intent = intent(cell);
      if (intent != null && cell.version() == start && isOurs(intent)) {
        ColumnName column = Families.column(cell.column().qualifier());
        Bytes value =
            intent.kind() == Intent.Kind.PUT_LARGE ? large(row.row(), column) : intent.value();
        cells.add(new CellWrite(column, intent.kind(), value, false));
      }
    }
    return cells;
  }

  private Bytes large(Row row, ColumnName column) {
    Selection at = Selection.column(Families.large(column)).upTo(start).newest(1);
    return patiently(() -> store.read(RowRead.of(row, at))).cells().get(0).value();
  }

  /** Walks through the rows of the table that have intents. */
  void walk(Consumer<RowCells> each) {
    reads.walk(KeyRange.ALL, List.of(Selection.family(Families.INTENT)), each);
  }

  /** Asks until the store answers, some times at most. */
  <T extends @Nullable Object> T patiently(Supplier<T> call) {
    return reads.ask(call);
  }
}
