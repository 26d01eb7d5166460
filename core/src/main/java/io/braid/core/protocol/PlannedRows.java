package io.braid.core.protocol;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.HoldPass;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowMutation;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.ChangeSink;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;

/** Makes the buffered writes of a transaction the mutations that it commits. */
public final class PlannedRows {
  private PlannedRows() {}

  /**
   * Returns one mutation for each row: first the rows with cells, then those that are only notified
   * weakly. The list may be changed.
   *
   * @param pass of the key group on whose behalf it is done
   * @param epochOf the epoch of a table as the transaction knows it
   */
  public static List<RowMutation> of(
      HoldPass pass, WriteBuffer writes, ToLongFunction<String> epochOf, ChangeSink sink) {
    List<RowMutation> mutations = new ArrayList<>(writes.cells().size() + writes.weak().size());
    writes
        .cells()
        .forEach(
            (row, cells) ->
                mutations.add(
                    new RowMutation(
                        row,
                        epochOf.applyAsLong(row.table()),
                        RowMutation.passFor(cells.values(), pass),
                        observed(row, cells.values(), sink),
                        weakIn(row, writes))));
    for (Row row : writes.weak().keySet()) {
      if (!writes.cells().containsKey(row)) {
        long epoch = epochOf.applyAsLong(row.table());
        mutations.add(new RowMutation(row, epoch, pass, List.of(), weakIn(row, writes)));
      }
    }
    return mutations;
  }

  private static List<ColumnName> weakIn(Row row, WriteBuffer writes) {
    return List.copyOf(writes.weak().getOrDefault(row, Collections.emptyNavigableSet()));
  }

  private static List<CellWrite> observed(Row row, Collection<CellWrite> cells, ChangeSink sink) {
    List<CellWrite> marked = new ArrayList<>(cells.size());
    for (CellWrite cell : cells) {
      boolean observed =
          cell.kind() != Intent.Kind.LOCK && sink.isObserved(row.table(), cell.column());
      marked.add(observed ? new CellWrite(cell.column(), cell.kind(), cell.value(), true) : cell);
    }
    return marked;
  }
}
