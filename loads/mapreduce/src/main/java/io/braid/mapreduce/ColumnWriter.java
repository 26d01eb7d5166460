package io.braid.mapreduce;

import io.braid.SharedBraid;
import io.braid.batch.engine.TaskSink;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Writes the output of a task; closing it waits until all of the output is written. */
final class ColumnWriter extends RecordWriter<Object, Object> {
  private final SharedBraid shared;
  private final TaskSink sink;
  private final ColumnName column;

  ColumnWriter(SharedBraid shared, TaskSink sink, ColumnName column) {
    this.shared = shared;
    this.sink = sink;
    this.column = column;
  }

  @Override
  public void write(Object key, Object value) throws IOException {
    try {
      sink.put(bytes(key), Map.of(column, bytes(value)));
    } catch (RuntimeException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static Bytes bytes(Object value) {
    if (value instanceof Text text) {
      return Bytes.copyOf(text.copyBytes());
    }
    return value instanceof BytesWritable bytes
        ? Bytes.copyOf(bytes.copyBytes())
        : Bytes.of(value.toString());
  }

  @Override
  public void close(TaskAttemptContext context) throws IOException {
    try {
      sink.finish();
    } catch (RuntimeException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      sink.close();
      shared.close();
    }
  }
}
