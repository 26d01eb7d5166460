package io.braid.core.store;

import java.util.ArrayList;
import java.util.List;
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

  /**
   * The next rows, as {@link #next} would give them one by one; fewer than {@code most} only at the
   * end. When it fails, no row of this call counts as returned.
   */
  default List<RowCells> nextRows(int most) {
    List<RowCells> rows = new ArrayList<>();
    while (rows.size() < most) {
      RowCells row = next();
      if (row == null) {
        break;
      }
      rows.add(row);
    }
    return rows;
  }

  @Override
  void close();
}
