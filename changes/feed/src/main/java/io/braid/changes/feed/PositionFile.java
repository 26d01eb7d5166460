package io.braid.changes.feed;

import io.braid.core.runtime.DurableFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Keeps the position of a remote sink, with the table and the target that it is of: replaced as a
 * whole, after changes were taken.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class PositionFile {
  private final Path file;
  private final String target;

  /**
   * @param file created if it is missing
   * @param target where the changes go
   */
  public PositionFile(Path file, String target) {
    this.file = file;
    this.target = target;
  }

  /**
   * Returns the position that was written last; empty if none was written.
   *
   * @throws ChangesException when it is of another table or target
   */
  public Optional<Position> read(String table) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    // Files of earlier versions do not name the table and the target.
    String[] words = Files.readString(file).strip().split(" ", 3);
    if (words.length > 1) {
      requireSame(file, words[1], table);
    }
    if (words.length > 2 && !words[2].equals(target)) {
      throw new ChangesException(
          "The file " + file + " belongs to the feed to " + words[2] + ": name another file.");
    }
    return Optional.of(Position.parse(words[0]));
  }

  /** Durable when it returns: a loss of power leaves this position or the one before. */
  public void write(String table, Position position) throws IOException {
    DurableFiles.write(
        file, (position + " " + table + " " + target).getBytes(StandardCharsets.UTF_8));
  }

  /** A position says nothing about the changes of another table. */
  static void requireSame(Path file, String has, String wanted) {
    if (!has.equals(wanted)) {
      throw new ChangesException(
          "The file "
              + file
              + " belongs to the feed of table "
              + has
              + ": name another file for table "
              + wanted
              + ".");
    }
  }

  /**
   * Keeps other feeds from using a file: of two feeds, each would miss what the other has brought.
   * The lock is on a file beside it. A lock on the file itself would be lost when any part of this
   * process closes the file.
   *
   * @return to be closed at the end
   * @throws ChangesException when another feed uses the file
   */
  static FileChannel lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file.resolveSibling(file.getFileName() + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    try {
      if (!isLocked(channel)) {
        throw new ChangesException(
            "Another feed uses " + file + " now: wait until it has ended, or name another file.");
      }
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // of this process
    }
  }
}
