package io.braid.backup;

import io.braid.changes.feed.Change;
import io.braid.changes.feed.ChangeLine;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** The changes of one table in an increment. Verification and restore read them in the same way. */
final class IncrementFile {
  private IncrementFile() {}

  /**
   * Reads all of them, in their order.
   *
   * @return how many
   * @throws BraidException {@code BACKUP} when a line is no change
   */
  static long changes(Path file, Consumer<Change> to) throws IOException {
    long read = 0;
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        to.accept(change(file, line));
        read++;
      }
    }
    return read;
  }

  private static Change change(Path file, String line) {
    try {
      Change change = ChangeLine.parse(line).change();
      if (change != null) {
        return change;
      }
      throw new IllegalArgumentException("it is no change");
    } catch (IllegalArgumentException e) {
      throw new BraidException(
          ErrorCode.BACKUP, "A line of " + file + " cannot be read: " + e.getMessage(), e);
    }
  }
}
