package io.braid.serving.node;

import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.Seams;
import io.braid.serving.chunk.MappedFiles;
import io.braid.serving.files.Throttle;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apiguardian.api.API;

/**
 * Files to delete (section 4.2: asynchronously, to spare the disk), at a given rate. Files that a
 * crash leaves are deleted later.
 *
 * <p>A large file is made shorter step by step. Freeing all its space at once would block the file
 * system, and so readers that miss a page, for as long as that takes. No process may have such a
 * file mapped. A file that is mapped here waits until its last reader has gone. Only the name is
 * deleted while another process looks at the node's directory, and where a file has more than one
 * name.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Trash {
  private static final int STEP = 1 << 22;

  private final Path directory;
  private final Seams seams;
  private final DirectoryReaders readers;

  Trash(Path directory, Seams seams, DirectoryReaders readers) {
    this.directory = directory;
    this.seams = seams;
    this.readers = readers;
  }

  /** Takes a directory with all it holds. */
  void take(Path version) throws IOException {
    DurableFiles.move(version, place(String.valueOf(version.getFileName())));
  }

  /**
   * Takes single files.
   *
   * @param name of what they are to lie in
   */
  void take(String name, List<Path> files) throws IOException {
    if (!files.isEmpty()) {
      Path target = Files.createDirectory(place(name));
      for (Path file : files) {
        Files.move(file, target.resolve(file.getFileName()));
      }
    }
  }

  private Path place(String name) throws IOException {
    Files.createDirectories(directory);
    String dated = name + "-" + seams.wallMillis();
    Path target = directory.resolve(dated);
    for (int i = 1; Files.exists(target, LinkOption.NOFOLLOW_LINKS); i++) {
      target = directory.resolve(dated + "-" + i);
    }
    return target;
  }

  /** Whether there is nothing to delete. */
  public boolean isEmpty() throws IOException {
    return DurableFiles.list(directory).isEmpty();
  }

  /**
   * Deletes what is there and not mapped.
   *
   * @param bytesPerSecond how fast
   * @param stopped ends it early; the rest waits for the next time
   */
  public void empty(long bytesPerSecond, BooleanSupplier stopped) throws IOException {
    Throttle throttle = new Throttle(seams, Math.max(1, bytesPerSecond));
    for (Path taken : DurableFiles.list(directory)) {
      empty(taken, throttle, stopped);
    }
  }

  /** Deletes a directory, with those in it; answers whether nothing of it is left. */
  private boolean empty(Path taken, Throttle throttle, BooleanSupplier stopped) throws IOException {
    boolean all = true;
    for (Path file : DurableFiles.list(taken)) {
      if (stopped.getAsBoolean()) {
        return false;
      }
      if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        all &= empty(file, throttle, stopped);
      } else {
        if (!MappedFiles.has(file)) {
          delete(file, throttle, stopped);
        }
        all &= !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
      }
    }
    if (all) {
      DurableFiles.deleteTree(taken);
    }
    return all;
  }

  /** Deletes a file, unless it is stopped before. */
  private void delete(Path file, Throttle throttle, BooleanSupplier stopped) throws IOException {
    long bytes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).size();
    if (!isFree(file)) {
      Files.delete(file);
      pass(bytes, throttle, stopped, left -> {});
      return;
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (!pass(bytes, throttle, stopped, channel::truncate)) {
        return;
      }
    }
    Files.delete(file);
  }

  /** An action on a file of which so many bytes are to be left. */
  private interface Step {
    void to(long left) throws IOException;
  }

  /** Lets so many bytes pass, step by step; answers whether it was not stopped. */
  private static boolean pass(long bytes, Throttle throttle, BooleanSupplier stopped, Step step)
      throws IOException {
    for (long left = bytes; left > 0; ) {
      if (stopped.getAsBoolean()) {
        return false;
      }
      int part = (int) Math.min(STEP, left);
      throttle.pass(part);
      left -= part;
      step.to(left);
    }
    return true;
  }

  /** Returns whether a file has no other name and no other process looks at it. */
  private boolean isFree(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try {
      Object names = Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS);
      return names.equals(1) && !readers.any();
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }
}
