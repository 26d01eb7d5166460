package io.braid.serving.files;

import io.braid.core.runtime.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A line of text that changes in place. Making a change durable costs the disk one short write and
 * does not wait for the writes of others. (A rename waits for the journal of the file system.)
 *
 * <p>The file has two copies of equal room, each {@linkplain SealedLine sealed} and numbered. A
 * change is made durable in one copy, which leads. Then the change is written to the other copy,
 * which the system brings to the disk later. The next change leads with that other copy, so the
 * durable copy stays intact meanwhile: at any moment one of the copies is whole on disk. A crash
 * leaves the line before or after the change. A copy that is damaged later does no harm while the
 * other copy exists; in that case a change makes both durable.
 */
public final class TwinFile {
  /** The room of one copy at first; it doubles when a line does not fit. */
  static final int ROOM = 4 << 10;

  private static final Pattern NUMBERED = Pattern.compile("[1-9][0-9]{0,17} ");
  private static final int MOST_ROOM = 4 << 20;

  /** A file that is being changed can show both copies half written; but not for long. */
  private static final int LOOKS = 5;

  private final Path file;

  public TwinFile(Path file) {
    this.file = file;
  }

  /** The content of a file. */
  private record Content(long number, String line, boolean first, boolean second, int room) {}

  /**
   * The line.
   *
   * @return nothing when neither copy is whole
   * @throws NoSuchFileException when there is no file
   */
  public Optional<String> read() throws IOException {
    return content().map(Content::line);
  }

  /** Changes the line, durably; the file is made when there is none. */
  public void write(String line) throws IOException {
    Optional<Content> before;
    try {
      before = content();
    } catch (NoSuchFileException e) {
      before = Optional.empty();
    }
    long number = before.map(Content::number).orElse(0L) + 1;
    byte[] sealed = SealedLine.encode(number + " " + line);
    int room = before.map(Content::room).orElse(ROOM);
    if (before.isEmpty() || sealed.length > room) {
      create(sealed, room);
      return;
    }
    byte[] copy = Arrays.copyOf(sealed, room);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      Content was = before.get();
      boolean firstLeads = firstLeads(number, was.first(), was.second());
      put(channel, copy, firstLeads ? 0 : room);
      channel.force(false);
      put(channel, copy, firstLeads ? room : 0);
      if (!was.first() || !was.second()) {
        channel.force(false);
      }
    }
  }

  /**
   * Returns whether a change is written to the first copy first. The only whole copy never leads.
   * If both are whole, the copy that led before does not lead: the other one may not be on disk
   * yet.
   *
   * @param first whether the first copy has the previous change
   * @param second whether the second copy has the previous change
   */
  static boolean firstLeads(long number, boolean first, boolean second) {
    return first && second ? number % 2 == 1 : second;
  }

  private static void put(FileChannel channel, byte[] copy, int at) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(copy);
    while (bytes.hasRemaining()) {
      channel.write(bytes, at + bytes.position());
    }
  }

  private void create(byte[] sealed, int least) throws IOException {
    int room = least;
    while (room < sealed.length) {
      room *= 2;
    }
    if (room > MOST_ROOM) {
      throw new IOException("A line of " + sealed.length + " bytes is too long for " + file + ".");
    }
    byte[] both = Arrays.copyOf(sealed, 2 * room);
    System.arraycopy(sealed, 0, both, room, sealed.length);
    DurableFiles.write(file, both);
  }

  private Optional<Content> content() throws IOException {
    Optional<Content> content = Optional.empty();
    for (int i = 0; i < LOOKS && content.isEmpty(); i++) {
      content = decode(DurableFiles.read(file, 2 * MOST_ROOM));
    }
    return content;
  }

  private static Optional<Content> decode(byte[] bytes) {
    int room = bytes.length / 2;
    Optional<String> first = copy(bytes, 0, room);
    Optional<String> second = copy(bytes, room, 2 * room);
    long one = first.map(TwinFile::number).orElse(0L);
    long two = second.map(TwinFile::number).orElse(0L);
    long newest = Math.max(one, two);
    if (newest == 0) {
      return Optional.empty();
    }
    String line = (one == newest ? first : second).orElseThrow();
    return Optional.of(
        new Content(
            newest, line.substring(line.indexOf(' ') + 1), one == newest, two == newest, room));
  }

  private static Optional<String> copy(byte[] bytes, int from, int to) {
    int end = from;
    while (end < to && bytes[end] != 0) {
      end++;
    }
    return SealedLine.decode(Arrays.copyOfRange(bytes, from, end))
        .filter(line -> NUMBERED.matcher(line).lookingAt());
  }

  private static long number(String line) {
    return Long.parseLong(line.substring(0, line.indexOf(' ')));
  }
}
