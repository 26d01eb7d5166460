package io.braid.store.rocksdb;

import io.braid.core.runtime.Durable;
import io.braid.core.store.StoreException;
import io.braid.core.store.StoreLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a store, while this process owns it: {@code FORMAT} says what it is, {@code
 * OWNER} is locked and says whose it is, {@code rocksdb} holds the data.
 *
 * <p>The lock of {@code OWNER} is one of the operating system, so it goes with the process. Such a
 * lock is lost as soon as the process closes any channel on the file, so what this process has open
 * is looked up in memory before the file is touched.
 */
final class StoreDirectory implements AutoCloseable {
  private static final Set<Path> OPEN_HERE = ConcurrentHashMap.newKeySet();

  /** Locked is a byte far behind the text, so that others can read it where locks forbid that. */
  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  private static final int LONGEST_OWNER = 4096;
  static final long ROOM = 8L << 20;

  private final Path path;
  private final FileChannel owner;

  private StoreDirectory(Path path, FileChannel owner) {
    this.path = path;
    this.owner = owner;
  }

  static StoreDirectory open(Path directory) {
    Path path;
    try {
      Durable.createDirectories(directory);
      path = directory.toRealPath();
    } catch (FileAlreadyExistsException e) {
      throw new StoreException("There is a file at " + directory + ": name a directory.", e);
    } catch (IOException e) {
      throw new StoreException("The directory " + directory + " cannot be created: " + e, e);
    }
    if (!OPEN_HERE.add(path)) {
      throw locked(path, "pid " + ProcessHandle.current().pid() + ", which is this process");
    }
    try {
      return own(path);
    } catch (IOException e) {
      OPEN_HERE.remove(path);
      throw new StoreException("The directory " + path + " cannot be opened: " + e, e);
    } catch (RuntimeException e) {
      OPEN_HERE.remove(path);
      throw e;
    }
  }

  /** Whether a directory holds a store. */
  static boolean holdsStore(Path directory) {
    return Files.isRegularFile(directory.resolve("FORMAT"));
  }

  private static StoreDirectory own(Path path) throws IOException {
    refuseStrange(path);
    FileChannel owner =
        FileChannel.open(
            path.resolve("OWNER"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      @Nullable FileLock lock = owner.tryLock(LOCKED_BYTE, 1, false);
      if (lock == null) {
        throw locked(path, read(owner));
      }
      write(owner, "pid " + ProcessHandle.current().pid());
      FormatFile.ensure(path.resolve("FORMAT"));
      return new StoreDirectory(path, owner);
    } catch (IOException | RuntimeException e) {
      owner.close();
      throw e;
    }
  }

  /** Refuses a directory with files in it that is no store. */
  private static void refuseStrange(Path path) throws IOException {
    if (Files.exists(path.resolve("FORMAT"))) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        if (!file.getFileName().toString().equals("OWNER")
            && !file.getFileName().toString().equals("FORMAT.new")) {
          throw new StoreException(
              "The directory "
                  + path
                  + " is not empty and holds no store of Braid. Give another directory.");
        }
      }
    }
  }

  private static StoreLockedException locked(Path path, String owner) {
    return new StoreLockedException(
        "The store in "
            + path
            + " is locked by "
            + owner
            + ". One process opens a store at a time: stop that one, or use another directory.");
  }

  private static String read(FileChannel owner) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(LONGEST_OWNER);
    owner.read(text, 0);
    String line = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
    return line.isEmpty() ? "another process" : line;
  }

  private static void write(FileChannel owner, String text) throws IOException {
    owner.truncate(0);
    owner.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)), 0);
  }

  /** Whether there is room to open the data again and go on. */
  boolean hasRoom() {
    try {
      return Files.getFileStore(path).getUsableSpace() >= ROOM;
    } catch (IOException e) {
      return false;
    }
  }

  Path path() {
    return path;
  }

  Path database() {
    return path.resolve("rocksdb");
  }

  @Override
  public String toString() {
    return path.toString();
  }

  /** Gives the directory up. */
  @Override
  public void close() {
    try {
      owner.truncate(0);
      owner.close();
    } catch (IOException e) {
      throw new StoreException("The lock of " + path + " cannot be given up.", e);
    } finally {
      OPEN_HERE.remove(path);
    }
  }
}
