package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A scan of a {@link MemoryStore}: rows are looked up when they are asked for. */
final class MemoryScan implements RowScanner {
  private final Rows rows;
  private Bytes from;
  private boolean ended;

  /** Where rows are looked up. */
  @FunctionalInterface
  interface Rows {
    /** The first rows at or after a key; fewer than {@code most} when there are no more. */
    List<RowCells> from(Bytes key, int most);
  }

  MemoryScan(Bytes start, Rows rows) {
    this.from = start;
    this.rows = rows;
  }

  @Override
  public @Nullable RowCells next() {
    List<RowCells> one = nextRows(1);
    return one.isEmpty() ? null : one.get(0);
  }

  @Override
  public List<RowCells> nextRows(int most) {
    if (ended) {
      return List.of();
    }
    List<RowCells> found = rows.from(from, most);
    List<RowCells> list = new ArrayList<>(found.size());
    long bytes = 0;
    for (RowCells row : found) {
      if (bytes < LIST_BYTES) {
        list.add(row);
        bytes += row.bytes();
        from = row.row().key().successor();
      }
    }
    ended = found.size() < most && list.size() == found.size();
    return list;
  }

  @Override
  public void close() {
    ended = true;
  }
}
