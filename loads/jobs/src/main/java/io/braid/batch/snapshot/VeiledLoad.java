package io.braid.batch.snapshot;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.LoadableTables;
import io.braid.batch.atomic.KeptRows;
import io.braid.batch.atomic.Publication;
import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.KeptChanges;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.store.CellStore;
import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableReplacedException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.Veils;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The end of a snapshot load: lifts the veil over its cells, which commits all of them at one
 * timestamp, or discards the veil. Each step may be repeated, by any process, after any crash.
 *
 * <p>The lift waits until no undecided intent is left on a column that the load writes: its
 * transaction would commit above the load without having seen the load. Staged cells of other loads
 * are no obstacle; the order of two loads decides which one wins, as in {@link
 * io.braid.core.loads.SettleRow}.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class VeiledLoad implements Publication {
  private static final int EXAMPLES = 5;
  private static final Duration PAUSE = Duration.ofMillis(2);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

  private final LoadContext context;
  private final CellStore store;
  private final String load;
  private final String table;
  private final long version;
  private final boolean wins;
  private final Duration patience;
  private final @Nullable LongConsumer kept;

  /**
   * @param version the start timestamp of the load
   * @param wins whether it writes over later commits of others
   * @param patience how long a commit waits for transactions that are writing the table
   */
  public VeiledLoad(
      LoadContext context,
      String load,
      String table,
      long version,
      boolean wins,
      Duration patience) {
    this(context, load, table, version, wins, patience, null);
  }

  /**
   * @param kept receives, once the load is visible, how many of its rows stay as others wrote them
   *     ({@link KeptRows}). Null if the number is not needed.
   */
  public VeiledLoad(
      LoadContext context,
      String load,
      String table,
      long version,
      boolean wins,
      Duration patience,
      @Nullable LongConsumer kept) {
    this.context = context;
    this.store = context.store();
    this.load = load;
    this.table = table;
    this.version = version;
    this.wins = wins;
    this.patience = patience;
    this.kept = kept;
  }

  @Override
  public void begin() {
    try {
      store.veil(table, version, wins);
    } catch (TableReplacedException e) {
      throw new JobException(
          "Table " + table + " was created after load " + load + " began: make another job.", e);
    }
  }

  @Override
  public long commit() {
    Backoff backoff = new Backoff(context.seams(), PAUSE, LONGEST_PAUSE);
    while (true) {
      long epoch = store.epoch(table);
      if (!store.veils(table).of(version, wins).isLifted()) {
        requireLiftable();
      }
      Lift lift = lift(epoch, backoff);
      if (lift.isLifted()) {
        return lift.commit();
      }
      lift.blocked().forEach(this::help);
      if (lift.blocked().isEmpty() && !lift.stale()) {
        store.advanceClock(context.oracle()::next);
      }
      if (backoff.elapsed().compareTo(patience) > 0 || !backoff.pause()) {
        throw blocked(lift);
      }
    }
  }

  /**
   * Index rows are written beside the files, ahead of the lift. To be asked before a load writes.
   *
   * @throws JobException when they may miss rows in the end
   */
  public static void requireIndexes(
      LoadableTables tables, String table, long version, boolean wins) {
    if (!tables.isIndexed(table)) {
      return;
    }
    if (wins) {
      throw new JobException(
          "Table "
              + table
              + " has an index, and a load by snapshot files that writes over what others commit"
              + " meanwhile would not find what they remove of it: load it with --atomic, or with"
              + " --conflicts newer.");
    }
    tables.requireIndexesSince(table, version);
  }

  /**
   * Requires that the veil may be lifted. Not called for a visible load, which later changes of the
   * table do not affect.
   */
  private void requireLiftable() {
    context.loadable().lookAgain();
    context.loadable().require(table);
    requireIndexes(context.loadable(), table, version, wins);
    requireNoFeed(store, table);
  }

  /**
   * Files bring no change marks. To be asked before a load writes; one that is only given up may
   * begin under a feed.
   *
   * @throws JobException when the changes of the table are kept
   */
  public static void requireNoFeed(CellStore store, String table) {
    if (KeptChanges.areKept(store, table)) {
      throw new JobException(
          "The changes of table "
              + table
              + " are kept, and a load by snapshot files would not be among them: load it another"
              + " way, or end the feed with 'braid table changes "
              + table
              + " --off'.");
    }
  }

  /** Lifts the veil. After a lost answer, the next call finds that the lift is done. */
  private Lift lift(long epoch, Backoff backoff) {
    while (true) {
      try {
        // Drawn now: above every snapshot that was served before the commit was wanted.
        return store.lift(
            table,
            version,
            context.oracle().next(),
            epoch,
            Families.INTENT,
            VeiledLoad::isInTheWay);
      } catch (TabletUnavailableException e) {
        if (backoff.elapsed().compareTo(patience) > 0 || !backoff.pause()) {
          throw new JobException(
              "Whether load "
                  + load
                  + " is committed cannot be known now: try again. "
                  + e.getMessage(),
              e);
        }
      } catch (StoreException e) {
        throw new JobException("Load " + load + " cannot be committed: " + e.getMessage(), e);
      }
    }
  }

  private JobException blocked(Lift lift) {
    List<Row> rows = lift.blocked();
    List<Row> some = rows.subList(0, Math.min(EXAMPLES, rows.size()));
    return new JobException(
        "Load "
            + load
            + " is not committed: key groups own rows that it writes, or transactions that do not"
            + " end are writing them: "
            + some
            + (rows.size() > some.size() ? " and others" : "")
            + ". Delete the groups, or wait, and resume the job.");
  }

  private static boolean isInTheWay(RowCells row, LiftCheck.VeiledCells veiled) {
    for (Cell cell : row.cells()) {
      Bytes qualified = cell.column().qualifier();
      if (qualified.isEmpty()) {
        if (veiled.anywhere()) {
          return true;
        }
        continue;
      }
      Intent intent = Intent.decode(cell.value());
      if (intent.undecided()
          && !(intent.decision() instanceof LoadRecord)
          && veiled.column(Families.column(qualified))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Has the transactions that write a row decided, in the way of a reader, under either protocol.
   */
  private void help(Row row) {
    try (Snapshot now = context.transactions().snapshot()) {
      for (Cell cell : store.read(RowRead.of(row, Selection.family(Families.INTENT))).cells()) {
        if (!cell.column().qualifier().isEmpty()) {
          ColumnName column = Families.column(cell.column().qualifier());
          now.get(row, Column.of(column.family(), column.qualifier(), Codecs.bytes()));
        }
      }
    } catch (TransactionException | StoreException e) {
      // The next look finds the transaction again.
    }
  }

  @Override
  public boolean abort() {
    return store.discard(table, version);
  }

  /** Counts the rows that gave way to other writers' cells; there is nothing to settle. */
  @Override
  public long settle() {
    Veils.Veil veil = store.veils(table).of(version, wins);
    if (kept != null && veil.isLifted() && !wins) {
      kept.accept(new KeptRows(context, table, version).underVeil(veil.commit()));
    }
    return 0;
  }
}
