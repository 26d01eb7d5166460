package io.braid.serving.redis;

import io.braid.serving.chunk.Limits;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Commands of the Redis protocol: arrays of bulk strings, or words on a line. Every number is
 * checked before memory is taken: at most {@value #MOST_WORDS} words, each at most as long as a
 * key, all together at most {@value #MOST_BYTES} bytes.
 */
final class RespReader {
  static final int MOST_WORDS = 10_001;
  static final int MOST_BYTES = 8 << 20;
  private static final int MOST_LINE = 4096;

  /** The memory that a word takes beside its bytes. */
  private static final int OVERHEAD = 64;

  private final InputStream in;
  private final Carrier carrier;
  private boolean inCommand;
  private long taken;

  /** The source of the bytes. */
  interface Carrier {
    /** The last command has come whole. */
    void next();

    /** More bytes must come. */
    void waits(boolean inCommand) throws IOException;

    /** Whether there is memory for a word. */
    boolean take(int bytes);

    void giveBack(long bytes);
  }

  RespReader(InputStream in, Carrier carrier) {
    this.carrier = carrier;
    InputStream asked =
        new FilterInputStream(in) {
          @Override
          public int read(byte[] to, int offset, int length) throws IOException {
            carrier.waits(inCommand);
            return super.read(to, offset, length);
          }
        };
    this.in = new BufferedInputStream(asked, 1 << 14);
  }

  /** The commands that were read are needed no more. */
  void release() {
    carrier.giveBack(taken);
    taken = 0;
  }

  /** The next command; null at the end of the connection between two commands. */
  @Nullable List<byte[]> next() throws IOException {
    inCommand = false;
    carrier.next();
    int first = in.read();
    if (first < 0) {
      return null;
    }
    inCommand = true;
    if (first != '*') {
      String line = line(first);
      claim(line.length());
      return words(line);
    }
    int count = number(line(in.read()), MOST_WORDS);
    List<byte[]> command = new ArrayList<>(Math.min(count, 16));
    int bytes = 0;
    for (int i = 0; i < count; i++) {
      if (in.read() != '$') {
        throw new RespException("Protocol error: expected '$'");
      }
      int length = number(line(in.read()), Limits.KEY + 256);
      bytes += length;
      if (bytes > MOST_BYTES) {
        throw new RespException("Protocol error: the command is too long");
      }
      claim(length);
      byte[] word = in.readNBytes(length);
      if (word.length < length) {
        throw new EOFException("The connection ended in a command.");
      }
      end();
      command.add(word);
    }
    return command;
  }

  private void claim(int bytes) {
    int more = bytes + OVERHEAD;
    if (!carrier.take(more)) {
      throw new RespException(
          "Too many bytes of commands are on their way from your address; try again later.");
    }
    taken += more;
  }

  private void end() throws IOException {
    if (in.read() != '\r' || in.read() != '\n') {
      throw new RespException("Protocol error: expected the end of a line");
    }
  }

  private String line(int first) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = first; b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("The connection ended in a line.");
      }
      if (line.length() == MOST_LINE) {
        throw new RespException("Protocol error: too big inline request");
      }
      line.append((char) b);
    }
    int length = line.length();
    return length > 0 && line.charAt(length - 1) == '\r'
        ? line.substring(0, length - 1)
        : line.toString();
  }

  private static int number(String text, int most) {
    if (text.isEmpty() || text.length() > 9 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new RespException("Protocol error: invalid length");
    }
    int number = Integer.parseInt(text);
    if (number > most) {
      throw new RespException("Protocol error: the length is over the limit of " + most);
    }
    return number;
  }

  /** Words in quotes are not supported: clients that need them send an array. */
  private static List<byte[]> words(String line) {
    if (line.indexOf('"') >= 0 || line.indexOf('\'') >= 0) {
      throw new RespException("Protocol error: quotes in inline request");
    }
    List<byte[]> words = new ArrayList<>();
    StringTokenizer tokens = new StringTokenizer(line);
    while (tokens.hasMoreTokens()) {
      words.add(tokens.nextToken().getBytes(StandardCharsets.ISO_8859_1));
    }
    return words;
  }
}
