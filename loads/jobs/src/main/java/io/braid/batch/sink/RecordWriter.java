package io.braid.batch.sink;

import java.io.IOException;
import java.util.List;

/** Writes batches of records once; repeating is the business of {@link RecordSink}. */
public interface RecordWriter {
  /** Tries to write each record; the results stand in the order of the records. */
  List<WriteResult> write(List<SinkRecord> records);

  /**
   * All records of the task were written: from the return on nothing of it is in memory only.
   *
   * @throws IOException when that cannot be said
   */
  default void finish() throws IOException {}
}
