package io.braid.batch.input;

import java.io.IOException;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads all records of a file, and computes the checksum of all its bytes at the end.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class WholeReader implements RecordReader {
  private final RecordReader records;
  private final Checksum checksum;

  /** A checksum that is computed while records are read, or after that. */
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

  /** Returns the checksum; to be called after the last record. */
  public long checksum() throws IOException {
    return checksum.get();
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
