package io.braid.core.store;

import io.braid.core.data.ColumnName;
import org.apiguardian.api.API;

/**
 * Tells whether a row is in the way of lifting a veil. Called while nothing else runs on the store:
 * the check is quick, and does not call the store.
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL)
public interface LiftCheck {
  /** Tells where there are cells of the veiled version. */
  interface VeiledCells {
    boolean column(ColumnName column);

    boolean anywhere();
  }

  /**
   * @param row a row with its cells of the requested family
   * @param veiled the row's cells of the veiled version
   */
  boolean blocks(RowCells row, VeiledCells veiled);
}
