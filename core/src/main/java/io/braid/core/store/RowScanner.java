package io.braid.core.store;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** An open scan. For one thread at a time. */
@API(status = API.Status.EXPERIMENTAL)
public interface RowScanner extends AutoCloseable {
  /** A list of rows ends with the row that makes it so large, in {@link RowCells#bytes bytes}. */
  long LIST_BYTES = 1 << 20;

  /**
   * The next row; null at the end.
   *
   * @throws TabletUnavailableException when the scan cannot go on; it may be opened again after the
   *     last row that was returned
   */
  @Nullable RowCells next();

  /**
   * Returns the next rows, in the same order as {@link #next}. Returns fewer than {@code most} at
   * the end, or when the rows have {@link #LIST_BYTES}, and none only at the end. When the call
   * fails, none of its rows counts as returned.
   */
  default List<RowCells> nextRows(int most) {
    List<RowCells> rows = new ArrayList<>();
    long bytes = 0;
    while (rows.size() < most && bytes < LIST_BYTES) {
      RowCells row = next();
      if (row == null) {
        break;
      }
      rows.add(row);
      bytes += row.bytes();
    }
    return rows;
  }

  /** Whether rows that {@link #nextRows nextRows} gave show that there are no more. */
  static boolean isEnd(List<RowCells> rows, int most) {
    return rows.size() < most && rows.stream().mapToLong(RowCells::bytes).sum() < LIST_BYTES;
  }

  @Override
  void close();
}
