package io.braid.backup;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.OwnedFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that is made beside its place, inside an unfinished folder, and gets its name by one
 * rename when it is whole and durable. Of all processes, only one at a time makes it. The remains
 * of a crash are not a backup and do not open as a database; the next attempt removes them.
 */
final class WorkFolder implements AutoCloseable {
  private static final String MARK = "BRAID-UNFINISHED";

  /** The name of the folder that is made, within the unfinished folder. */
  private static final String MADE = "made";

  private final Path place;

  /** The unfinished folder, which exists until the rename. */
  private final Path folder;

  private final OwnedFile mark;

  private WorkFolder(Path place, Path folder, OwnedFile mark) {
    this.place = place;
    this.folder = folder;
    this.mark = mark;
  }

  /**
   * Begins one.
   *
   * @throws BraidException {@code BACKUP} when its place is taken, or another backup or restore
   *     makes it now
   */
  static WorkFolder begin(Path place) throws IOException {
    Path whole = place.toAbsolutePath().normalize();
    requireNothingAt(whole, place);
    Path parent = whole.getParent();
    if (parent == null) {
      throw new BraidException(ErrorCode.BACKUP, "'" + place + "' is no place for a folder.");
    }
    DurableFiles.createPrivateDirectories(parent);
    Path folder = whole.resolveSibling(whole.getFileName() + ".unfinished");
    if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)
        && !Files.exists(folder.resolve(MARK))
        && !isEmptyFolder(folder)) {
      throw new BraidException(
          ErrorCode.BACKUP, folder + " is in the way, and not of Braid: remove it.");
    }
    OwnedFile mark;
    try {
      DurableFiles.createPrivateDirectories(folder);
      mark = OwnedFile.tryOwn(folder.resolve(MARK));
    } catch (NoSuchFileException e) {
      mark = null; // the other one has just ended
    }
    if (mark == null) {
      throw new BraidException(
          ErrorCode.BACKUP,
          "Another backup or restore makes " + place + " now: wait until it has ended.");
    }
    WorkFolder work = new WorkFolder(whole, folder, mark);
    try {
      requireNothingAt(whole, place); // it may have come while the mark was taken
      work.clear();
      DurableFiles.createPrivateDirectories(work.folder());
      return work;
    } catch (IOException | RuntimeException e) {
      try (work) {
        work.abandon();
      }
      throw e;
    }
  }

  private static void requireNothingAt(Path whole, Path named) throws IOException {
    if (Files.exists(whole, LinkOption.NOFOLLOW_LINKS) && !isEmptyFolder(whole)) {
      throw new BraidException(
          ErrorCode.BACKUP,
          "There is something at " + named + ", and nothing is overwritten: name a new folder.");
    }
  }

  /** Removes the remains of a crash. */
  private void clear() throws IOException {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
      for (Path each : left) {
        if (!each.endsWith(MARK)) {
          delete(each);
        }
      }
    }
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

  /** Gives the folder its name. */
  void finish() throws IOException {
    syncAll(folder());
    if (!mark.isOurs()) {
      throw new BraidException(ErrorCode.BACKUP, mark.whyNot());
    }
    Files.move(
        folder(), place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    abandon();
    DurableFiles.syncDirectory(place.resolveSibling("."));
  }

  private static void syncAll(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.filter(Files::isDirectory).toList()) {
        DurableFiles.syncDirectory(each);
      }
    }
  }

  /** Removes the unfinished folder, unless it belongs to another process by now. */
  void abandon() throws IOException {
    if (mark.isOurs()) {
      delete(folder);
    }
  }

  /** Lets others make the folder. */
  @Override
  public void close() throws IOException {
    mark.close();
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
