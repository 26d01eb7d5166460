package io.braid.core.cells;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;

/**
 * The sign that the changes of a table are kept: a cell in the row of its change log in Braid's own
 * table.
 */
public final class KeptChanges {
  /** The beginning of the keys of these rows; the name of the table follows. */
  public static final Bytes PREFIX = Bytes.of("changes/");

  /** The column whose versions are the timestamps from which on changes are kept. */
  public static final ColumnName BEGIN = ColumnName.of(Families.SYSTEM, "begin");

  private KeptChanges() {}

  /** Returns the row of the change log of a table. */
  public static Row row(String table) {
    return new Row(Families.SYSTEM_TABLE, PREFIX.concat(Bytes.of(table)));
  }

  /** Returns whether the changes of a table are kept. */
  public static boolean areKept(CellStore store, String table) {
    return !store.read(RowRead.of(row(table), Selection.column(BEGIN))).cells().isEmpty();
  }
}
