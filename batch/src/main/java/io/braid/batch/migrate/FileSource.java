package io.braid.batch.migrate;

import io.braid.batch.changes.Change;
import io.braid.batch.changes.ChangeBatch;
import io.braid.batch.changes.ChangeLine;
import io.braid.batch.changes.ChangesException;
import io.braid.batch.changes.Position;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of JSON Lines that something appends changes to, in the form of {@link ChangeLine}, with
 * positions that rise. Its first line says where it begins: a line {@code resolved} best; a change
 * says that nothing is missing beyond itself. A last line without an end is not there yet.
 */
public final class FileSource implements ChangeSource {
  private final Path path;
  private Position reached = Position.after(0);
  private long offset;

  public FileSource(Path path) {
    this.path = path;
  }

  @Override
  public Position begin() throws IOException {
    try (Lines lines = new Lines(0)) {
      ChangeLine.Read first = lines.next();
      if (first == null) {
        throw new ChangesException(
            path
                + " is empty, so nobody knows where it begins: let it begin with a line such as"
                + " {\"table\":\"people\",\"resolved\":\"0\",\"position\":\"0\"}.");
      }
      return first.position();
    }
  }

  @Override
  public ChangeBatch next(Position after, int most) throws IOException {
    if (!after.equals(reached)) {
      offset = 0;
    }
    List<Change> changes = new ArrayList<>();
    Position position = after;
    long resolved = 0;
    try (Lines lines = new Lines(offset)) {
      while (changes.size() < most) {
        ChangeLine.Read read = lines.next();
        if (read == null) {
          break;
        }
        offset = lines.offset;
        if (read.position().compareTo(position) > 0) {
          position = read.position();
          if (read.change() != null) {
            changes.add(read.change());
          }
        }
      }
      resolved = position.timestamp();
    }
    reached = position;
    return new ChangeBatch(changes, position, resolved);
  }

  @Override
  public void close() {}

  /** Whole lines from an offset on. */
  private final class Lines implements AutoCloseable {
    private final SeekableByteChannel channel;
    private final InputStream in;
    long offset;

    Lines(long from) throws IOException {
      channel = Files.newByteChannel(path);
      channel.position(from);
      in = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16);
      offset = from;
    }

    ChangeLine.@Nullable Read next() throws IOException {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int each = in.read(); each != '\n'; each = in.read()) {
        if (each < 0) {
          return null;
        }
        line.write(each);
      }
      try {
        ChangeLine.Read read = ChangeLine.parse(line.toString(StandardCharsets.UTF_8));
        offset += line.size() + 1L;
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
