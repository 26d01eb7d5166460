package io.braid.changes.feed;

import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.loads.LoadState;
import io.braid.core.store.CellStore;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Computes how far the intents that a round meets hold back its resolved timestamp. */
final class OpenIntents {
  private static final int REMEMBERED = 64;

  private final CellStore store;
  private final long drawn;
  private final Map<String, Long> loads = new HashMap<>();
  private final Map<Row, Column<Bytes>> blocking = new LinkedHashMap<>();
  private long resolved;

  /**
   * @param drawn the timestamp that was drawn for the round
   */
  OpenIntents(CellStore store, long drawn) {
    this.store = store;
    this.drawn = drawn;
    this.resolved = drawn;
  }

  void meet(Row row, Cell cell) {
    if (cell.column().qualifier().isEmpty()) {
      return;
    }
    ColumnName column = Families.column(cell.column().qualifier());
    Intent intent = Intent.decode(cell.value());
    if (!Families.isUsers(column.family()) || !writes(intent)) {
      return;
    }
    long bound =
        intent.decision() instanceof LoadRecord load
            ? loads.computeIfAbsent(load.load(), each -> below(each, cell.version()))
            : cell.version();
    if (bound < drawn && blocking.size() < REMEMBERED) {
      blocking.put(row, new Column<>(column, Codecs.bytes()));
    }
    resolved = Math.min(resolved, bound);
  }

  private static boolean writes(Intent intent) {
    return switch (intent.kind()) {
      case PUT, PUT_LARGE, DELETE -> true;
      case LOCK, ROLLED_BACK, HOLD -> false;
    };
  }

  /**
   * Returns the timestamp below which the load shows no more changes; its record is read after the
   * round's draw.
   */
  private long below(String load, long start) {
    LoadState state = LoadDecisions.look(store, load);
    if (state == null) {
      return start;
    }
    return switch (state.phase()) {
      case LOADING, DRAINING, ABORTED -> drawn;
      case CLOSING -> start;
      case COMMITTED -> state.commit() - 1;
    };
  }

  /** Returns the resolved timestamp: no intent that was met can commit at or below it. */
  long resolved() {
    return resolved;
  }

  /** Some of the cells that hold it back, one for each row. */
  Map<Row, Column<Bytes>> blocking() {
    return blocking;
  }
}
