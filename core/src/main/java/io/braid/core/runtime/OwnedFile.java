package io.braid.core.runtime;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A file that one process at a time owns, for as long as it lives.
 *
 * <p>Within a process it is known beside the operating system who owns what: POSIX gives up all
 * locks of a process on a file when it closes <em>any</em> descriptor of it. So whoever only looked
 * whether the file is owned here would have made it free for other processes.
 */
public final class OwnedFile implements AutoCloseable {
  private static final Set<Path> OWNED_HERE = ConcurrentHashMap.newKeySet();

  /** Locked is a byte far behind the text, so that others can read who it is. */
  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  private final Path path;
  private final FileChannel channel;

  private OwnedFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Owns a file in a directory that is there; makes it if need be.
   *
   * @return null when it is owned, by another process or by this one
   */
  public static @Nullable OwnedFile tryOwn(Path file) throws IOException {
    Path path = real(file);
    if (!OWNED_HERE.add(path)) {
      return null;
    }
    boolean owned = false;
    try {
      FileChannel channel =
          FileChannel.open(
              path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        FileLock lock = channel.tryLock(LOCKED_BYTE, 1, false);
        owned = lock != null;
        return owned ? new OwnedFile(path, channel) : null;
      } finally {
        if (!owned) {
          channel.close();
        }
      }
    } finally {
      if (!owned) {
        OWNED_HERE.remove(path);
      }
    }
  }

  /** Whether this process owns a file: then it must not be opened once more. */
  public static boolean isOwnedHere(Path file) throws IOException {
    return OWNED_HERE.contains(real(file));
  }

  private static Path real(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path parent = absolute.getParent();
    return parent == null ? absolute : parent.toRealPath().resolve(absolute.getFileName());
  }

  /** To write down who owns it. */
  public FileChannel channel() {
    return channel;
  }

  /** Gives it up. */
  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      OWNED_HERE.remove(path);
    }
  }
}
