package io.braid.batch.sink;

import io.braid.batch.LoadContext;
import java.io.IOException;
import java.util.List;

/** Writes the index rows of records before another writer gets the records. */
public final class IndexedWriter implements RecordWriter {
  private final IndexRowsAhead indexes;
  private final RecordWriter writer;

  public IndexedWriter(LoadContext context, RecordWriter writer) {
    this.indexes = new IndexRowsAhead(context);
    this.writer = writer;
  }

  @Override
  public List<WriteResult> write(List<SinkRecord> records) {
    IndexRowsAhead.WrittenIndexRows ahead = indexes.write(records);
    return ahead.with(writer.write(ahead.open()));
  }

  @Override
  public void finish() throws IOException {
    writer.finish();
  }
}
