package io.braid.serving.node;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Processes that look at a node's directory without owning it, such as one that reads a version
 * through. Each holds a shared lock on a file beside the owner's; while one does, nothing that it
 * may have mapped is made shorter.
 */
final class DirectoryReaders implements AutoCloseable {
  private static final String FILE = ".lookers";

  private final @Nullable FileChannel channel;

  private DirectoryReaders(@Nullable FileChannel channel) {
    this.channel = channel;
  }

  /** Opens the lock for the owner, which asks whether there is {@link #any}. */
  static DirectoryReaders own(Path node) throws IOException {
    return new DirectoryReaders(
        FileChannel.open(
            node.resolve(FILE),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE));
  }

  /**
   * Opens the lock for a process that looks, until the result is closed. A directory that never had
   * an owner has no file.
   */
  static DirectoryReaders look(Path node) throws IOException {
    Path file = node.resolve(FILE);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return new DirectoryReaders(null);
    }
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      channel.lock(0, 1, true);
      return new DirectoryReaders(channel);
    } catch (OverlappingFileLockException e) {
      // This process knows its own mappings without a lock.
      return new DirectoryReaders(channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Whether another process may be looking. One that begins after this finds nothing any more that
   * was taken away before.
   */
  boolean any() throws IOException {
    if (channel == null) {
      return true;
    }
    try (FileLock lock = channel.tryLock(0, 1, false)) {
      return lock == null;
    } catch (OverlappingFileLockException e) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
