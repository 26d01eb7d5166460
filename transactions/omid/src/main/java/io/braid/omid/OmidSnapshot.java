package io.braid.omid;

import io.braid.core.cells.FoundColumn;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.protocol.ColumnRules;
import io.braid.core.protocol.ReaderSnapshot;
import io.braid.core.protocol.RowScans;
import io.braid.omid.manager.TransactionManager.BegunTransaction;
import io.braid.omid.rows.ReadRow;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A snapshot: all commits at or below its timestamp. */
final class OmidSnapshot extends ReaderSnapshot {
  private final RowReader reader;
  private final BegunTransaction begun;
  private final long timestamp;

  OmidSnapshot(RowReader reader, RowScans scans, BegunTransaction begun) {
    super(reader, scans);
    this.reader = reader;
    this.begun = begun;
    this.timestamp = begun.timestamp();
  }

  @Override
  public long timestamp() {
    return timestamp;
  }

  @Override
  public <T> Optional<T> get(Row row, Column<T> column) {
    List<FoundColumn> found = read(row, column).found();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    return Optional.ofNullable(found.get(0).value()).map(column.codec()::decode);
  }

  @Override
  public OptionalLong lastChanged(Row row, Column<?> column) {
    List<FoundColumn> found = read(row, column).found();
    return found.isEmpty() ? OptionalLong.empty() : OptionalLong.of(found.get(0).commit());
  }

  private ReadRow.Answer read(Row row, Column<?> column) {
    ColumnRules.check(row.table(), column.name());
    requireOpen();
    return reader.read(new ReadRow.Request(row, List.of(column.name()), timestamp, List.of()));
  }

  @Override
  public void close() {
    if (!isClosed()) {
      setClosed();
      begun.close();
    }
  }
}
