package io.braid.spark;

import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Reads one part of a table. */
final class RowReader implements PartitionReader<InternalRow> {
  private final TableShape shape;
  private final List<TableShape.Field> fields = new ArrayList<>();
  private final boolean needsKey;
  private final Snapshot snapshot;
  private final RowCursor rows;
  private @Nullable RowValues row;
  private long read;

  RowReader(RowReaderFactory plan, TablePart part) {
    this.shape = plan.settings().shape();
    for (String name : plan.schema().fieldNames()) {
      fields.add(shape.field(name));
    }
    this.needsKey = fields.stream().anyMatch(TableShape.Field::isKey);
    Scan scan = Scan.of(plan.settings().table()).range(part.range()).limit(plan.limit());
    for (String name : plan.columns()) {
      ColumnName column = Objects.requireNonNull(shape.field(name).column());
      scan = scan.column(new Column<>(column, Codecs.bytes()));
    }
    Braid db = plan.settings().db();
    this.snapshot = db.transactions().snapshotAt(part.snapshot());
    try {
      this.rows = snapshot.scan(scan);
    } catch (RuntimeException e) {
      snapshot.close();
      throw e;
    }
  }

  @Override
  public boolean next() {
    if (!rows.hasNext()) {
      return false;
    }
    row = rows.next();
    read++;
    return true;
  }

  @Override
  public InternalRow get() {
    RowValues now = Objects.requireNonNull(row, "next comes first");
    List<String> key = needsKey ? shape.split(now.row()) : List.of();
    @Nullable Object[] values = new @Nullable Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      TableShape.Field field = fields.get(i);
      ColumnName column = field.column();
      if (column == null) {
        values[i] = UTF8String.fromString(key.get(field.part()));
        continue;
      }
      Bytes value = now.values().get(column);
      values[i] = value == null ? null : decode(now, field, value);
    }
    return new GenericInternalRow(values);
  }

  private static Object decode(RowValues row, TableShape.Field field, Bytes value) {
    try {
      return field.decode(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          row.row()
              + "/"
              + field.column()
              + " holds no "
              + field.type().word()
              + ", as the mapping says: "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return new CustomTaskMetric[] {new Count(RowsRead.NAME, read)};
  }

  @Override
  public void close() {
    rows.close();
    snapshot.close();
  }
}
