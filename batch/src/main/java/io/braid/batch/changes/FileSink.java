package io.braid.batch.changes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file of JSON Lines that a feed is appended to. Its last whole line tells the position, and what
 * comes after that is cut off: so it has each change once, whenever the process dies.
 */
public final class FileSink implements FeedSink {
  private static final int WINDOW = 1 << 16;

  /** How every line begins. */
  private static final String BEGIN = "{\"table\":\"";

  private final Path path;
  private final FileChannel file;
  private volatile @Nullable Position position;

  public FileSink(Path path) throws IOException {
    this.path = path;
    this.file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      long end = after(file.size(), '\n');
      this.position = end == 0 ? null : last(end);
      checkTorn(end);
      file.truncate(end);
      file.position(end);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** What is about to be cut off was the begin of a line. */
  private void checkTorn(long end) throws IOException {
    ByteBuffer begin = ByteBuffer.allocate((int) Math.min(BEGIN.length(), file.size() - end));
    readFully(begin, end);
    if (!BEGIN.startsWith(new String(begin.array(), StandardCharsets.UTF_8))) {
      throw new ChangesException(path + " is no file of a feed. Name another one.");
    }
  }

  private Position last(long end) throws IOException {
    long begin = after(end - 1, '\n');
    ByteBuffer line = ByteBuffer.allocate(Math.toIntExact(end - begin));
    readFully(line, begin);
    String text = new String(line.array(), StandardCharsets.UTF_8);
    try {
      return ChangeLine.parse(text).position();
    } catch (IllegalArgumentException e) {
      throw new ChangesException(
          path + " is no file of a feed: its last line is " + e.getMessage() + ".", e);
    }
  }

  /** The place after the last such byte before {@code end}; 0 when there is none. */
  private long after(long end, char wanted) throws IOException {
    for (long to = end; to > 0; to -= Math.min(to, WINDOW)) {
      long from = Math.max(0, to - WINDOW);
      ByteBuffer window = ByteBuffer.allocate((int) (to - from));
      readFully(window, from);
      for (int i = window.capacity() - 1; i >= 0; i--) {
        if (window.get(i) == wanted) {
          return from + i + 1;
        }
      }
    }
    return 0;
  }

  private void readFully(ByteBuffer into, long from) throws IOException {
    while (into.hasRemaining()) {
      if (file.read(into, from + into.position()) < 0) {
        throw new IOException(path + " became shorter while it was read.");
      }
    }
  }

  @Override
  public Optional<Position> position() {
    return Optional.ofNullable(position);
  }

  /** The first line says where the file begins: what lies beyond is all in it. */
  @Override
  public void begin(String table, Position at) throws IOException {
    append(ChangeLine.toText(ChangeLine.resolved(table, at.timestamp())) + "\n", at);
  }

  @Override
  public void take(String table, ChangeBatch batch) throws IOException {
    append(FeedLines.of(table, batch), batch.position());
  }

  private void append(String text, Position after) throws IOException {
    ByteBuffer lines = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (lines.hasRemaining()) {
      file.write(lines);
    }
    file.force(false);
    position = after;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
