package io.braid.groups.log;

import io.braid.core.runtime.Durable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A directory that belongs to this process alone. */
final class LocalFolder implements LogFolder {
  private final Path directory;
  private final boolean synced;
  private final Runnable requireOwned;

  LocalFolder(Path directory, boolean synced, Runnable requireOwned) {
    this.directory = directory;
    this.synced = synced;
    this.requireOwned = requireOwned;
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
    if (synced) {
      Durable.syncDirectory(directory);
    }
    return new OpenFile() {
      @Override
      public void write(byte[] bytes) throws IOException {
        requireOwned.run();
        file.write(bytes);
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

  /** Keeps only so many bytes of a file, or removes it if that is none. */
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
