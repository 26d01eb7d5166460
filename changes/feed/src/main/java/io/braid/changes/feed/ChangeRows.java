package io.braid.changes.feed;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.RowCells;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a change log: a table of its own, ordered by time. Key: the commit timestamp, eight
 * bytes, big-endian, and the key of the changed row. A cell for each changed column, its name as
 * qualifier, version 1: kind (1 byte: 1 PUT, 3 DELETE), the value (the rest; PUT only).
 */
final class ChangeRows {
  private static final String FAMILY = "~change";
  private static final long VERSION = 1;
  private static final int PUT = 1;
  private static final int DELETE = 3;

  private ChangeRows() {}

  /** The name of the log of a table. */
  static String log(String table) {
    return "~changes." + table;
  }

  static TableSchema schema(String table) {
    return new TableSchema(log(table), List.of(new FamilySchema(FAMILY, Kind.DATA)));
  }

  static String family() {
    return FAMILY;
  }

  static Row row(Row changed, long commit) {
    return new Row(log(changed.table()), Bytes.ofLong(commit).concat(changed.key()));
  }

  static Cell put(ColumnName column, Bytes value) {
    return cell(column, new Encoder(1 + value.length()).u8(PUT).raw(value).finish());
  }

  static Cell delete(ColumnName column) {
    return cell(column, Bytes.ofInts(DELETE));
  }

  private static Cell cell(ColumnName column, Bytes value) {
    return new Cell(new ColumnName(FAMILY, Families.qualified(column)), VERSION, value);
  }

  static Change decode(String table, RowCells logged) {
    Bytes key = logged.row().key();
    SortedMap<ColumnName, @Nullable Bytes> columns = new TreeMap<>();
    for (Cell cell : logged.cells()) {
      Decoder from = new Decoder(cell.value());
      int kind = from.u8();
      if (kind != PUT && kind != DELETE) {
        throw new IllegalArgumentException("No logged change is of kind " + kind + ".");
      }
      columns.put(Families.column(cell.column().qualifier()), kind == PUT ? from.rest() : null);
    }
    return new Change(new Row(table, key.slice(Long.BYTES)), key.longAt(0), columns);
  }
}
