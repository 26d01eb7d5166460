package io.braid.batch.rows;

import io.braid.core.data.Cell;
import io.braid.core.data.Row;

/**
 * A row of an index, as a load writes it ahead of a record.
 *
 * @param epoch of the table that contains the row, as known before the index was looked up: an
 *     index that was dropped and created again in a table of the same name has another epoch
 */
public record IndexRow(Row row, Cell cell, long epoch) {
  /** The epoch of a place that belongs to one index for ever. */
  public static final long ANY = -1;

  public IndexRow under(long known) {
    return new IndexRow(row, cell, known);
  }
}
