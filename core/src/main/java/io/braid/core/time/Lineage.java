package io.braid.core.time;

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
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/**
 * The identity of the database in a store. Timestamps mean something in one history only: not in
 * another database, and not in one that was restored from a backup of this one and has changed
 * since.
 *
 * <p>So a database gets an id at the first request for one, and another id when it is restored.
 * Backups and positions of feeds contain the id. A restored database also knows from when on its
 * history is its own: it answers nothing about the time before.
 *
 * <p>A folder that was copied while the database was closed has the same id: nothing here detects
 * the copy.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Lineage {
  private static final Row ROW = Row.of(Families.SYSTEM_TABLE, "lineage");
  private static final ColumnName ID = ColumnName.of(Families.SYSTEM, "id");

  /** The version of its newest cell is the timestamp. */
  private static final ColumnName SINCE = ColumnName.of(Families.SYSTEM, "since");

  private static final long VERSION = 1;
  private static final int BYTES = 16;
  private static final int MARK = 16;

  private Lineage() {}

  /**
   * Returns the id of a database, and makes one if it has none. The id is durable on return.
   *
   * @return 32 digits in hex
   */
  public static String of(CellStore store, RandomGenerator random) {
    Bytes standing = stored(store);
    while (standing.isEmpty()) {
      replace(store, random, standing);
      standing = stored(store);
    }
    return standing.toHex();
  }

  /** Returns the name of a database in positions and jobs: the first 16 digits of its id. */
  public static String markOf(CellStore store, RandomGenerator random) {
    return mark(of(store, random));
  }

  /** How positions name an id: its first 16 digits. */
  public static String mark(String id) {
    return id.substring(0, MARK);
  }

  /**
   * Gives a restored database an id of its own. The id is durable on return.
   *
   * @return the former id; empty when there was none
   * @throws StoreException when another process did so at the same time
   */
  public static String renew(CellStore store, RandomGenerator random) {
    Bytes standing = stored(store);
    if (!replace(store, random, standing)) {
      throw new StoreException("Another process writes the database that is being restored.");
    }
    return standing.toHex();
  }

  /** The timestamp from which on the history of a database is its own; 0 for all of it. */
  public static long since(CellStore store) {
    return store.read(RowRead.of(ROW, Selection.column(SINCE))).cells().stream()
        .mapToLong(Cell::version)
        .max()
        .orElse(0);
  }

  /** Says that a database was restored, and knows nothing from before a timestamp; durable. */
  public static void begin(CellStore store, long timestamp) {
    RowWrite write = RowWrite.put(ROW, new Cell(SINCE, timestamp, Bytes.EMPTY));
    Outcome<Void> outcome = store.write(List.of(write), Durability.SYNCED).get(0);
    if (!(outcome instanceof Outcome.Done)) {
      throw new StoreException("Since when the database is there cannot be written: " + outcome);
    }
  }

  private static Bytes stored(CellStore store) {
    List<Cell> cells = store.read(RowRead.of(ROW, Selection.column(ID))).cells();
    return cells.isEmpty() ? Bytes.EMPTY : cells.get(0).value();
  }

  /** Returns whether the new id is stored; if not, the id of another process is. */
  private static boolean replace(CellStore store, RandomGenerator random, Bytes expected) {
    byte[] id = new byte[BYTES];
    random.nextBytes(id);
    Outcome<Boolean> outcome =
        store.execute(
            ReplaceCell.INSTANCE,
            new ReplaceCell.Request(ROW, ID, VERSION, expected, Bytes.wrap(id)),
            Durability.SYNCED);
    if (outcome instanceof Outcome.Done<Boolean> done) {
      return done.result();
    }
    throw new StoreException("The id of the database could not be written: " + outcome + ".");
  }
}
