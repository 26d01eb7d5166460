package io.braid.serving.redis;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Answers of the Redis protocol, in its second or third version. */
final class RespWriter {
  private final OutputStream out;
  private final byte[] buffer = new byte[1 << 14];
  private boolean third;

  RespWriter(OutputStream out) {
    this.out = new BufferedOutputStream(out, 1 << 16);
  }

  void useThird(boolean use) {
    third = use;
  }

  boolean third() {
    return third;
  }

  void simple(String text) throws IOException {
    line('+', text);
  }

  void error(String text) throws IOException {
    line('-', text.replace('\r', ' ').replace('\n', ' '));
  }

  void number(long number) throws IOException {
    line(':', Long.toString(number));
  }

  void array(int size) throws IOException {
    line('*', Integer.toString(size));
  }

  /** There is none, of what would be an array. */
  void noArray() throws IOException {
    out.write((third ? "_\r\n" : "*-1\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  /** A map of so many pairs; in the second version a list of twice as many. */
  void map(int size) throws IOException {
    line(third ? '%' : '*', Integer.toString(third ? size : 2 * size));
  }

  void bulk(String text) throws IOException {
    bulk(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** A string; null is "there is none". */
  void bulk(@Nullable ByteBuffer bytes) throws IOException {
    if (bytes == null) {
      out.write((third ? "_\r\n" : "$-1\r\n").getBytes(StandardCharsets.US_ASCII));
      return;
    }
    line('$', Integer.toString(bytes.remaining()));
    while (bytes.hasRemaining()) {
      int n = Math.min(buffer.length, bytes.remaining());
      bytes.get(buffer, 0, n);
      out.write(buffer, 0, n);
    }
    out.write('\r');
    out.write('\n');
  }

  void flush() throws IOException {
    out.flush();
  }

  private void line(char kind, String text) throws IOException {
    out.write(kind);
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.write('\r');
    out.write('\n');
  }
}
