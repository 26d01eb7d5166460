package io.braid.backup;

import io.braid.backup.Backup.Progress;
import io.braid.backup.BackupManifest.FileEntry;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * The files of a store in the folder of a backup: copied there, compared with the manifest, and
 * copied to where a store is to be opened.
 */
final class StoreFiles {
  private static final String STORE = "store";

  /** The folder in the directory of a store that has its data. */
  private static final String DATA = "rocksdb";

  private final Path folder;
  private final Progress progress;

  /**
   * @param backup its folder
   */
  StoreFiles(Path backup, Progress progress) {
    this.folder = backup.resolve(STORE);
    this.progress = progress;
  }

  /**
   * Copies all files of a store.
   *
   * @return their entries in the manifest
   */
  List<FileEntry> copy(Path store) throws IOException {
    Files.createDirectories(folder.resolve(DATA));
    List<FileEntry> files = new ArrayList<>();
    CheckedCopy copy = new CheckedCopy(counted("copying"));
    for (Path each : files(store)) {
      String name = store.relativize(each).toString().replace('\\', '/');
      files.add(copy.copy(each, name, folder.resolve(name)));
    }
    return files;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Reads all files and compares them with the manifest. */
  void check(BackupManifest manifest) throws IOException {
    CheckedCopy reads = new CheckedCopy(counted("verifying"));
    for (FileEntry each : manifest.files()) {
      compare(each, reads.read(folder.resolve(each.name()), each.name()));
    }
  }

  /** Copies all files into the directory of a store to be, and compares them with the manifest. */
  void restore(BackupManifest manifest, Path directory) throws IOException {
    Files.createDirectories(directory.resolve(DATA));
    CheckedCopy copy = new CheckedCopy(counted("restoring"));
    for (FileEntry each : manifest.files()) {
      Path from = folder.resolve(each.name());
      compare(each, copy.copy(from, each.name(), directory.resolve(each.name())));
    }
  }

  /**
   * As {@link #restore}, to be read only: the sorted files become links, and nothing is compared.
   */
  void link(BackupManifest manifest, Path directory) throws IOException {
    Files.createDirectories(directory.resolve(DATA));
    for (FileEntry each : manifest.files()) {
      Path from = folder.resolve(each.name());
      if (each.name().endsWith(".sst")) {
        Files.createLink(directory.resolve(each.name()), from);
      } else {
        Files.copy(from, directory.resolve(each.name()));
      }
    }
  }

  private static void compare(FileEntry wanted, FileEntry found) {
    if (!wanted.equals(found)) {
      throw new BraidException(
          ErrorCode.BACKUP,
          "File " + wanted.name() + " of the backup is damaged: use another backup.");
    }
  }

  private LongConsumer counted(String step) {
    long[] done = {0};
    return bytes -> {
      done[0] += bytes;
      progress.at(step, done[0]);
    };
  }
}
