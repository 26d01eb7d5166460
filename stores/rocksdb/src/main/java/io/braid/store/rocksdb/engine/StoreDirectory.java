package io.braid.store.rocksdb.engine;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.OwnedFile;
import io.braid.core.store.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory of a store, while this process owns it: {@code FORMAT} says what it is, {@code
 * OWNER} is locked and says whose it is, {@code rocksdb} holds the data.
 *
 * <p>{@link OwnedFile} tells how a second process is kept out, and how this one notices that it was
 * not.
 */
public final class StoreDirectory implements AutoCloseable {
  static final long ROOM = 8L << 20;

  private final Path path;
  private final OwnedFile owner;

  private StoreDirectory(Path path, OwnedFile owner) {
    this.path = path;
    this.owner = owner;
  }

  public static StoreDirectory open(Path directory) {
    Path path;
    try {
      DurableFiles.createPrivateDirectories(directory);
      path = directory.toRealPath();
    } catch (FileAlreadyExistsException e) {
      throw new StoreException("There is a file at " + directory + ": name a directory.", e);
    } catch (IOException e) {
      throw new StoreException("The directory " + directory + " cannot be created: " + e, e);
    }
    try {
      return own(path);
    } catch (IOException e) {
      throw new StoreException("The directory " + path + " cannot be opened: " + e, e);
    }
  }

  /** Whether a directory holds a store. */
  public static boolean holdsStore(Path directory) {
    return Files.isRegularFile(directory.resolve("FORMAT"));
  }

  private static StoreDirectory own(Path path) throws IOException {
    refuseStrange(path);
    Path file = path.resolve("OWNER");
    OwnedFile owner = OwnedFile.tryOwn(file);
    if (owner == null) {
      throw locked(path, OwnedFile.owner(file));
    }
    try {
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
    if (Files.exists(path.resolve("BRAID-UNFINISHED"))) {
      throw new StoreException(
          path
              + " is what a backup or a restore left that did not come to its end. Begin that"
              + " again, which removes it.");
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

  private static StoreException locked(Path path, String owner) {
    return new StoreException(
        ErrorCode.LOCKED,
        "The store in "
            + path
            + " is locked by "
            + owner
            + ". One process opens a store at a time: stop that one, or use another directory.");
  }

  /**
   * Returns the file that says which process owns the directory, and whether that is still this
   * process.
   */
  public OwnedFile owner() {
    return owner;
  }

  /**
   * Returns the room it takes to open the data. The contents of the log may be written into sorted
   * files before the log goes.
   */
  static long roomToOpen(Path database) {
    long log = 0;
    try (DirectoryStream<Path> logs = Files.newDirectoryStream(database, "*.log")) {
      for (Path each : logs) {
        log += Files.size(each);
      }
    } catch (IOException e) {
      return ROOM;
    }
    return ROOM + log;
  }

  static long mebibytes(long bytes) {
    return (bytes + (1 << 20) - 1) >> 20;
  }

  long roomToOpen() {
    return roomToOpen(database());
  }

  /** Whether there is room to open the data again and go on. */
  public boolean hasRoom() {
    try {
      return Files.getFileStore(path).getUsableSpace() >= roomToOpen();
    } catch (IOException e) {
      return false;
    }
  }

  public Path path() {
    return path;
  }

  public Path database() {
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
      owner.close();
    } catch (IOException e) {
      throw new StoreException("The lock of " + path + " cannot be given up.", e);
    }
  }
}
