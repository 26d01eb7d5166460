package io.braid.testkit.history;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Cuts a stream into lines, and tells of the last whether it has an end. */
final class LineSource implements AutoCloseable {
  /** Longer lines are refused before they fill the memory. */
  static final int MAX_LINE = 256 << 20;

  /** A line without its end. */
  record Line(byte[] bytes, boolean ended) {
    boolean isBlank() {
      for (byte b : bytes) {
        if (b != ' ' && b != '\t' && b != '\r') {
          return false;
        }
      }
      return true;
    }
  }

  private final InputStream in;
  private byte[] buffer = new byte[1 << 16];
  private int position;
  private int limit;

  LineSource(InputStream in) {
    this.in = in;
  }

  /** The next line; null at the end. */
  @Nullable Line next() throws IOException {
    int scanned = position;
    while (true) {
      for (int i = scanned; i < limit; i++) {
        if (buffer[i] == '\n') {
          return line(i, true);
        }
      }
      int unscanned = limit - position;
      if (!fill()) {
        return unscanned == 0 ? null : line(limit, false);
      }
      scanned = position + unscanned;
    }
  }

  private Line line(int end, boolean ended) {
    Line line = new Line(Arrays.copyOfRange(buffer, position, end), ended);
    position = ended ? end + 1 : end;
    return line;
  }

  /** Reads more behind what is not used up; false at the end. */
  private boolean fill() throws IOException {
    int rest = limit - position;
    if (rest >= MAX_LINE) {
      throw new HistoryFormatException("A line is longer than " + MAX_LINE + " bytes.");
    }
    byte[] next = rest * 2 > buffer.length ? new byte[buffer.length * 2] : buffer;
    System.arraycopy(buffer, position, next, 0, rest);
    buffer = next;
    position = 0;
    limit = rest;
    int read = in.read(buffer, limit, buffer.length - limit);
    limit += Math.max(read, 0);
    return read > 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
