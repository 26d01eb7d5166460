package io.braid.core.protocol;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A snapshot that reads through the {@link ColumnReader} of its protocol. The protocol adds the
 * reads of single cells, and the resources that end with the snapshot.
 */
public abstract class ReaderSnapshot implements ProtocolSnapshot {
  private final ColumnReader reader;
  private final RowScans scans;
  private boolean closed;

  protected ReaderSnapshot(ColumnReader reader, RowScans scans) {
    this.reader = reader;
    this.scans = scans;
  }

  @Override
  public final Map<Row, SortedMap<ColumnName, Bytes>> getAll(Map<Row, List<ColumnName>> wanted) {
    List<ColumnReader.RowColumns> requests = new ArrayList<>(wanted.size());
    wanted.forEach(
        (row, columns) -> {
          columns.forEach(column -> ColumnRules.check(row.table(), column));
          if (!columns.isEmpty()) {
            requests.add(new ColumnReader.RowColumns(row, columns));
          }
        });
    requireOpen();
    Iterator<SortedMap<ColumnName, Bytes>> values =
        requests.isEmpty()
            ? Collections.emptyIterator()
            : reader.read(requests, timestamp()).iterator();
    Map<Row, SortedMap<ColumnName, Bytes>> all = new LinkedHashMap<>();
    wanted.forEach(
        (row, columns) -> all.put(row, columns.isEmpty() ? new TreeMap<>() : values.next()));
    return all;
  }

  @Override
  public final RowValues getRow(Row row, String... families) {
    requireOpen();
    return scans.row(row, List.of(families), timestamp());
  }

  @Override
  public final RowCursor scan(Scan scan) {
    requireOpen();
    return scans.open(scan, timestamp(), this::requireOpen);
  }

  protected final void requireOpen() {
    if (closed) {
      throw new IllegalStateException("The snapshot at " + timestamp() + " is closed.");
    }
  }

  protected final boolean isClosed() {
    return closed;
  }

  /** Refuses reads from now on. */
  protected final void setClosed() {
    closed = true;
  }
}
