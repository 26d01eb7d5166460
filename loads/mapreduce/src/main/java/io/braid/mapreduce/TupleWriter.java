package io.braid.mapreduce;

import io.braid.core.data.Bytes;
import io.braid.serving.build.EnginePart;
import io.braid.serving.build.SharedFolder;
import java.io.IOException;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Takes the tuples of an attempt, and writes its chunks at the end. */
final class TupleWriter extends RecordWriter<Object, Object> {
  private final EnginePart part;
  private final SharedFolder folder;

  TupleWriter(EnginePart part, SharedFolder folder) {
    this.part = part;
    this.folder = folder;
  }

  /** The bytes of a key or a value. */
  static Bytes bytes(Object of) {
    return of instanceof BytesWritable bytes
        ? Bytes.wrap(bytes.copyBytes())
        : Bytes.of(of.toString());
  }

  @Override
  public void write(Object key, Object value) throws IOException {
    part.add(bytes(key), bytes(value));
  }

  /** Closes the writer, also that of a failed attempt, whose output is never committed. */
  @Override
  public void close(TaskAttemptContext context) throws IOException {
    try (part) {
      part.finish(folder);
    }
  }
}
