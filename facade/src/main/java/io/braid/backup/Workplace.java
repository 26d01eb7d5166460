package io.braid.backup;

import io.braid.core.runtime.Durable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that is made beside its place, in a folder of its own, and gets its name by one rename
 * when all of it is there and durable. What a crash leaves behind is no backup and opens as no
 * database; the next one removes it.
 */
final class Workplace {
  private static final String MARK = "BRAID-UNFINISHED";

  /** The folder that is made, within. */
  private static final String MADE = "made";

  private final Path place;

  /** What there is until it has its name. */
  private final Path folder;

  private Workplace(Path place, Path folder) {
    this.place = place;
    this.folder = folder;
  }

  /**
   * Begins one.
   *
   * @throws BackupException when there is something at its place
   */
  static Workplace begin(Path place) throws IOException {
    Path whole = place.toAbsolutePath().normalize();
    if (Files.exists(whole, LinkOption.NOFOLLOW_LINKS) && !isEmptyFolder(whole)) {
      throw new BackupException(
          "There is something at " + place + ", and nothing is overwritten: name a new folder.");
    }
    Path parent = whole.getParent();
    if (parent == null) {
      throw new BackupException("'" + place + "' is no place for a folder.");
    }
    Durable.createDirectories(parent);
    Path folder = whole.resolveSibling(whole.getFileName() + ".unfinished");
    if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      if (!Files.exists(folder.resolve(MARK))) {
        throw new BackupException(folder + " is in the way, and not of Braid: remove it.");
      }
      delete(folder);
    }
    Files.createDirectory(folder);
    Files.createFile(folder.resolve(MARK));
    Files.createDirectory(folder.resolve(MADE));
    return new Workplace(whole, folder);
  }

  private static boolean isEmptyFolder(Path path) throws IOException {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      return !files.iterator().hasNext();
    }
  }

  Path folder() {
    return folder.resolve(MADE);
  }

  /** Gives it its name. */
  void finish() throws IOException {
    syncAll(folder());
    Files.move(
        folder(), place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    delete(folder);
    Durable.syncDirectory(place.resolveSibling("."));
  }

  private static void syncAll(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.filter(Files::isDirectory).toList()) {
        Durable.syncDirectory(each);
      }
    }
  }

  /** Removes what was done. */
  void abandon() throws IOException {
    delete(folder);
  }

  static void delete(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(folder)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.deleteIfExists(each);
    }
  }
}
