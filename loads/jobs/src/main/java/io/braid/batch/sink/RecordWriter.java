package io.braid.batch.sink;

import java.io.IOException;
import java.util.List;

/** Writes batches of records once; repeating is the business of {@link RecordSink}. */
public interface RecordWriter {
  /** Tries to write each record; the results have the order of the records. */
  List<WriteResult> write(List<SinkRecord> records);

  /**
   * Called when all records of the task were written. After the return, none of them is only in
   * memory.
   *
   * @throws IOException when that is not certain
   */
  default void finish() throws IOException {}
}
