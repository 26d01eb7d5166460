package io.braid.core.runtime;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Steps on a file system that a crash leaves done or not done, never half. An interrupt of the
 * thread breaks none of them, and stays set.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class DurableFiles {
  private DurableFiles() {}

  /** Gives a file this content: a reader, and a restart, see the old content or the new. */
  public static void write(Path file, byte[] content) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try (FileOutputStream out = new FileOutputStream(fresh.toFile())) {
      out.write(content);
      out.getFD().sync();
    }
    move(fresh, file);
  }

  /** Renames a file or directory, over one that is there, durably. */
  public static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncDirectory(parent(to));
  }

  /** Makes what was written to a file durable; its name is, once its directory is synced too. */
  public static void sync(Path file) throws IOException {
    force(file, StandardOpenOption.WRITE);
  }

  /** Makes a directory, and those above it that are not there yet; their names are durable. */
  public static void createDirectories(Path directory) throws IOException {
    createDirectories(directory, new FileAttribute<?>[0]);
  }

  private static void createDirectories(Path directory, FileAttribute<?>[] attributes)
      throws IOException {
    Path whole = directory.toAbsolutePath().normalize();
    Path there = whole;
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    Files.createDirectories(directory, attributes);
    for (Path each = whole; there != null && !each.equals(there); each = parent(each)) {
      syncDirectory(parent(each));
    }
  }

  /**
   * As {@link #createDirectories}; only the user of this process can enter the directories that it
   * makes. A directory that is there keeps its permissions.
   */
  public static void createPrivateDirectories(Path directory) throws IOException {
    createDirectories(directory, OwnerOnly.directory(directory));
  }

  /** Makes the names in a directory durable. */
  public static void syncDirectory(Path directory) throws IOException {
    force(directory, StandardOpenOption.READ);
  }

  private static void force(Path file, StandardOpenOption how) throws IOException {
    UninterruptedWork.againStep(
        () -> {
          try (FileChannel channel = FileChannel.open(file, how)) {
            channel.force(true);
          }
        });
  }

  /** The names in a directory, sorted; none when there is no directory. */
  public static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /** Deletes a directory with all it holds. Links are deleted, not followed. */
  public static void deleteTree(Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(all::add);
    }
    for (Path file : all) {
      Files.deleteIfExists(file);
    }
  }

  /**
   * Reads a file that must be small.
   *
   * @throws IOException when it is longer than {@code limit}
   */
  public static byte[] read(Path file, int limit) throws IOException {
    long size = Files.size(file);
    if (size > limit) {
      throw new IOException("File " + file + " has " + size + " bytes; at most " + limit + " fit.");
    }
    return Files.readAllBytes(file);
  }

  private static Path parent(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }
}
