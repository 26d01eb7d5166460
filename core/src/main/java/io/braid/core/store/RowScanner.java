package io.braid.core.store;

import org.jspecify.annotations.Nullable;

/** An open scan. For one thread at a time. */
public interface RowScanner extends AutoCloseable {
  /**
   * The next row; null at the end.
   *
   * @throws TabletUnavailableException when the scan cannot go on; it may be opened again after the
   *     last row that was returned
   */
  @Nullable RowCells next();

  @Override
  void close();
}
