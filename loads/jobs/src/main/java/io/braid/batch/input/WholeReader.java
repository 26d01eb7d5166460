package io.braid.batch.input;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads all records of a file, and tells the checksum of all its bytes when there are no more. */
public final class WholeReader implements RecordReader {
  private final RecordReader records;
  private final Checksum checksum;

  /** What is computed while records are read, or after that. */
  interface Checksum {
    long get() throws IOException;
  }

  WholeReader(RecordReader records, Checksum checksum) {
    this.records = records;
    this.checksum = checksum;
  }

  @Override
  public @Nullable RawRecord next() throws IOException {
    return records.next();
  }

  @Override
  public long position() {
    return records.position();
  }

  @Override
  public long cut() {
    return records.cut();
  }

  /** To be asked for behind the last record. */
  public long checksum() throws IOException {
    return checksum.get();
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
