package io.braid.groups.log;

import io.braid.core.runtime.DurableFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A directory that belongs to this process alone. */
final class LocalFolder implements LogFolder {
  private final Path directory;
  private final Runnable requireOwned;
  private final KeptSegments kept;

  LocalFolder(Path directory, Runnable requireOwned) {
    this.directory = directory;
    this.requireOwned = requireOwned;
    this.kept = new KeptSegments(directory);
  }

  @Override
  public List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Override
  public byte[] read(String name) throws IOException {
    return Files.readAllBytes(directory.resolve(name));
  }

  @Override
  public OpenFile create(String name) throws IOException {
    RandomAccessFile file = new RandomAccessFile(directory.resolve(name).toFile(), "rw");
    DurableFiles.syncDirectory(directory);
    return new OpenFile() {
      @Override
      public void write(byte[] bytes, int length) throws IOException {
        requireOwned.run();
        file.write(bytes, 0, length);
      }

      @Override
      public void cut(long length) throws IOException {
        requireOwned.run();
        file.setLength(length);
        file.seek(length);
      }

      @Override
      public void force(boolean toDisk) throws IOException {
        if (toDisk) {
          file.getFD().sync();
        }
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }

  @Override
  public void keep(String name) throws IOException {
    requireOwned.run();
    kept.add(name);
  }

  /**
   * Takes over the files of an earlier life.
   *
   * @throws LogBrokenException when a file that may contain acknowledged entries was lost
   */
  void requireKept(List<String> names) throws IOException {
    Set<String> wanted = KeptSegments.read(directory);
    for (String each : wanted) {
      if (!names.contains(each) || Files.size(directory.resolve(each)) < Segment.HEAD) {
        throw new LogBrokenException(
            whereIs(each)
                + (names.contains(each) ? " was emptied" : " is missing")
                + ": commits of groups stood there that were acknowledged. Restore the file from a"
                + " copy.",
            null);
      }
    }
    kept.adopt(wanted);
  }

  /** Keeps only the first {@code end} bytes of a file, or removes it if that is none. */
  void cut(String name, long end) throws IOException {
    if (end == 0) {
      delete(name);
      return;
    }
    try (RandomAccessFile open = new RandomAccessFile(directory.resolve(name).toFile(), "rw")) {
      open.setLength(end);
      open.getFD().sync();
    }
  }

  @Override
  public void delete(String name) throws IOException {
    requireOwned.run();
    kept.remove(name);
    Files.deleteIfExists(directory.resolve(name));
  }

  @Override
  public String whereIs(String name) {
    return directory.resolve(name).toString();
  }

  @Override
  public void requireUnsealed() {
    requireOwned.run();
  }
}
