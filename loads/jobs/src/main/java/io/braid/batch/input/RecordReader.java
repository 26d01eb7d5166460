package io.braid.batch.input;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the records of a file one after another. */
public interface RecordReader extends Closeable {
  /** Reading cannot begin at the last record. */
  long NO_CUT = -1;

  /** Where the next record begins, as {@link RawRecord#offset} counts. */
  long position();

  /**
   * The next record that begins before the end of this reader; null when there is none.
   *
   * @throws UnreadableInputException when the file is damaged; nothing is passed over
   */
  @Nullable RawRecord next() throws IOException;

  /**
   * Where in the file, in bytes, another reader could begin with the record that was returned last;
   * {@link #NO_CUT} when it could not.
   */
  long cut();
}
