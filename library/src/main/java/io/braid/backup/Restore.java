package io.braid.backup;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.backup.Backup.Contents;
import io.braid.backup.Backup.Progress;
import io.braid.changes.feed.ChangeLogs;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.time.Lineage;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.transaction.Snapshot;
import io.braid.indexes.Index;
import io.braid.store.rocksdb.RocksOptions;
import io.braid.store.rocksdb.RocksStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes a database out of a backup and the increments after it. */
final class Restore {
  private final Path backup;
  private final List<Path> increments;
  private final RestoreMoment moment;
  private final Progress progress;

  /**
   * @param increments each made since the one before, the first one since the backup
   * @param moment within the last of them
   */
  Restore(Path backup, List<Path> increments, RestoreMoment moment, Progress progress) {
    this.backup = backup;
    this.increments = increments;
    this.moment = moment;
    this.progress = progress;
  }

  /**
   * @param to a folder that is not there yet; it appears when all is done
   */
  Contents into(Path to) throws IOException {
    return IncrementManifest.isWhole(backup) ? rowsInto(to) : filesInto(to);
  }

  private Contents filesInto(Path to) throws IOException {
    BackupManifest manifest = BackupManifest.read(backup);
    checkIncrements();
    try (WorkFolder work = WorkFolder.begin(to)) {
      try {
        new StoreFiles(backup, progress).restore(manifest, work.folder());
        requireAfterCopy(work.folder());
        complete(work.folder(), increments, manifest.resolved());
        work.finish();
      } catch (IOException | RuntimeException e) {
        work.abandon();
        throw e;
      }
    }
    Contents contents = new CopyReader(progress).contents(to, manifest);
    return increments.isEmpty()
        ? contents
        : contents.at(
            moment.upTo(IncrementManifest.read(increments.get(increments.size() - 1)).timestamp()));
  }

  /**
   * Refuses a moment before the copy of the files was whole: all earlier commits are in the copy.
   */
  private void requireAfterCopy(Path copy) {
    if (increments.size() == 1 && !moment.isEnd()) {
      try (RocksStore store = RocksStore.open(copy, RocksOptions.defaults())) {
        moment.requireAfter(backup, new StoreTimestampBound(store).read());
      }
    }
  }

  private Contents rowsInto(Path to) throws IOException {
    Increment.check(backup, progress);
    checkIncrements();
    try (WorkFolder work = WorkFolder.begin(to)) {
      try {
        complete(work.folder(), chain(), Map.of());
        work.finish();
      } catch (IOException | RuntimeException e) {
        work.abandon();
        throw e;
      }
    }
    try (Braid db = Braid.open(to, CopyReader.quiet())) {
      return contents(db);
    }
  }

  /**
   * @param db has no table yet
   */
  Contents into(Braid db) throws IOException {
    if (!IncrementManifest.isWhole(backup)) {
      throw new BraidException(
          ErrorCode.BACKUP,
          backup
              + " is no backup of rows, which alone can be restored into this store: restore it"
              + " into a directory, and make one of rows of that.");
    }
    List<String> there = CopyReader.tables(db);
    if (!there.isEmpty()) {
      throw new BraidException(
          ErrorCode.BACKUP,
          "There are tables, such as "
              + there.get(0)
              + ", and nothing is overwritten: restore into a database that has none.");
    }
    Increment.check(backup, progress);
    checkIncrements();
    try {
      replay(db, chain());
      begin(db);
    } catch (IOException | RuntimeException e) {
      dropAll(db, e);
      throw e;
    }
    return contents(db);
  }

  private static void dropAll(Braid db, Exception failure) {
    try {
      CopyReader.tables(db).forEach(db::dropTable);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** The backup of rows, which is replayed as an increment is, and all increments. */
  private List<Path> chain() {
    List<Path> chain = new ArrayList<>(List.of(backup));
    chain.addAll(increments);
    return chain;
  }

  private Contents contents(Braid db) throws IOException {
    long timestamp = 0;
    long bytes = 0;
    int files = 0;
    for (Path each : chain()) {
      IncrementManifest manifest = IncrementManifest.read(each);
      timestamp = manifest.timestamp();
      bytes += manifest.bytes();
      files += manifest.tables().size();
    }
    return new Contents(moment.upTo(timestamp), bytes, files, new CopyReader(progress).rows(db));
  }

  private void checkIncrements() throws IOException {
    moment.require(chain());
    Path before = backup;
    for (Path each : increments) {
      String base = CheckedCopy.sha256(before.resolve(ManifestText.NAME));
      if (!IncrementManifest.read(each).base().equals(base)) {
        throw new BraidException(
            ErrorCode.BACKUP,
            "The increment "
                + each
                + " was not made since "
                + before
                + ": name the backup and all increments after it, in their order.");
      }
      BackupLineage.requireSame(before, BackupLineage.ofFolder(each));
      Increment.check(each, progress);
      before = each;
    }
  }

  /**
   * Brings a copy forward, and makes it a database of its own.
   *
   * @param resolved how far the change feeds of the source had come; the copy has all changes up to
   *     there
   */
  private void complete(Path directory, List<Path> chain, Map<String, Long> resolved)
      throws IOException {
    // The limits of the source are not known: allow as much as any database can.
    BraidConfig config =
        CopyReader.quiet()
            .with(Setting.DURABILITY, "synced")
            .with(Setting.MAX_KEY, "1 MiB")
            .with(Setting.MAX_VALUE, "1 GiB")
            .with(Setting.MAX_TRANSACTION, "4 GiB");
    try (Braid db = Braid.open(directory, config)) {
      String source = Lineage.of(db.store(), db.loads().seams().random());
      ChangeLogs.branch(db.store(), source, resolved);
      new OrphanCleanup(db).end();
      if (!chain.isEmpty()) {
        replay(db, chain);
      }
      begin(db);
    }
  }

  /** Begins the history of the database now: earlier states are not known. */
  private static void begin(Braid db) {
    try (Snapshot now = db.snapshot()) {
      Lineage.begin(db.store(), now.timestamp());
    }
    Lineage.renew(db.store(), db.loads().seams().random());
  }

  private void replay(Braid db, List<Path> chain) throws IOException {
    IncrementReplay replay = new IncrementReplay(db, progress);
    List<Index> indexes = replay.dropIndexes();
    for (Path each : chain) {
      boolean last = each.equals(chain.get(chain.size() - 1));
      replay.apply(each, last ? moment : RestoreMoment.END);
    }
    replay.createIndexes(indexes);
  }
}
