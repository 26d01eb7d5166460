package io.braid.percolator.reads;

import io.braid.core.cells.FoundColumn;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.protocol.ColumnRules;
import io.braid.core.protocol.ReaderSnapshot;
import io.braid.core.protocol.RowScans;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A snapshot: all commits at or below its timestamp. */
public final class PercolatorSnapshot extends ReaderSnapshot {
  private final ActiveSnapshots.Active active;
  private final ItemCache items;

  PercolatorSnapshot(
      SnapshotReader reader, RowScans scans, ReadPatterns patterns, ActiveSnapshots.Active active) {
    super(reader, scans);
    this.active = active;
    this.items = reader.cache(patterns, active.timestamp());
  }

  /** Whether it has been open for longer than transactions may live. */
  public boolean isExpired() {
    return active.isExpired();
  }

  @Override
  public long timestamp() {
    return active.timestamp();
  }

  @Override
  public <T> Optional<T> get(Row row, Column<T> column) {
    ColumnRules.check(row.table(), column.name());
    FoundColumn found = read(row, column);
    Bytes value = found == null ? null : found.value();
    return value == null ? Optional.empty() : Optional.of(column.codec().decode(value));
  }

  @Override
  public OptionalLong lastChanged(Row row, Column<?> column) {
    ColumnRules.check(row.table(), column.name());
    FoundColumn found = read(row, column);
    return found == null ? OptionalLong.empty() : OptionalLong.of(found.commit());
  }

  @Override
  public OptionalLong changedSince(Row row, Column<?> column, long version) {
    ColumnRules.check(row.table(), column.name());
    requireOpen();
    FoundColumn found = items.read(row, column.name(), version);
    return found == null || found.commit() <= version
        ? OptionalLong.empty()
        : OptionalLong.of(found.commit());
  }

  /** Returns a read to send before it is asked for, or null if such a read is of no use. */
  public ItemCache.@Nullable Ahead ahead(Row row, Column<?> column, long version) {
    return isClosed() ? null : items.ahead(row, column.name(), version);
  }

  private @Nullable FoundColumn read(Row row, Column<?> column) {
    requireOpen();
    return items.read(row, column.name());
  }

  @Override
  public void close() {
    if (!isClosed()) {
      items.end();
    }
    setClosed();
    active.close();
  }
}
