package io.braid.backup;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Index;
import io.braid.Setting;
import io.braid.backup.BackupManifest.FileEntry;
import io.braid.core.store.TableSchema;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.store.rocksdb.RocksStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Makes, verifies and restores backups. Writers go on meanwhile. A backup of a database in a
 * directory is a copy of the store at one moment, as a crash at that moment would have left it:
 * what was committed is in it, and what was under way is rolled back, or forward, by whoever opens
 * the copy. A backup of rows, of a database in any store, has all rows of all tables as of one
 * timestamp, and can be restored into any store.
 */
public final class Backup {
  private static final String STORE = "store";

  private final Progress progress;

  /** Is told how far it is; what it throws ends the work. */
  public interface Progress {
    /**
     * @param step what is being done
     * @param bytes how many bytes of it are done
     */
    void at(String step, long bytes);
  }

  /**
   * What was found in a backup, or in an increment.
   *
   * @param timestamp drawn when the backup was begun: what was acknowledged before is there. With
   *     an increment, everything is as it was then
   * @param rows of each table; of an increment, rows that it brings or changes of rows
   */
  public record Contents(long timestamp, long bytes, int files, Map<String, Long> rows) {
    public Contents {
      rows = new TreeMap<>(rows);
    }

    private Contents at(long when) {
      return new Contents(when, bytes, files, rows);
    }
  }

  public Backup(Progress progress) {
    this.progress = progress;
  }

  /**
   * Makes a backup of an open database, reads it back and counts what is in it. Where the store is
   * no directory of this process it is one of rows.
   *
   * @param to a folder that is not there yet; it appears when all is done
   * @throws BackupException when something is there, or it cannot be made
   */
  public Contents create(Braid db, Path to) {
    if (!(db.store() instanceof RocksStore store)) {
      return createOfRows(db, to);
    }
    try {
      Workplace work = Workplace.begin(to);
      try {
        BackupManifest manifest = copy(db, store, work.folder().resolve(STORE));
        Files.writeString(
            work.folder().resolve(ManifestText.NAME), manifest.text(), StandardCharsets.UTF_8);
        sync(work.folder().resolve(ManifestText.NAME));
        check(work.folder(), manifest);
        Contents contents = readBack(work.folder(), manifest);
        work.finish();
        return contents;
      } catch (IOException | RuntimeException e) {
        work.abandon();
        throw e;
      }
    } catch (IOException e) {
      throw new BackupException("The backup could not be made: " + e, e);
    }
  }

  private BackupManifest copy(Braid db, RocksStore store, Path to) throws IOException {
    // Before the copy, so that the copy has it too.
    String lineage = Lineage.of(db);
    long timestamp;
    try (Snapshot now = db.snapshot()) {
      timestamp = now.timestamp();
    }
    // Taken before the copy: a transaction that commits below the timestamp while it is made may be
    // rolled back in the copy, and comes by the feed.
    Map<String, Long> resolved = Increment.resolved(db);
    Path links = store.checkpoint();
    try {
      Files.createDirectories(to.resolve("rocksdb"));
      List<FileEntry> files = new ArrayList<>();
      CheckedCopy copy = new CheckedCopy(counted("copying"));
      for (Path each : files(links)) {
        String name = name(links, each);
        files.add(copy.copy(each, name, to.resolve(name)));
      }
      return new BackupManifest(lineage, timestamp, resolved, files);
    } finally {
      Workplace.delete(links);
    }
  }

  private LongConsumer counted(String step) {
    long[] done = {0};
    return bytes -> {
      done[0] += bytes;
      progress.at(step, done[0]);
    };
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static String name(Path folder, Path file) {
    return folder.relativize(file).toString().replace('\\', '/');
  }

  private static void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Reads all files of a backup and compares them with its manifest. */
  private void check(Path backup, BackupManifest manifest) throws IOException {
    CheckedCopy reads = new CheckedCopy(counted("verifying"));
    for (FileEntry each : manifest.files()) {
      compare(each, reads.read(backup.resolve(STORE).resolve(each.name()), each.name()));
    }
  }

  private static void compare(FileEntry wanted, FileEntry found) {
    if (!wanted.equals(found)) {
      throw new BackupException(
          "File " + wanted.name() + " of the backup is damaged: use another backup.");
    }
  }

  /** Opens a copy whose sorted files are links, and reads all rows of all tables. */
  private Contents readBack(Path backup, BackupManifest manifest) throws IOException {
    Path opened = backup.resolve("read-back");
    Files.createDirectories(opened.resolve("rocksdb"));
    for (FileEntry each : manifest.files()) {
      Path from = backup.resolve(STORE).resolve(each.name());
      if (each.name().endsWith(".sst")) {
        Files.createLink(opened.resolve(each.name()), from);
      } else {
        Files.copy(from, opened.resolve(each.name()));
      }
    }
    Contents contents = contents(opened, manifest);
    Workplace.delete(opened);
    return contents;
  }

  private Contents contents(Path directory, BackupManifest manifest) {
    try (Braid copy = Braid.open(directory, quiet())) {
      return new Contents(
          manifest.timestamp(), manifest.bytes(), manifest.files().size(), rows(copy));
    }
  }

  private Map<String, Long> rows(Braid db) {
    Map<String, Long> rows = new TreeMap<>();
    tables(db).forEach(table -> rows.put(table, count(db, table)));
    return rows;
  }

  private long count(Braid db, String table) {
    Scan scan = Scan.of(table);
    for (String family : db.families(table)) {
      scan = scan.family(family);
    }
    long rows = 0;
    try (Snapshot now = db.snapshot();
        RowCursor cursor = now.scan(scan)) {
      while (cursor.hasNext()) {
        cursor.next();
        rows++;
        if (rows % 10_000 == 0) {
          progress.at("reading rows", rows);
        }
      }
    }
    return rows;
  }

  /**
   * Makes an increment of an open database: what has changed since a backup, or since another
   * increment.
   *
   * @param since the folder of that one
   * @param to a folder that is not there yet; it appears when all is done
   * @throws BackupException when something is there, or it cannot be made
   */
  public Contents increment(Braid db, Path since, Path to) {
    return written(db, to, increment -> increment.write(since));
  }

  /**
   * Makes a backup of rows of an open database, reads it back and counts what is in it. Indexes are
   * not in it: they are to be created again where it is restored.
   *
   * @param to a folder that is not there yet; it appears when all is done
   * @throws BackupException when something is there, or it cannot be made
   */
  public Contents createOfRows(Braid db, Path to) {
    return written(db, to, Increment::writeRows);
  }

  private interface Writing {
    IncrementManifest write(Increment increment) throws IOException;
  }

  private Contents written(Braid db, Path to, Writing writing) {
    try {
      Workplace work = Workplace.begin(to);
      try {
        IncrementManifest manifest = writing.write(new Increment(db, work.folder(), progress));
        Path file = work.folder().resolve(ManifestText.NAME);
        Files.writeString(file, manifest.text(), StandardCharsets.UTF_8);
        sync(file);
        Contents contents = Increment.check(work.folder(), progress);
        work.finish();
        return contents;
      } catch (IOException | RuntimeException e) {
        work.abandon();
        throw e;
      }
    } catch (IOException e) {
      throw new BackupException("The backup could not be made: " + e, e);
    }
  }

  /**
   * Makes a database out of a backup, checking every byte.
   *
   * @param to a folder that is not there yet; it appears when all is done
   * @throws BackupException when something is there, or the backup is damaged; nothing was changed
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
    try {
      if (IncrementManifest.isWhole(backup)) {
        return restoreRows(backup, increments, to);
      }
      BackupManifest manifest = BackupManifest.read(backup);
      checkChain(backup, increments);
      Workplace work = Workplace.begin(to);
      try {
        Files.createDirectories(work.folder().resolve("rocksdb"));
        CheckedCopy copy = new CheckedCopy(counted("restoring"));
        for (FileEntry each : manifest.files()) {
          Path from = backup.resolve(STORE).resolve(each.name());
          compare(each, copy.copy(from, each.name(), work.folder().resolve(each.name())));
        }
        complete(work.folder(), increments);
        work.finish();
      } catch (IOException | RuntimeException e) {
        work.abandon();
        throw e;
      }
      Contents contents = contents(to, manifest);
      return increments.isEmpty()
          ? contents
          : contents.at(IncrementManifest.read(increments.get(increments.size() - 1)).timestamp());
    } catch (IOException e) {
      throw new BackupException("The backup could not be restored: " + e, e);
    }
  }

  private Contents restoreRows(Path backup, List<Path> increments, Path to) throws IOException {
    Increment.check(backup, progress);
    checkChain(backup, increments);
    Workplace work = Workplace.begin(to);
    try {
      // A database is made in an empty folder only, and this one bears its mark.
      Path made = work.folder().resolve("made");
      complete(made, chain(backup, increments));
      try (DirectoryStream<Path> all = Files.newDirectoryStream(made)) {
        for (Path each : all) {
          Files.move(each, work.folder().resolve(each.getFileName()));
        }
      }
      Files.delete(made);
      work.finish();
    } catch (IOException | RuntimeException e) {
      work.abandon();
      throw e;
    }
    try (Braid db = Braid.open(to, quiet())) {
      return contents(db, chain(backup, increments));
    }
  }

  private static List<Path> chain(Path backup, List<Path> increments) {
    List<Path> chain = new ArrayList<>(List.of(backup));
    chain.addAll(increments);
    return chain;
  }

  private Contents contents(Braid db, List<Path> chain) throws IOException {
    IncrementManifest last = IncrementManifest.read(chain.get(chain.size() - 1));
    long bytes = 0;
    int files = 0;
    for (Path each : chain) {
      IncrementManifest manifest = IncrementManifest.read(each);
      bytes += manifest.bytes();
      files += manifest.tables().size();
    }
    return new Contents(last.timestamp(), bytes, files, rows(db));
  }

  /**
   * Restores a backup of rows into a database that is open and has no table yet: one in HBase, or
   * in any other store. Nobody else may use it meanwhile. When this fails the tables that it made
   * are dropped; a crash leaves them, to be dropped by hand.
   *
   * @param increments each made since the one before, the first one since the backup
   * @throws BackupException when there are tables, the backup is one of files, or it is damaged;
   *     nothing was changed then
   */
  public Contents restoreInto(Braid db, Path backup, List<Path> increments) {
    try {
      if (!IncrementManifest.isWhole(backup)) {
        throw new BackupException(
            backup
                + " is no backup of rows, which alone can be restored into this store: restore it"
                + " into a directory, and make one of rows of that.");
      }
      List<String> there = tables(db);
      if (!there.isEmpty()) {
        throw new BackupException(
            "There are tables, such as "
                + there.get(0)
                + ", and nothing is overwritten: restore into a database that has none.");
      }
      Increment.check(backup, progress);
      checkChain(backup, increments);
      List<Path> chain = chain(backup, increments);
      try {
        replay(db, chain);
        Lineage.renew(db);
      } catch (IOException | RuntimeException e) {
        dropAll(db, e);
        throw e;
      }
      return contents(db, chain);
    } catch (IOException e) {
      throw new BackupException("The backup could not be restored: " + e, e);
    }
  }

  private static void dropAll(Braid db, Exception failure) {
    try {
      tables(db).forEach(db::dropTable);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private static List<String> tables(Braid db) {
    return db.store().tables().stream()
        .map(TableSchema::name)
        .filter(name -> !name.startsWith("~"))
        .toList();
  }

  private void checkChain(Path backup, List<Path> increments) throws IOException {
    Path before = backup;
    for (Path each : increments) {
      String base = CheckedCopy.sha256(before.resolve(ManifestText.NAME));
      if (!IncrementManifest.read(each).base().equals(base)) {
        throw new BackupException(
            "The increment "
                + each
                + " was not made since "
                + before
                + ": name the backup and all increments after it, in their order.");
      }
      Lineage.requireSame(before, Lineage.ofFolder(each));
      Increment.check(each, progress);
      before = each;
    }
  }

  /** Brings a copy forward by increments, and makes it a database of its own. */
  private void complete(Path directory, List<Path> increments) throws IOException {
    // What the source allowed is not known: as much as any database can.
    BraidConfig config =
        quiet()
            .with(Setting.DURABILITY, "synced")
            .with(Setting.MAX_KEY, "1 MiB")
            .with(Setting.MAX_VALUE, "1 GiB")
            .with(Setting.MAX_TRANSACTION, "4 GiB");
    try (Braid db = Braid.open(directory, config)) {
      if (!increments.isEmpty()) {
        replay(db, increments);
      }
      Lineage.renew(db);
    }
  }

  private void replay(Braid db, List<Path> increments) throws IOException {
    IncrementReplay replay = new IncrementReplay(db, progress);
    replay.endGroups();
    List<Index> indexes = replay.dropIndexes();
    for (Path each : increments) {
      replay.apply(each);
    }
    replay.createIndexes(indexes);
  }

  private static BraidConfig quiet() {
    return BraidConfig.defaults()
        .with(Setting.GC_INTERVAL, "off")
        .with(Setting.STORE_MEMORY, "64 MiB");
  }

  /**
   * Checks a backup or an increment: compares its files with their checksums.
   *
   * @throws BackupException when it is damaged
   */
  public Contents verify(Path backup) {
    try {
      if (IncrementManifest.isFirst(ManifestText.read(backup))) {
        return Increment.check(backup, progress);
      }
      BackupManifest manifest = BackupManifest.read(backup);
      check(backup, manifest);
      return new Contents(
          manifest.timestamp(), manifest.bytes(), manifest.files().size(), Map.of());
    } catch (IOException e) {
      throw new BackupException("The backup cannot be read: " + e, e);
    }
  }
}
