package io.braid.backup;

import io.braid.Braid;
import io.braid.Connector;
import io.braid.changes.feed.ChangeLogs;
import io.braid.core.cells.Families;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.CellStore;
import io.braid.core.store.FrozenTables;
import io.braid.core.store.FrozenTables.Copy;
import io.braid.core.store.TableSchema;
import io.braid.core.store.Veils.Veil;
import io.braid.core.time.Lineage;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Snapshot;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * Backups by frozen copies of all tables, for a store that has them. A backup takes seconds,
 * whatever the size. Writers go on meanwhile.
 *
 * <p>The copies are made one after another, and each has commits that others do not have. The
 * timestamp T makes them a snapshot:
 *
 * <ol>
 *   <li>T is drawn and pinned: nothing is collected that a snapshot at T can read.
 *   <li>All tablets pass T, and everything committed at or below T is turned into commit records
 *       ({@link io.braid.tables.Tables#settle Tables.settle}). From then on every cell that belongs
 *       to T is in its place, and stays there.
 *   <li>The copies are made: tables of transactions, then Braid's own table, then change logs, so
 *       that statements of one table about another are true of the other's copy.
 *   <li>If something without versions, such as an index or a load, has changed since before T, the
 *       backup is given up. Otherwise the store's description of its tables is copied, which
 *       completes the backup.
 * </ol>
 *
 * <p>{@link #restore restore} puts the copies in the place of a database's tables and brings them
 * back to T before the database can be used ({@code Rewind}).
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class SnapshotBackup {
  private static final String LOG = "~changes.";
  private static final String COMMITS = "~commits";

  private final Backup.Progress progress;

  /**
   * A backup.
   *
   * @param whole false for one that was broken off, or lost copies: it cannot be restored
   * @param tables of users and of indexes
   */
  public record BackupInfo(
      String name, long timestamp, long wallMillis, boolean whole, List<String> tables) {
    public BackupInfo {
      tables = List.copyOf(tables);
    }
  }

  public SnapshotBackup(Backup.Progress progress) {
    this.progress = progress;
  }

  private static FrozenTables frozen(CellStore store) {
    if (store instanceof FrozenTables frozen) {
      return frozen;
    }
    throw new BraidException(
        ErrorCode.BACKUP,
        "This store keeps no snapshots: leave --snapshot out, and name a folder.");
  }

  /** The backups there are in the cluster, of this database or another, in the order of names. */
  public static List<BackupInfo> list(CellStore store) {
    Map<String, List<Copy>> backups = new TreeMap<>();
    for (Copy each : frozen(store).frozen(CopyName.ALL)) {
      CopyName name = CopyName.of(each);
      if (name != null) {
        backups.computeIfAbsent(CopyName.prefix(name.backup()), key -> new ArrayList<>()).add(each);
      }
    }
    return backups.values().stream().map(SnapshotBackup::taken).toList();
  }

  private static CopyName name(Copy copy) {
    return Objects.requireNonNull(CopyName.of(copy));
  }

  private static BackupInfo taken(List<Copy> copies) {
    CopyName first = name(copies.get(0));
    long there =
        copies.stream()
            .map(SnapshotBackup::name)
            .filter(each -> each.timestamp() == first.timestamp() && each.count() == first.count())
            .map(CopyName::number)
            .distinct()
            .count();
    boolean sealed =
        copies.stream()
            .anyMatch(each -> name(each).isLast() && each.table().equals(FrozenTables.OWN));
    return new BackupInfo(
        first.backup(),
        first.timestamp(),
        copies.stream().mapToLong(Copy::wallMillis).max().orElse(0),
        sealed && there == first.count() && copies.size() == there,
        copies.stream()
            .map(Copy::table)
            .filter(table -> !table.isEmpty() && !table.startsWith("~"))
            .sorted()
            .toList());
  }

  private static List<Copy> copies(FrozenTables store, String backup) {
    CopyName.requireName(backup);
    return store.frozen(CopyName.prefix(backup)).stream()
        .filter(each -> CopyName.of(each) != null)
        .toList();
  }

  /**
   * Makes a backup of an open database.
   *
   * @param backup its name, new in the cluster
   * @throws BraidException {@code BACKUP} when there is one of the name, or something is under way
   *     that cannot be brought back to a timestamp; nothing is left of it then
   */
  public BackupInfo create(Braid db, String backup) {
    FrozenTables store = frozen(db.store());
    if (!copies(store, backup).isEmpty()) {
      throw new BraidException(
          ErrorCode.BACKUP,
          "There is a snapshot " + backup + ", and nothing is overwritten: choose another name.");
    }
    TableInventory.requireQuiet(db);
    TableInventory before = TableInventory.of(db.store());
    try (Snapshot now = db.snapshot()) {
      db.transactions().pin(Rewind.pin(backup), now.timestamp());
      try {
        progress.at("settling", 0);
        db.tables().settle(now.timestamp());
        freeze(db.store(), store, backup, now.timestamp(), before);
      } catch (RuntimeException e) {
        remove(store, backup, e);
        throw e;
      } finally {
        db.transactions().unpin(Rewind.pin(backup));
      }
    }
    return taken(copies(store, backup));
  }

  private void freeze(
      CellStore db, FrozenTables store, String backup, long timestamp, TableInventory before) {
    List<String> tables =
        before.tables().keySet().stream()
            .map(TableSchema::name)
            .filter(table -> !table.equals(COMMITS))
            .sorted(Comparator.comparing(SnapshotBackup::turn))
            .toList();
    int count = tables.size() + 1;
    for (int i = 0; i < tables.size(); i++) {
      progress.at("snapshots of tables", i);
      store.freeze(new CopyName(backup, timestamp, i, count).text(), tables.get(i));
    }
    if (!TableInventory.of(db).equals(before)) {
      throw new BraidException(
          ErrorCode.BACKUP,
          "A table, an index or a load has changed while the snapshots were made: try again.");
    }
    store.freeze(new CopyName(backup, timestamp, tables.size(), count).text(), FrozenTables.OWN);
  }

  /**
   * Returns the turn of a table. The commit table has no turn: data at or below the timestamp no
   * longer needs it, and later data is removed.
   */
  private static int turn(String table) {
    if (table.startsWith(LOG)) {
      return 2;
    }
    return table.equals(Families.SYSTEM_TABLE) ? 1 : 0;
  }

  private static void remove(FrozenTables store, String backup, RuntimeException failure) {
    try {
      removeAll(store, backup);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Removes the last copy first: after a failure, the rest is not whole. */
  private static int removeAll(FrozenTables store, String backup) {
    List<Copy> copies =
        copies(store, backup).stream()
            .sorted(Comparator.comparing((Copy each) -> name(each).number()).reversed())
            .toList();
    copies.forEach(each -> store.removeFrozen(each.name()));
    return copies.size();
  }

  /**
   * Deletes a backup, whole or not.
   *
   * @throws BraidException {@code BACKUP} when there is none
   */
  public void delete(Braid db, String backup) {
    int removed = removeAll(frozen(db.store()), backup);
    boolean pinned = db.transactions().unpin(Rewind.pin(backup));
    if (removed == 0 && !pinned) {
      throw none(backup);
    }
  }

  private static BraidException none(String backup) {
    return new BraidException(
        ErrorCode.BACKUP,
        "There is no snapshot " + backup + ": 'braid backup --snapshots' lists those there are.");
  }

  /**
   * Restores a backup into a database that has no tables yet and is not in use. After an
   * interruption, call it again, with the same backup or another one. The database cannot be used
   * until a restore has ended.
   *
   * @throws BraidException {@code BACKUP} when the backup is not whole, or the database has tables
   *     or is in use; nothing is changed then
   */
  public BackupInfo restore(Connector.ExclusiveDatabase database, String backup) {
    CellStore store = database.store();
    FrozenTables frozen = frozen(store);
    List<Copy> copies = copies(frozen, backup);
    if (copies.isEmpty()) {
      throw none(backup);
    }
    BackupInfo taken = taken(copies);
    if (!taken.whole()) {
      throw new BraidException(
          ErrorCode.BACKUP,
          "Of snapshot "
              + backup
              + " copies are missing: it was broken off, or some were deleted.");
    }
    long floor = Math.max(frozen.thawing().isEmpty() ? vacant(store) : 0, taken.timestamp());
    boolean begun = !frozen.thawing().isEmpty();
    floor = frozen.beginThaw(backup, floor);
    // Processes that come from now on see the mark; processes that came before are seen here.
    List<String> others = database.others().get();
    if (!others.isEmpty()) {
      if (!begun) {
        frozen.endThaw();
      }
      throw new BraidException(
          ErrorCode.BACKUP,
          "The database is in use, by "
              + String.join(", ", others)
              + ": end that first. One that was killed counts for some ten seconds more.");
    }
    progress.at("tables out of snapshots", 0);
    frozen.thaw(copies);
    rewind(store, taken, floor);
    frozen.endThaw();
    return taken;
  }

  /**
   * Refuses a database with tables.
   *
   * @return below which timestamps it has given out some
   */
  private static long vacant(CellStore store) {
    for (TableSchema each : store.tables()) {
      if (!each.name().startsWith("~")) {
        throw new BraidException(
            ErrorCode.BACKUP,
            "There are tables, such as "
                + each.name()
                + ", and nothing is overwritten: drop them, or restore into another database"
                + " ('hbase.namespace').");
      }
    }
    return store.table(Families.SYSTEM_TABLE).isEmpty() ? 0 : new StoreTimestampBound(store).read();
  }

  private void rewind(CellStore store, BackupInfo taken, long floor) {
    Rewind rewind = new Rewind(store, taken.timestamp(), progress);
    for (TableSchema schema : store.tables()) {
      if (schema.has(Families.INTENT)) {
        discardVeils(store, schema.name());
        rewind.transactional(schema);
      } else if (schema.name().startsWith(LOG)) {
        rewind.changeLog(schema);
      }
    }
    rewind.system(Rewind.pin(taken.name()));
    StoreTimestampBound bound = new StoreTimestampBound(store);
    long standing = bound.read();
    long least = Timestamp.withoutLocal(Math.max(rewind.highest(), floor)) + Timestamp.STEP;
    if (least > standing && !bound.raise(standing, least)) {
      throw new BraidException(
          ErrorCode.BACKUP, "Another process writes the database that is being restored.");
    }
    SecureRandom random = new SecureRandom();
    ChangeLogs.branch(store, Lineage.of(store, random));
    Lineage.begin(store, bound.read());
    Lineage.renew(store, random);
  }

  /**
   * Discards the veils of a load that began after the tables were frozen: they hold nothing of it.
   */
  private static void discardVeils(CellStore store, String table) {
    for (Veil each : store.veils(table).all()) {
      if (each.isDown()) {
        store.discard(table, each.version());
      }
    }
  }
}
