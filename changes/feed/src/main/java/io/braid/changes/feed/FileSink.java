package io.braid.changes.feed;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A file of JSON Lines that a feed is appended to. The position is in its last complete line, and
 * any text after that line is cut off. So the file has each change once, whenever the process dies.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class FileSink implements FeedSink {
  private static final int WINDOW = 1 << 16;

  /** The beginning of every line. */
  private static final String BEGIN = "{\"table\":\"";

  private final Path path;

  /** A file, not a channel: an interrupt of a thread in a channel closes the channel. */
  private final RandomAccessFile file;

  private final FileChannel lock;
  private volatile @Nullable Position position;

  /** The table of all lines; empty: there is no line yet. */
  private volatile String table;

  /**
   * @throws ChangesException when it is no file of a feed, or another feed writes it
   */
  public FileSink(Path path) throws IOException {
    this.path = path;
    this.lock = PositionFile.lock(path);
    try {
      this.file = new RandomAccessFile(path.toFile(), "rw");
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
    try {
      long end = after(file.length(), '\n');
      ChangeLine.Read last = end == 0 ? null : last(end);
      this.position = last == null ? null : last.position();
      this.table = last == null ? "" : last.table();
      checkTorn(end);
      file.setLength(end);
      file.seek(end);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Checks that the text to be cut off is the beginning of a line. */
  private void checkTorn(long end) throws IOException {
    ByteBuffer begin = ByteBuffer.allocate((int) Math.min(BEGIN.length(), file.length() - end));
    readFully(begin, end);
    if (!BEGIN.startsWith(new String(begin.array(), StandardCharsets.UTF_8))) {
      throw new ChangesException(path + " is no file of a feed. Name another one.");
    }
  }

  private ChangeLine.Read last(long end) throws IOException {
    long begin = after(end - 1, '\n');
    ByteBuffer line = ByteBuffer.allocate(Math.toIntExact(end - begin));
    readFully(line, begin);
    String text = new String(line.array(), StandardCharsets.UTF_8);
    try {
      return ChangeLine.parse(text);
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
    file.seek(from);
    try {
      file.readFully(into.array(), into.position(), into.remaining());
    } catch (EOFException e) {
      throw new IOException(path + " became shorter while it was read.", e);
    }
  }

  @Override
  public Optional<Position> position(String of) {
    if (!table.isEmpty()) {
      PositionFile.requireSame(path, table, of);
    }
    return Optional.ofNullable(position);
  }

  /**
   * Writes the first line, which says where the file begins: all changes beyond are in the file.
   */
  @Override
  public void begin(String table, Position at) throws IOException {
    append(table, ChangeLine.toText(ChangeLine.resolved(table, at)) + "\n", at);
  }

  @Override
  public void take(String table, ChangeBatch batch) throws IOException {
    append(table, FeedLines.of(table, batch), batch.position());
  }

  private void append(String of, String text, Position after) throws IOException {
    position(of); // or it is refused
    table = of;
    file.write(text.getBytes(StandardCharsets.UTF_8));
    file.getFD().sync();
    position = after;
  }

  @Override
  public void close() throws IOException {
    try (lock) {
      file.close();
    }
  }
}
