package io.braid.spark;

import io.braid.batch.LoadContext;
import io.braid.batch.engine.AttemptFiles;
import io.braid.batch.engine.EngineLoad;
import io.braid.batch.engine.EngineSnapshots;
import io.braid.batch.engine.TaskSink;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Writes the output of one attempt of a task, to files of its own. */
final class RowWriter implements DataWriter<InternalRow> {
  private static final int WORKERS = 4;

  private final RowWriterFactory plan;
  private final LoadContext database;
  private final TableShape shape;
  private final List<TableShape.Field> fields = new ArrayList<>();
  private final boolean deletesNulls;
  private final String name;
  private final AttemptFiles files;

  RowWriter(RowWriterFactory plan, int partition, long task) {
    this.plan = plan;
    this.database = plan.settings().db().loads();
    this.shape = plan.settings().shape();
    for (String field : plan.schema().fieldNames()) {
      fields.add(shape.field(field));
    }
    this.deletesNulls = plan.settings().deletesNulls();
    this.name = "p" + partition + "-" + task;
    Path directory = EngineSnapshots.files(Path.of(plan.directory()));
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException("Files cannot be written to " + directory, e);
    }
    this.files = new AttemptFiles(database, directory, plan.settings().table(), name, partition);
  }

  @Override
  public void write(InternalRow row) throws IOException {
    @Nullable UTF8String[] key = new @Nullable UTF8String[shape.keyParts()];
    Map<ColumnName, @Nullable Bytes> values = new LinkedHashMap<>();
    for (int i = 0; i < fields.size(); i++) {
      TableShape.Field field = fields.get(i);
      ColumnName column = field.column();
      if (column == null) {
        key[field.part()] = row.isNullAt(i) ? null : row.getUTF8String(i);
      } else if (!row.isNullAt(i)) {
        values.put(column, value(row, i, field));
      } else if (deletesNulls) {
        values.put(column, null);
      }
    }
    Bytes bytes = shape.key(key);
    if (values.isEmpty()) {
      throw new IllegalArgumentException(
          "Row " + bytes + " has no value: it would not be one of the table.");
    }
    files.put(bytes, values);
  }

  private static Bytes value(InternalRow row, int i, TableShape.Field field) {
    return switch (field.type()) {
      case TEXT -> Bytes.wrap(row.getUTF8String(i).getBytes());
      case INT64 -> Codecs.int64().encode(row.getLong(i));
      case FLOAT64 -> Codecs.float64().encode(row.getDouble(i));
      case BOOL -> Codecs.bool().encode(row.getBoolean(i));
      case BASE64 -> Bytes.copyOf(row.getBinary(i));
    };
  }

  /** Spark lets one attempt of each task come here at a time. */
  @Override
  public WriterCommitMessage commit() throws IOException {
    if (!plan.stages()) {
      return new RowsCommitted(files.finish());
    }
    long rows = files.rows();
    EngineLoad load = EngineLoad.join(database, plan.load(), plan.settings().conflicts());
    try (TaskSink sink = load.sink("braid-" + name, WORKERS)) {
      files.pour(sink);
      sink.finish();
    }
    files.close();
    return new RowsCommitted(new AttemptFiles.WrittenFiles(List.of(), rows));
  }

  @Override
  public void abort() throws IOException {
    files.close();
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return new CustomTaskMetric[] {new Count(RowsWritten.NAME, files.rows())};
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
