package io.braid.backup;

import io.braid.Braid;
import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.ReplaceCell;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which database a backup is of. What follows after a backup can only be told by the database that
 * the backup is of: another one, or one that was restored from it and went its own way, has other
 * timestamps and other changes, and an increment of it would make up rows that never were.
 *
 * <p>So a database gets an id at its first backup, and another one when it is restored; manifests
 * name it.
 */
final class Lineage {
  private static final Row ROW = Row.of(Families.SYSTEM_TABLE, "lineage");
  private static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "id");
  private static final long VERSION = 1;
  private static final int BYTES = 16;
  private static final Pattern LINE = Pattern.compile("lineage ([0-9a-f]{" + 2 * BYTES + "})");

  private Lineage() {}

  /** The id of a database, which it gets if it has none; durable when this returns. */
  static String of(Braid db) {
    Bytes standing = stored(db.store());
    while (standing.isEmpty()) {
      replace(db.store(), db.loads().seams().random(), standing);
      standing = stored(db.store());
    }
    return standing.toHex();
  }

  /** Gives a database that was restored an id of its own; durable when this returns. */
  static void renew(Braid db) {
    renew(db.store(), db.loads().seams().random());
  }

  /** As the other, where no database is open. */
  static void renew(CellStore store, RandomGenerator random) {
    if (!replace(store, random, stored(store))) {
      throw new BackupException("Another process writes the database that is being restored.");
    }
  }

  private static Bytes stored(CellStore store) {
    List<Cell> cells = store.read(RowRead.of(ROW, Selection.column(COLUMN))).cells();
    return cells.isEmpty() ? Bytes.EMPTY : cells.get(0).value();
  }

  /** Whether the new id stands there; if not, somebody else's does. */
  private static boolean replace(CellStore store, RandomGenerator random, Bytes expected) {
    byte[] id = new byte[BYTES];
    random.nextBytes(id);
    Outcome<Boolean> outcome =
        store.execute(
            ReplaceCell.INSTANCE,
            new ReplaceCell.Request(ROW, COLUMN, VERSION, expected, Bytes.wrap(id)),
            Durability.SYNCED);
    if (outcome instanceof Outcome.Done<Boolean> done) {
      return done.result();
    }
    throw new BackupException("The id of the database could not be written: " + outcome + ".");
  }

  /** How a manifest names it. */
  static String line(String id) {
    return "lineage " + id + "\n";
  }

  /** What a line of a manifest names; null if it names none. */
  static @Nullable String parse(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches() ? matcher.group(1) : null;
  }

  /** What a backup or an increment says that it is of; null if its format did not say. */
  static @Nullable String ofFolder(Path folder) throws IOException {
    return IncrementManifest.isFirst(ManifestText.read(folder))
        ? IncrementManifest.read(folder).lineage()
        : BackupManifest.read(folder).lineage();
  }

  /**
   * Refuses what is not of this database.
   *
   * @param before the backup or the increment that another one shall go on from
   * @param of what the other one is of; null if that is not known
   */
  static void requireSame(Path before, @Nullable String of) throws IOException {
    String known = ofFolder(before);
    if (known == null || of == null) {
      throw new BackupException(
          "What "
              + before
              + " is of is not known, since it was made before backups said so: make a whole backup,"
              + " then its increments. By itself it can be restored.");
    }
    if (!known.equals(of)) {
      throw new BackupException(
          before
              + " is of another database, or of the one that this one was restored from: make a whole"
              + " backup of this one, then its increments.");
    }
  }
}
