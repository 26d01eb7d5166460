package io.braid.core.store;

import io.braid.core.data.ColumnName;

/**
 * Says what is in the way of lifting a veil. Called where nothing else runs on the store: quick,
 * and without calls of the store.
 */
@FunctionalInterface
public interface LiftCheck {
  /** Where there are cells of the veiled version. */
  interface Veiled {
    boolean column(ColumnName column);

    boolean anywhere();
  }

  /**
   * @param row a row with its cells of the family that was asked for
   * @param veiled what the row has of the veiled version
   */
  boolean blocks(RowCells row, Veiled veiled);
}
