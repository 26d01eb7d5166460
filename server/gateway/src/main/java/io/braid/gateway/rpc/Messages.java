package io.braid.gateway.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Names;
import io.braid.core.data.Row;
import io.braid.core.transaction.Scan;
import io.braid.gateway.api.Naming;
import io.braid.gateway.api.Operation;
import io.braid.gateway.api.Result;
import io.braid.http.AnswerMemory;
import io.braid.rpc.v1.ColumnKey;
import io.braid.rpc.v1.ColumnValue;
import io.braid.rpc.v1.RowData;
import io.braid.rpc.v1.RowKey;
import io.braid.rpc.v1.ScanOperation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Operations and results as messages. Unknown fields are refused, not ignored: a condition of a
 * newer client must not become no condition.
 */
final class Messages {
  private final int most;
  private final int page;

  /**
   * @param most operations of a call
   * @param page rows of a scan in a transaction
   */
  Messages(int most, int page) {
    this.most = most;
    this.page = page;
  }

  static Bytes bytes(ByteString string) {
    return Bytes.wrap(string.toByteArray());
  }

  static ByteString string(Bytes bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes.toBuffer());
  }

  static Row row(RowKey key) {
    return Naming.row(key.getTable(), bytes(key.getKey()));
  }

  static List<Column<Bytes>> columns(List<ColumnKey> keys) {
    AnswerMemory.takeValues(keys.size());
    List<Column<Bytes>> columns = new ArrayList<>(keys.size());
    for (ColumnKey each : keys) {
      columns.add(Naming.column(each.getFamily(), bytes(each.getQualifier())));
    }
    return columns;
  }

  static Map<Column<Bytes>, Optional<Bytes>> values(List<ColumnValue> given) {
    if (given.isEmpty()) {
      throw new IllegalArgumentException("At least one column is named.");
    }
    AnswerMemory.takeValues(given.size());
    Map<Column<Bytes>, Optional<Bytes>> values = new LinkedHashMap<>();
    for (ColumnValue each : given) {
      Column<Bytes> column = Naming.column(each.getFamily(), bytes(each.getQualifier()));
      Optional<Bytes> value =
          each.hasValue() ? Optional.of(bytes(each.getValue())) : Optional.empty();
      if (values.put(column, value) != null) {
        throw new IllegalArgumentException("Column " + column + " is there twice.");
      }
    }
    return values;
  }

  /** All operations of a call, before any is done. */
  List<Operation> operations(List<io.braid.rpc.v1.Operation> given) {
    if (given.size() > most) {
      throw new IllegalArgumentException("A call has at most " + most + " operations.");
    }
    List<Operation> all = new ArrayList<>(given.size());
    for (io.braid.rpc.v1.Operation each : given) {
      try {
        all.add(operation(each));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "Operation " + all.size() + " (counted from 0): " + e.getMessage(), e);
      }
    }
    return all;
  }

  /** As {@link #operations}, at least one. */
  List<Operation> someOperations(List<io.braid.rpc.v1.Operation> given) {
    if (given.isEmpty()) {
      throw new IllegalArgumentException("There are 1 to " + most + " operations in a call.");
    }
    return operations(given);
  }

  private Operation operation(io.braid.rpc.v1.Operation each) {
    return switch (each.getStepCase()) {
      case GET ->
          new Operation.Get(row(each.getGet().getRow()), columns(each.getGet().getColumnsList()));
      case SCAN -> new Operation.Read(pageOf(each.getScan()));
      case SET ->
          new Operation.Set(row(each.getSet().getRow()), values(each.getSet().getColumnsList()));
      case EXPECT ->
          new Operation.Expect(
              row(each.getExpect().getRow()), values(each.getExpect().getColumnsList()));
      case LOCK -> lock(each.getLock());
      case STEP_NOT_SET ->
          throw new IllegalArgumentException("it has no step that this server knows.");
    };
  }

  private static Operation lock(io.braid.rpc.v1.LockOperation lock) {
    if (lock.getColumnsCount() == 0) {
      throw new IllegalArgumentException("At least one column is named.");
    }
    return new Operation.Lock(row(lock.getRow()), columns(lock.getColumnsList()));
  }

  private Scan pageOf(ScanOperation scan) {
    int limit = scan.getLimit() == 0 ? page : scan.getLimit();
    if (limit < 1 || limit > page) {
      throw new IllegalArgumentException("'limit' is a number from 1 to " + page + ".");
    }
    return scan(scan).limit(limit + 1L);
  }

  /** A scan, without its limit. */
  static Scan scan(ScanOperation given) {
    KeyRange range = KeyRange.prefix(bytes(given.getPrefix()));
    @Nullable Bytes to = given.hasTo() ? bytes(given.getTo()) : null;
    Bytes after = bytes(given.getAfter());
    Bytes from = after.isEmpty() ? bytes(given.getFrom()) : after.successor();
    Scan scan =
        Scan.of(Naming.table(given.getTable())).range(range.intersect(new KeyRange(from, to)));
    for (String family : given.getFamiliesList()) {
      scan = scan.family(Names.family(family));
    }
    for (Column<Bytes> column : columns(given.getColumnsList())) {
      scan = scan.column(column);
    }
    return scan;
  }

  static List<io.braid.rpc.v1.Result> results(List<Result> results) {
    return results.stream().map(Messages::result).toList();
  }

  private static io.braid.rpc.v1.Result result(Result result) {
    io.braid.rpc.v1.Result.Builder message = io.braid.rpc.v1.Result.newBuilder();
    if (result instanceof Result.Columns columns) {
      columns.values().forEach((name, value) -> message.addColumns(column(name, value)));
    } else if (result instanceof Result.Page rows) {
      rows.rows().forEach(row -> message.addRows(row(row)));
      rows.next().ifPresent(next -> message.setNext(string(next)));
    }
    return message.build();
  }

  static RowData row(Result.Cells row) {
    RowData.Builder message = RowData.newBuilder().setKey(string(row.key()));
    row.values().forEach((name, value) -> message.addColumns(column(name, value)));
    return message.build();
  }

  static ColumnValue column(ColumnName name, Bytes value) {
    return ColumnValue.newBuilder()
        .setFamily(name.family())
        .setQualifier(string(name.qualifier()))
        .setValue(string(value))
        .build();
  }
}
