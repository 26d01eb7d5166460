package io.braid.batch.rows;

import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import org.apiguardian.api.API;

/**
 * A row of an index, as a load writes it ahead of a record.
 *
 * @param epoch of the table that contains the row, as known before the index was looked up: an
 *     index that was dropped and created again in a table of the same name has another epoch
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record IndexRow(Row row, Cell cell, long epoch) {
  /** The epoch of a place that belongs to one index for ever. */
  public static final long ANY = -1;

  public IndexRow under(long known) {
    return new IndexRow(row, cell, known);
  }
}
