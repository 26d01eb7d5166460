package io.braid.backup;

import io.braid.Braid;
import io.braid.backup.BackupManifest.FileEntry;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.time.Lineage;
import io.braid.core.transaction.Snapshot;
import io.braid.store.rocksdb.RocksStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * Makes, verifies and restores backups. Writers go on meanwhile. A backup of a database in a
 * directory is a copy of the store at one moment, as a crash at that moment would have left it.
 * Committed data is in the copy. Transactions under way are rolled back, or forward, by the process
 * that opens the copy. A backup of rows, of a database in any store, has all rows of all tables as
 * of one timestamp, and can be restored into any store.
 *
 * <pre>{@code
 * Backup backup = new Backup((step, bytes) -> {});
 * backup.create(db, Path.of("monday"));
 * backup.increment(db, Path.of("monday"), Path.of("tuesday"));
 * backup.restore(Path.of("monday"), List.of(Path.of("tuesday")), Path.of("restored"));
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL)
public final class Backup {
  private final Progress progress;

  /** Receives the progress, in the caller's thread. An exception ends the work. */
  public interface Progress {
    /**
     * @param step what is being done
     * @param bytes how many bytes of it are done
     */
    void at(String step, long bytes);
  }

  /**
   * The contents found in a backup or in an increment.
   *
   * @param timestamp drawn when the backup was begun: everything acknowledged before is in the
   *     backup. With an increment, everything is as it was at the timestamp
   * @param rows the number of rows of each table; for an increment, the number of rows or changes
   *     of rows that it brings
   */
  public record Contents(long timestamp, long bytes, int files, Map<String, Long> rows) {
    public Contents {
      rows = new TreeMap<>(rows);
    }

    Contents at(long when) {
      return new Contents(when, bytes, files, rows);
    }
  }

  /** Makes, verifies and restores nothing yet. */
  public Backup(Progress progress) {
    this.progress = progress;
  }

  /**
   * Makes a backup of an open database, reads it back and counts its contents. Where the store is
   * not a directory of this process, the backup is one of rows.
   *
   * @param to a folder that is not there yet; it appears when all is done
   * @throws BraidException {@code BACKUP} when something is there, or it cannot be made
   */
  public Contents create(Braid db, Path to) {
    if (!(db.store() instanceof RocksStore store)) {
      return createOfRows(db, to);
    }
    try {
      try (WorkFolder work = WorkFolder.begin(to)) {
        try {
          BackupManifest manifest = copy(db, store, work.folder());
          seal(work.folder(), manifest.text());
          StoreFiles files = new StoreFiles(work.folder(), progress);
          files.check(manifest);
          Contents contents = readBack(files, manifest, work.folder().resolve("read-back"));
          work.finish();
          return contents;
        } catch (IOException | RuntimeException e) {
          work.abandon();
          throw e;
        }
      }
    } catch (IOException e) {
      throw notMade(e);
    }
  }

  private static BraidException notMade(IOException e) {
    boolean said =
        e instanceof FileSystemException file
            ? file.getReason() != null
            : e.getClass() == IOException.class && e.getMessage() != null;
    return new BraidException(
        ErrorCode.BACKUP,
        "The backup could not be made: " + (said ? e.getMessage() : e.toString()),
        e);
  }

  private BackupManifest copy(Braid db, RocksStore store, Path to) throws IOException {
    // Before the copy, so that the copy has it too.
    String lineage = Lineage.of(db.store(), db.loads().seams().random());
    new ShippedGroups(db).bring();
    long timestamp;
    try (Snapshot now = db.snapshot()) {
      timestamp = now.timestamp();
    }
    // Taken before the copy: a transaction that commits below the timestamp while it is made may be
    // rolled back in the copy, and comes by the feed.
    Map<String, Long> resolved = Increment.resolved(db);
    Path links = store.checkpoint();
    try {
      List<FileEntry> files = new StoreFiles(to, progress).copy(links);
      return new BackupManifest(lineage, timestamp, resolved, files);
    } finally {
      WorkFolder.delete(links);
    }
  }

  private Contents readBack(StoreFiles files, BackupManifest manifest, Path to) throws IOException {
    files.link(manifest, to);
    Contents contents = new CopyReader(progress).contents(to, manifest);
    WorkFolder.delete(to);
    return contents;
  }

  private static void seal(Path folder, String manifest) throws IOException {
    DurableFiles.write(
        folder.resolve(ManifestText.NAME), manifest.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Makes an increment of an open database: what has changed since a backup, or since another
   * increment.
   *
   * @param since the folder of that one
   * @param to a folder that is not there yet; it appears when all is done
   * @throws BraidException {@code BACKUP} when something is there, or it cannot be made
   */
  public Contents increment(Braid db, Path since, Path to) {
    return written(db, to, increment -> increment.write(since));
  }

  /**
   * Makes a backup of rows of an open database, reads it back and counts its contents. The backup
   * holds no indexes: create them again in the restored database.
   *
   * @param to a folder that is not there yet; it appears when all is done
   * @throws BraidException {@code BACKUP} when something is there, or it cannot be made
   */
  public Contents createOfRows(Braid db, Path to) {
    return written(db, to, Increment::writeRows);
  }

  private interface IncrementWriter {
    IncrementManifest write(Increment increment) throws IOException;
  }

  private Contents written(Braid db, Path to, IncrementWriter writing) {
    try {
      try (WorkFolder work = WorkFolder.begin(to)) {
        try {
          new ShippedGroups(db).bring();
          IncrementManifest manifest = writing.write(new Increment(db, work.folder(), progress));
          seal(work.folder(), manifest.text());
          Contents contents = Increment.check(work.folder(), progress);
          work.finish();
          return contents;
        } catch (IOException | RuntimeException e) {
          work.abandon();
          throw e;
        }
      }
    } catch (IOException e) {
      throw notMade(e);
    }
  }

  /**
   * Makes a database out of a backup, checking every byte.
   *
   * @param to a folder that is not there yet; it appears when all is done
   * @throws BraidException {@code BACKUP} when something is there, or the backup is damaged;
   *     nothing was changed
   */
  public Contents restore(Path backup, Path to) {
    return restore(backup, List.of(), to);
  }

  /**
   * As {@link #restore(Path, Path)}, brought forward by increments: all tables as they were at the
   * timestamp of the last one.
   *
   * @param increments each made since the one before, the first one since the backup
   */
  public Contents restore(Path backup, List<Path> increments, Path to) {
    return restore(backup, increments, RestoreMoment.END.timestamp(), to);
  }

  /**
   * As {@link #restore(Path, List, Path)}, up to a timestamp within the last increment: later
   * commits are left out.
   *
   * @throws BraidException {@code BACKUP} also when the timestamp does not lie within the last
   *     increment, or a table's changes were not kept, so that the increment has its rows at the
   *     end only
   */
  public Contents restore(Path backup, List<Path> increments, long timestamp, Path to) {
    try {
      return new Restore(backup, increments, new RestoreMoment(timestamp), progress).into(to);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static BraidException failed(IOException why) {
    String what =
        why instanceof NoSuchFileException
            ? "file " + why.getMessage() + " is missing. Take another backup"
            : why.getMessage() == null ? why.toString() : why.getMessage();
    return new BraidException(
        ErrorCode.BACKUP, "The backup could not be restored: " + what + ".", why);
  }

  /**
   * Restores a backup of rows into a database that is open and has no table yet: one in HBase, or
   * in any other store. Nobody else may use it meanwhile. When this fails the tables that it made
   * are dropped; a crash leaves them, to be dropped by hand.
   *
   * @param increments each made since the one before, the first one since the backup
   * @throws BraidException {@code BACKUP} when there are tables, the backup is one of files, or it
   *     is damaged; nothing was changed then
   */
  public Contents restoreInto(Braid db, Path backup, List<Path> increments) {
    return restoreInto(db, backup, increments, RestoreMoment.END.timestamp());
  }

  /**
   * As {@link #restoreInto(Braid, Path, List)}, up to a timestamp within the last increment.
   *
   * @throws BraidException {@code BACKUP} also when the timestamp does not lie there
   */
  public Contents restoreInto(Braid db, Path backup, List<Path> increments, long timestamp) {
    try {
      return new Restore(backup, increments, new RestoreMoment(timestamp), progress).into(db);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * Checks a backup or an increment: compares its files with their checksums.
   *
   * @throws BraidException {@code BACKUP} when it is damaged
   */
  public Contents verify(Path backup) {
    try {
      if (IncrementManifest.isFirst(ManifestText.read(backup))) {
        return Increment.check(backup, progress);
      }
      BackupManifest manifest = BackupManifest.read(backup);
      new StoreFiles(backup, progress).check(manifest);
      return new Contents(
          manifest.timestamp(), manifest.bytes(), manifest.files().size(), Map.of());
    } catch (IOException e) {
      throw new BraidException(ErrorCode.BACKUP, "The backup cannot be read: " + e, e);
    }
  }
}
