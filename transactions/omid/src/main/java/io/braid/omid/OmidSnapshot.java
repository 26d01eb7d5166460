package io.braid.omid;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.ColumnReader;
import io.braid.core.protocol.ColumnRules;
import io.braid.core.protocol.ProtocolSnapshot;
import io.braid.core.protocol.RowScans;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.omid.manager.TransactionManager.Begun;
import io.braid.omid.rows.ReadRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** A snapshot: all commits at or below its timestamp. */
final class OmidSnapshot implements ProtocolSnapshot {
  private final SnapshotReader reader;
  private final RowScans scans;
  private final Begun begun;
  private final long timestamp;
  private boolean closed;

  OmidSnapshot(SnapshotReader reader, RowScans scans, Begun begun) {
    this.reader = reader;
    this.scans = scans;
    this.begun = begun;
    this.timestamp = begun.timestamp();
  }

  @Override
  public long timestamp() {
    return timestamp;
  }

  @Override
  public <T> Optional<T> get(Row row, Column<T> column) {
    List<ReadRow.Found> found = read(row, column).found();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    return Optional.ofNullable(found.get(0).value()).map(column.codec()::decode);
  }

  @Override
  public Map<Row, SortedMap<ColumnName, Bytes>> getAll(Map<Row, List<ColumnName>> wanted) {
    List<ColumnReader.Wanted> requests = new ArrayList<>(wanted.size());
    Map<Row, SortedMap<ColumnName, Bytes>> all = new LinkedHashMap<>();
    wanted.forEach(
        (row, columns) -> {
          columns.forEach(column -> ColumnRules.check(row.table(), column));
          all.put(row, new TreeMap<>());
          if (!columns.isEmpty()) {
            requests.add(new ColumnReader.Wanted(row, columns));
          }
        });
    requireOpen();
    if (!requests.isEmpty()) {
      List<SortedMap<ColumnName, Bytes>> values = reader.read(requests, timestamp);
      for (int i = 0; i < requests.size(); i++) {
        all.put(requests.get(i).row(), values.get(i));
      }
    }
    return all;
  }

  @Override
  public RowValues getRow(Row row, String... families) {
    requireOpen();
    return scans.row(row, List.of(families), timestamp);
  }

  @Override
  public RowCursor scan(Scan scan) {
    requireOpen();
    return scans.open(scan, timestamp, this::requireOpen);
  }

  @Override
  public OptionalLong lastChanged(Row row, Column<?> column) {
    List<ReadRow.Found> found = read(row, column).found();
    return found.isEmpty() ? OptionalLong.empty() : OptionalLong.of(found.get(0).commit());
  }

  private ReadRow.Answer read(Row row, Column<?> column) {
    ColumnRules.check(row.table(), column.name());
    requireOpen();
    return reader.read(new ReadRow.Request(row, List.of(column.name()), timestamp, List.of()));
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("The snapshot at " + timestamp + " is closed.");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      begun.close();
    }
  }
}
