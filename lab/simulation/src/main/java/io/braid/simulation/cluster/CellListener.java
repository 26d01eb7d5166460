package io.braid.simulation.cluster;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hears of everything that changes in the store, and of every timestamp, in order. */
public interface CellListener {
  /**
   * A cell that changed.
   *
   * @param value what was put; null when the cell was removed
   */
  record Change(Row row, ColumnName column, long version, @Nullable Bytes value) {}

  /** One procedure or write has changed these cells, all at once. */
  void changed(List<Change> changes);

  /** Reports that the store has lost its last changes: all cells have to be looked at again. */
  void lostChanges();

  /** The oracle has given out timestamps. */
  void issued(long first, long last);

  /** Hears nothing. */
  CellListener NONE =
      new CellListener() {
        @Override
        public void changed(List<Change> changes) {}

        @Override
        public void lostChanges() {}

        @Override
        public void issued(long first, long last) {}
      };
}
