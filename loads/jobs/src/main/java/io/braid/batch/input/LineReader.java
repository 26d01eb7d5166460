package io.braid.batch.input;

import io.braid.core.data.Bytes;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Cuts a stream into lines and knows where each begins. A line has at most 64 MiB. */
final class LineReader implements Closeable {
  static final int LONGEST = 64 << 20;
  private static final int BUFFER = 1 << 16;

  /**
   * A line.
   *
   * @param bytes without the newline and a carriage return before it
   * @param end where the next one begins
   */
  record Line(long begin, Bytes bytes, long end) {
    /** Returns the end of the line: the last line of a file may have none. */
    String ending() {
      return switch ((int) (end - begin - bytes.length())) {
        case 0 -> "";
        case 1 -> "\n";
        default -> "\r\n";
      };
    }
  }

  private final InputStream in;
  private byte[] buffer = new byte[BUFFER];
  private int from;
  private int to;
  private long offset;
  private boolean ended;

  LineReader(InputStream in, long offset) {
    this.in = in;
    this.offset = offset;
  }

  /** The next line; null at the end. */
  @Nullable Line next() throws IOException {
    int at = from;
    while (true) {
      int end = Bytes.wrap(buffer, at, to - at).indexOf((byte) '\n', 0);
      if (end >= 0) {
        return line(at + end, at + end + 1);
      }
      if (ended) {
        return from == to ? null : line(to, to);
      }
      at = fill();
    }
  }

  private Line line(int end, int next) {
    int length = end - from;
    boolean returned = length > 0 && next > end && buffer[end - 1] == '\r';
    Bytes bytes = Bytes.wrap(Arrays.copyOfRange(buffer, from, returned ? end - 1 : end));
    long begin = offset;
    offset += next - from;
    from = next;
    return new Line(begin, bytes, offset);
  }

  /** Reads more after the remaining bytes; returns where the new bytes begin. */
  private int fill() throws IOException {
    int left = to - from;
    if (left > LONGEST) {
      throw new UnreadableInputException(
          "A line that begins at " + offset + " is longer than " + LONGEST + " bytes.");
    }
    byte[] target = left > buffer.length / 2 ? new byte[buffer.length * 2] : buffer;
    System.arraycopy(buffer, from, target, 0, left);
    buffer = target;
    from = 0;
    to = left;
    int read = in.read(buffer, left, buffer.length - left);
    if (read < 0) {
      ended = true;
    } else {
      to += read;
    }
    return left;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
