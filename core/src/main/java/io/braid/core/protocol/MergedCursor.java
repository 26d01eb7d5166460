package io.braid.core.protocol;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A scan of a snapshot merged with the writes of the scanning transaction, in the order of keys.
 * Writes made during the scan show if the scan has not passed them.
 */
public final class MergedCursor implements RowCursor {
  private final RowCursor committed;
  private final WriteBuffer writes;
  private final Scan scan;
  private final ScanColumns columns;
  private @Nullable RowValues ahead;
  private @Nullable RowValues next;
  private Bytes passed;
  private boolean begun;
  private long left;

  /**
   * @param committed the scan of the snapshot, without a limit
   */
  public MergedCursor(RowCursor committed, WriteBuffer writes, Scan scan) {
    this.committed = committed;
    this.writes = writes;
    this.scan = scan;
    this.columns = ScanColumns.of(scan);
    this.passed = scan.range().start();
    this.left = scan.limit();
  }

  @Override
  public boolean hasNext() {
    if (next == null && left > 0) {
      next = advance();
    }
    return next != null;
  }

  @Override
  public RowValues next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException("The scan has no more rows.");
    }
    RowValues row = next;
    next = null;
    left--;
    return row;
  }

  private @Nullable RowValues advance() {
    while (true) {
      RowValues stored = ahead;
      if (stored == null && committed.hasNext()) {
        stored = committed.next();
        ahead = stored;
      }
      Row written = writes.next(scan.table(), scan.range(), passed, !begun);
      if (stored == null && written == null) {
        return null;
      }
      boolean takeStored =
          written == null || (stored != null && stored.row().compareTo(written) <= 0);
      RowValues row =
          takeStored && stored != null
              ? stored
              : new RowValues(Objects.requireNonNull(written), new TreeMap<>());
      if (takeStored) {
        ahead = null;
      }
      passed = row.row().key();
      begun = true;
      RowValues merged = overlay(row);
      if (!merged.isEmpty()) {
        return merged;
      }
    }
  }

  private RowValues overlay(RowValues row) {
    Map<ColumnName, CellWrite> own = writes.at(row.row());
    if (own.isEmpty()) {
      return row;
    }
    SortedMap<ColumnName, Bytes> values = new TreeMap<>(row.values());
    own.forEach(
        (column, write) -> {
          if (columns.contains(column)) {
            overlay(values, write);
          }
        });
    return new RowValues(row.row(), values);
  }

  /** Applies a write to the values of its row. */
  public static void overlay(SortedMap<ColumnName, Bytes> values, CellWrite write) {
    if (write.kind() == Intent.Kind.DELETE) {
      values.remove(write.column());
    } else if (write.kind() != Intent.Kind.LOCK) {
      values.put(write.column(), write.value());
    }
  }

  @Override
  public void close() {
    committed.close();
  }
}
