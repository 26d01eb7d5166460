package io.braid.cli.stores;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.SnapshotOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.view.Columns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The rows of a table at one snapshot. */
final class TableInput implements TupleInput {
  private final Braid db;
  private final Snapshot snapshot;
  private final RowCursor rows;
  private final List<Column<Bytes>> columns;
  private Bytes key = Bytes.EMPTY;
  private Bytes value = Bytes.EMPTY;

  private TableInput(Braid db, Snapshot snapshot, RowCursor rows, List<Column<Bytes>> columns) {
    this.db = db;
    this.snapshot = snapshot;
    this.rows = rows;
    this.columns = columns;
  }

  static TableInput open(
      DatabaseOptions database, SnapshotOptions at, String table, List<String> names) {
    if (names.isEmpty()) {
      throw new UsageException("Name the columns to build from: --columns FAMILY:QUALIFIER,...");
    }
    List<Column<Bytes>> columns = new ArrayList<>();
    Scan scan = Scan.of(table);
    for (String name : names) {
      ColumnName parsed = Columns.parse(name).name();
      Column<Bytes> column =
          Column.of(parsed.family(), parsed.qualifier().toUtf8(), Codecs.bytes());
      columns.add(column);
      scan = scan.column(column);
    }
    Braid db = database.openExisting();
    try {
      Snapshot snapshot = at.open(db);
      try {
        return new TableInput(db, snapshot, snapshot.scan(scan), columns);
      } catch (RuntimeException e) {
        snapshot.close();
        throw e;
      }
    } catch (RuntimeException e) {
      db.close();
      throw e;
    }
  }

  @Override
  public boolean next() {
    if (!rows.hasNext()) {
      return false;
    }
    RowValues row = rows.next();
    key = row.row().key();
    value = columns.size() == 1 ? row.get(columns.get(0)).orElse(Bytes.EMPTY) : object(row);
    return true;
  }

  private static Bytes object(RowValues row) {
    Map<String, String> object = new LinkedHashMap<>();
    row.values().forEach((name, bytes) -> object.put(name.toString(), bytes.toUtf8()));
    return Bytes.of(OutputOptions.toJson(object));
  }

  @Override
  public Bytes key() {
    return key;
  }

  @Override
  public Bytes value() {
    return value;
  }

  @Override
  public OptionalLong snapshot() {
    return OptionalLong.of(snapshot.timestamp());
  }

  @Override
  public void close() {
    rows.close();
    snapshot.close();
    db.close();
  }
}
