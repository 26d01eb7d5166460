package io.braid.batch.input;

import java.io.Closeable;
import java.io.IOException;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a file one after another.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface RecordReader extends Closeable {
  /** Reading cannot begin at the last record. */
  long NO_CUT = -1;

  /** Returns where the next record begins, in the unit of {@link RawRecord#offset}. */
  long position();

  /**
   * Returns the next record that begins before the end of this reader; null when there is none.
   *
   * @throws UnreadableInputException when the file is damaged; no part is skipped
   */
  @Nullable RawRecord next() throws IOException;

  /**
   * Returns where in the file, in bytes, another reader could begin with the record that was
   * returned last; {@link #NO_CUT} when it could not.
   */
  long cut();
}
