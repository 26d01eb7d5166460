package io.braid.changes.migrate;

import io.braid.changes.feed.Change;
import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.ChangeLine;
import io.braid.changes.feed.ChangesException;
import io.braid.changes.feed.Position;
import io.braid.core.data.Bytes;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A file of JSON Lines that another program appends changes to, in the form of {@link ChangeLine},
 * with positions that rise. The first line says where the file begins. A line {@code resolved} is
 * best; a change says that nothing is missing after this change. A last line without an end does
 * not count yet.
 *
 * <p>Another file may take its place meanwhile (rotation). The source notices this by the last line
 * read, and reads the new file from its first line on. The new file must not begin after the
 * changes already read.
 *
 * <p>A batch never ends between changes of one timestamp that are both in the file: it has more
 * changes than requested instead.
 */
public final class FileSource implements ChangeSource {
  private final Path path;
  private final boolean tellsBegin;

  /** The place up to which the file was read, and the line that ends there. */
  private Mark reached = new Mark(Position.after(0), 0);

  private byte[] lastLine = {};

  /** The timestamp that was read last, and the rows of its changes. */
  private long timestamp;

  private final TreeSet<Bytes> rows = new TreeSet<>();

  /** The place before the last timestamp that was read. */
  private Mark before = reached;

  /** A position, and the offset at which the lines beyond the position begin. */
  private record Mark(Position position, long offset) {}

  public FileSource(Path path) {
    this(path, true);
  }

  private FileSource(Path path, boolean tellsBegin) {
    this.path = path;
    this.tellsBegin = tellsBegin;
  }

  /** Opens a file whose first line does not say where the file begins. */
  static FileSource ofBuffer(Path path) {
    return new FileSource(path, false);
  }

  @Override
  public Position begin() throws IOException {
    try (Lines lines = new Lines()) {
      ChangeLine.Read first = lines.next();
      if (first == null) {
        throw new ChangesException(
            path
                + " is empty, so its first position is unknown: let it begin with a line such as"
                + " {\"table\":\"people\",\"resolved\":\"0\",\"position\":\"0\"}.");
      }
      return first.position();
    }
  }

  @Override
  public ChangeBatch next(Position after, int most) throws IOException {
    List<Change> changes = new ArrayList<>();
    Position position = after;
    try (Lines lines = open(after)) {
      Mark group = lines.offset == 0 ? new Mark(after, 0) : before;
      byte[] line = lines.offset == reached.offset ? lastLine : new byte[0];
      long offset = lines.offset;
      String passed = after.lineage();
      for (ChangeLine.Read read = lines.next(); read != null; read = lines.next()) {
        if (offset == 0 && tellsBegin) {
          requireReaches(read.position(), after);
        }
        requireInOrder(read.position());
        boolean later = read.position().timestamp() > position.timestamp();
        if (changes.size() >= most && (later || position.row() == null)) {
          // Positions rise: all of this timestamp was read.
          position = Position.after(position.timestamp()).of(position.lineage());
          break;
        }
        if (read.position().compareTo(after) <= 0) {
          passed = read.position().lineage();
        }
        if (read.position().compareTo(position) > 0) {
          requireSame(passed, after);
          if (later) {
            group = new Mark(Position.after(position.timestamp()).of(position.lineage()), offset);
          }
          position = read.position();
          if (read.change() != null) {
            changes.add(read.change());
          }
        }
        offset = lines.offset;
        line = lines.line;
      }
      reached = new Mark(position, offset);
      lastLine = line;
      before = group;
    }
    return new ChangeBatch(changes, position, position.timestamp());
  }

  /** The lines beyond a position: from the begin on, unless it is known where they are. */
  private Lines open(Position after) throws IOException {
    Lines lines = new Lines();
    try {
      if (lines.stands(lastLine, reached.offset)) {
        lines.seek(
            after.equals(reached.position)
                ? reached.offset
                : after.equals(before.position) ? before.offset : 0);
      }
      return lines;
    } catch (IOException | RuntimeException e) {
      lines.close();
      throw e;
    }
  }

  /**
   * Requires that the lines after a position continue its history: the line of the position is in
   * the file.
   *
   * @param lineage of the last line up to the position
   */
  private void requireSame(@Nullable String lineage, Position after) {
    if (lineage != null && after.lineage() != null && !lineage.equals(after.lineage())) {
      throw new ChangesException(
          path
              + " has changes of another database than the one whose changes were read up to "
              + after
              + ": begin again with a new backup.");
    }
  }

  /**
   * Refuses a row that follows a higher row of its transaction: it would be taken for a row that
   * was already read. A repeated line is not refused.
   */
  private void requireInOrder(Position read) {
    if (read.timestamp() > timestamp) {
      timestamp = read.timestamp();
      rows.clear();
    }
    Bytes row = read.row();
    if (row == null || read.timestamp() < timestamp) {
      return;
    }
    if (rows.higher(row) != null && !rows.contains(row)) {
      throw new ChangesException(
          path
              + " has "
              + read
              + " behind a higher row of the same transaction. Write the rows of a transaction in"
              + " the order of their bytes.");
    }
    rows.add(row);
  }

  private void requireReaches(Position begin, Position after) {
    if (begin.compareTo(after) > 0) {
      throw new ChangesException(
          path
              + " begins at "
              + begin
              + ", after "
              + after
              + ", up to which its changes were read: those between would be lost. Put the file"
              + " there again that has them.");
    }
  }

  @Override
  public void close() {}

  /** Whole lines from an offset on. */
  private final class Lines implements AutoCloseable {
    private final SeekableByteChannel channel;
    private InputStream in;
    long offset;

    /** The last one, with its end. */
    byte[] line = {};

    Lines() throws IOException {
      channel = Files.newByteChannel(path);
      in = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16);
    }

    void seek(long to) throws IOException {
      channel.position(to);
      in = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16);
      offset = to;
    }

    /** Returns whether a line that was read is still in the file. */
    boolean stands(byte[] wanted, long end) throws IOException {
      if (channel.size() < end) {
        return false;
      }
      seek(end - wanted.length);
      boolean same = Arrays.equals(in.readNBytes(wanted.length), wanted);
      seek(0);
      return same;
    }

    ChangeLine.@Nullable Read next() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (int each = in.read(); each != '\n'; each = in.read()) {
        if (each < 0) {
          return null;
        }
        bytes.write(each);
      }
      try {
        ChangeLine.Read read = ChangeLine.parse(bytes.toString(StandardCharsets.UTF_8));
        bytes.write('\n');
        line = bytes.toByteArray();
        offset += line.length;
        return read;
      } catch (IllegalArgumentException e) {
        throw new ChangesException(path + ", at byte " + offset + ": " + e.getMessage() + ".", e);
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
      channel.close();
    }
  }
}
