package io.braid.omid.rows;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowIntents;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;
import io.braid.core.time.Timestamp;

/**
 * The trace of a fast write in the first of its columns: its record, or the mark of a refusal.
 *
 * <p>Writes that have to be above one timestamp share a mark. The mark is a rollback mark whose
 * value lists the ids of the refused writes. Its version has local bits, so that no transaction
 * began there.
 */
final class FastTraces {
  private final RowAccess rows;
  private final Row row;
  private final ColumnName column;
  private final long id;
  private final long atLeast;
  private final long place;
  private final Bytes refused;

  FastTraces(
      RowAccess rows, RowIntents intents, Row row, ColumnName column, long id, long atLeast) {
    this.rows = rows;
    this.row = row;
    this.column = column;
    this.id = id;
    this.atLeast = atLeast;
    this.place = Timestamp.withoutLocal(atLeast) + Timestamp.STEP - 1;
    Intent mark = intents.of(column, place);
    this.refused = mark == null ? Bytes.EMPTY : mark.value();
  }

  static FastTraces of(RowAccess rows, RowIntents intents, FastWrite.Request request) {
    return new FastTraces(
        rows,
        intents,
        request.mutation().row(),
        request.mutation().cells().get(0).column(),
        request.id(),
        request.atLeast());
  }

  /** Returns the version that was written; 0 if there is no record. */
  long written() {
    if (CommitRecords.newerThan(rows, row, column, atLeast) == 0) {
      return 0;
    }
    for (Cell cell : rows.versions(row, column, atLeast + 1, Timestamp.MAX, Integer.MAX_VALUE)) {
      if (CommitRecord.read(row, cell).start() == id) {
        return cell.version();
      }
    }
    return 0;
  }

  /** Whether a mark refuses every copy of the call. */
  boolean isRefused() {
    for (int i = 0; i < refused.length(); i += Long.BYTES) {
      if (refused.longAt(i) == id) {
        return true;
      }
    }
    return false;
  }

  /** Leaves a mark. */
  void refuse() {
    Intent mark =
        new Intent(
            Intent.Kind.ROLLED_BACK, CommitEntries.of(id), "", 0, refused.concat(Bytes.ofLong(id)));
    rows.put(row, Families.intent(column), place, mark.encode());
  }
}
