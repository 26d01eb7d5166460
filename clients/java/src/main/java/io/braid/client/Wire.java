package io.braid.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.rpc.v1.ColumnKey;
import io.braid.rpc.v1.ColumnValue;
import io.braid.rpc.v1.GetOperation;
import io.braid.rpc.v1.Operation;
import io.braid.rpc.v1.RowData;
import io.braid.rpc.v1.RowKey;
import io.braid.rpc.v1.ScanOperation;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Rows, columns and values as messages. */
final class Wire {
  private Wire() {}

  static ByteString string(Bytes bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes.toBuffer());
  }

  static Bytes bytes(ByteString string) {
    return Bytes.wrap(string.toByteArray());
  }

  static RowKey row(Row row) {
    return RowKey.newBuilder().setTable(row.table()).setKey(string(row.key())).build();
  }

  static ColumnKey column(ColumnName name) {
    return ColumnKey.newBuilder()
        .setFamily(name.family())
        .setQualifier(string(name.qualifier()))
        .build();
  }

  static List<ColumnKey> columns(Collection<? extends Column<?>> columns) {
    return columns.stream().map(column -> column(column.name())).toList();
  }

  static Operation get(Row row, Collection<? extends Column<?>> columns) {
    return Operation.newBuilder()
        .setGet(GetOperation.newBuilder().setRow(row(row)).addAllColumns(columns(columns)))
        .build();
  }

  static ColumnValue value(ColumnName name, Optional<Bytes> value) {
    ColumnValue.Builder message =
        ColumnValue.newBuilder().setFamily(name.family()).setQualifier(string(name.qualifier()));
    value.ifPresent(bytes -> message.setValue(string(bytes)));
    return message.build();
  }

  static RowValues values(Row row, List<ColumnValue> columns) {
    TreeMap<ColumnName, Bytes> values = new TreeMap<>();
    columns.forEach(
        each ->
            values.put(
                new ColumnName(each.getFamily(), bytes(each.getQualifier())),
                bytes(each.getValue())));
    return new RowValues(row, values);
  }

  static RowValues values(String table, RowData row) {
    return values(Row.of(table, bytes(row.getKey())), row.getColumnsList());
  }

  /**
   * A scan, without its limit.
   *
   * @param after the key that it goes on after; null: from its beginning
   */
  static ScanOperation.Builder scan(Scan scan, @Nullable Bytes after) {
    ScanOperation.Builder message =
        ScanOperation.newBuilder()
            .setTable(scan.table())
            .setFrom(string(scan.range().start()))
            .addAllFamilies(scan.families());
    Bytes end = scan.range().end();
    if (end != null) {
      message.setTo(string(end));
    }
    if (after != null) {
      message.setAfter(string(after));
    }
    scan.columns().forEach(column -> message.addColumns(column(column)));
    return message;
  }
}
