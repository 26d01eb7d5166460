package io.braid.spark;

import io.braid.batch.engine.TableParts;
import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.transaction.Snapshot;
import io.braid.view.Moment;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A scan at one snapshot, drawn when it is planned first. The snapshot stays open, and keeps its
 * versions, as long as the plan is in memory.
 */
final class TableScan implements Scan, Batch {
  private static final Cleaner CLEANER = Cleaner.create();

  private final TableSettings settings;
  private final StructType schema;
  private final KeyRange range;
  private final long limit;
  private final List<String> present;
  private @Nullable Long snapshot;

  /**
   * @param present fields that every row has that the query asks for
   */
  TableScan(
      TableSettings settings, StructType schema, KeyRange range, long limit, List<String> present) {
    this.settings = settings;
    this.schema = schema;
    this.range = range;
    this.limit = limit;
    this.present = present;
  }

  @Override
  public StructType readSchema() {
    return schema;
  }

  @Override
  public String description() {
    return "braid "
        + settings.table()
        + " keys "
        + range
        + " columns "
        + columns()
        + (limit == Long.MAX_VALUE ? "" : " limit " + limit);
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  /**
   * Returns the columns to read. A row without a value in any requested column is a row of the
   * table too. So all columns are read, unless there is a column that every row has.
   */
  private List<String> columns() {
    TableShape shape = settings.shape();
    Set<String> names = new LinkedHashSet<>();
    for (String name : schema.fieldNames()) {
      if (!shape.field(name).isKey()) {
        names.add(name);
      }
    }
    if (!present.isEmpty()) {
      names.add(present.get(0));
    } else {
      shape.fields().stream().filter(each -> !each.isKey()).forEach(each -> names.add(each.name()));
    }
    return List.copyOf(names);
  }

  private synchronized long snapshot() {
    Long drawn = snapshot;
    if (drawn == null) {
      String when = settings.option(TableSettings.AS_OF);
      Snapshot open = when == null ? settings.db().snapshot() : Moment.open(settings.db(), when);
      CLEANER.register(this, open::close);
      drawn = open.timestamp();
      snapshot = drawn;
    }
    return drawn;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    long at = snapshot();
    boolean local = SparkSession.active().sparkContext().isLocal();
    List<InputPartition> parts = new ArrayList<>();
    for (TableParts.Part part :
        TableParts.of(settings.db().store(), settings.table(), range, Integer.MAX_VALUE)) {
      Bytes end = part.range().end();
      parts.add(
          new TablePart(
              part.range().start().toArray(),
              end == null ? null : end.toArray(),
              at,
              TablePart.host(part.server(), local)));
    }
    return parts.toArray(InputPartition[]::new);
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new RowReaderFactory(settings, schema, columns(), limit);
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return new CustomMetric[] {new RowsRead()};
  }
}
