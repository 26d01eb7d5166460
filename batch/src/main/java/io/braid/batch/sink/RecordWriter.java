package io.braid.batch.sink;

import java.util.List;

/** Writes batches of records once; repeating is the business of {@link RecordSink}. */
public interface RecordWriter {
  /** Tries to write each record; the results stand in the order of the records. */
  List<WriteResult> write(List<SinkRecord> records);
}
