package io.braid.percolator;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.ColumnRules;
import io.braid.core.protocol.ProtocolSnapshot;
import io.braid.core.protocol.RowScans;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.percolator.rows.SnapshotRead;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A snapshot: all commits at or below its timestamp. */
final class PercolatorSnapshot implements ProtocolSnapshot {
  private final SnapshotReader reader;
  private final RowScans scans;
  private final ActiveSnapshots.Active active;
  private final ItemCache items;
  private boolean closed;

  PercolatorSnapshot(
      SnapshotReader reader, RowScans scans, ReadPatterns patterns, ActiveSnapshots.Active active) {
    this.reader = reader;
    this.scans = scans;
    this.active = active;
    this.items = reader.cache(patterns, active.timestamp());
  }

  /** Whether it has been open for longer than transactions may live. */
  boolean isExpired() {
    return active.isExpired();
  }

  @Override
  public long timestamp() {
    return active.timestamp();
  }

  @Override
  public <T> Optional<T> get(Row row, Column<T> column) {
    ColumnRules.check(row.table(), column.name());
    SnapshotRead.Found found = read(row, column);
    Bytes value = found == null ? null : found.value();
    return value == null ? Optional.empty() : Optional.of(column.codec().decode(value));
  }

  @Override
  public Map<Row, SortedMap<ColumnName, Bytes>> getAll(Map<Row, List<ColumnName>> wanted) {
    List<SnapshotRead.Request> requests = new ArrayList<>(wanted.size());
    Map<Row, SortedMap<ColumnName, Bytes>> all = new LinkedHashMap<>();
    wanted.forEach(
        (row, columns) -> {
          columns.forEach(column -> ColumnRules.check(row.table(), column));
          all.put(row, new TreeMap<>());
          if (!columns.isEmpty()) {
            requests.add(new SnapshotRead.Request(row, columns, timestamp(), List.of()));
          }
        });
    requireOpen();
    if (requests.isEmpty()) {
      return all;
    }
    List<SnapshotRead.Answer> answers = reader.read(requests);
    for (int i = 0; i < requests.size(); i++) {
      collect(answers.get(i), Objects.requireNonNull(all.get(requests.get(i).row())));
    }
    return all;
  }

  static void collect(SnapshotRead.Answer answer, SortedMap<ColumnName, Bytes> values) {
    for (SnapshotRead.Found found : answer.found()) {
      Bytes value = found.value();
      if (value != null) {
        values.put(found.column(), value);
      }
    }
  }

  @Override
  public RowValues getRow(Row row, String... families) {
    requireOpen();
    return scans.row(row, List.of(families), timestamp());
  }

  @Override
  public RowCursor scan(Scan scan) {
    requireOpen();
    return scans.open(scan, timestamp(), this::requireOpen);
  }

  @Override
  public OptionalLong lastChanged(Row row, Column<?> column) {
    ColumnRules.check(row.table(), column.name());
    SnapshotRead.Found found = read(row, column);
    return found == null ? OptionalLong.empty() : OptionalLong.of(found.commit());
  }

  @Override
  public OptionalLong changedSince(Row row, Column<?> column, long version) {
    ColumnRules.check(row.table(), column.name());
    requireOpen();
    SnapshotRead.Found found = items.read(row, column.name(), version);
    return found == null || found.commit() <= version
        ? OptionalLong.empty()
        : OptionalLong.of(found.commit());
  }

  /** Returns a read to send before it is asked for, or null if such a read is of no use. */
  ItemCache.@Nullable Ahead ahead(Row row, Column<?> column, long version) {
    return closed ? null : items.ahead(row, column.name(), version);
  }

  private SnapshotRead.@Nullable Found read(Row row, Column<?> column) {
    requireOpen();
    return items.read(row, column.name());
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("The snapshot at " + timestamp() + " is closed.");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      items.end();
    }
    closed = true;
    active.close();
  }
}
