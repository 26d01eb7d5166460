package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A scan of a {@link MemoryStore}: each row is looked up when it is asked for. */
final class MemoryScan implements RowScanner {
  private final Function<Bytes, @Nullable RowCells> nextFrom;
  private Bytes from;
  private boolean ended;

  /**
   * @param nextFrom gives the first row at or after a key; null when there is none
   */
  MemoryScan(Bytes start, Function<Bytes, @Nullable RowCells> nextFrom) {
    this.from = start;
    this.nextFrom = nextFrom;
  }

  @Override
  public @Nullable RowCells next() {
    if (ended) {
      return null;
    }
    RowCells row = nextFrom.apply(from);
    if (row == null) {
      ended = true;
    } else {
      from = row.row().key().successor();
    }
    return row;
  }

  @Override
  public void close() {
    ended = true;
  }
}
