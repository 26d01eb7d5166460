package io.braid.batch.atomic;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.input.RawRecord;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.IndexRowsAhead;
import io.braid.batch.sink.SinkRecord;
import io.braid.batch.sink.WriteResult;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.loads.DecideLoad;
import io.braid.core.loads.DecideLoad.Step;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.loads.LoadState;
import io.braid.core.loads.LoadState.Phase;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes a staged load to its end: commits the load at one timestamp by one record, or gives the
 * load up by one record. Then settles the rows of the load; readers see the load before that. Every
 * step may be repeated, by any process, after any crash. The reasons for the steps are in {@link
 * io.braid.core.loads}.
 */
public final class AtomicLoad implements Publication {
  private static final int BATCH = 256;
  private static final int EXAMPLES = 5;

  private final LoadContext context;
  private final CellStore store;
  private final LoadDecisions decisions;
  private final String load;
  private final String table;
  private final long start;
  private final Conflicts conflicts;
  private final Duration patience;
  private final StagedRows rows;
  private final @Nullable LongConsumer kept;

  /**
   * @param patience how long a commit waits for transactions that are writing the table
   */
  public AtomicLoad(
      LoadContext context,
      String load,
      String table,
      long start,
      Conflicts conflicts,
      Duration patience) {
    this(context, load, table, start, conflicts, patience, null);
  }

  /**
   * @param kept receives, before the load can be seen, how many of its rows stay as others wrote
   *     them ({@link KeptRows}). The last number counts. Null if the number is not needed.
   */
  public AtomicLoad(
      LoadContext context,
      String load,
      String table,
      long start,
      Conflicts conflicts,
      Duration patience,
      @Nullable LongConsumer kept) {
    this.context = context;
    this.store = context.store();
    this.decisions =
        new LoadDecisions(
            store, new TableCatalog(store), context.oracle(), context.seams().liveness());
    this.load = load;
    this.table = table;
    this.start = start;
    this.conflicts = conflicts;
    this.patience = patience;
    this.rows = new StagedRows(context, load, table, start);
    this.kept = kept;
  }

  /** Returns whether a load has begun that has this id. */
  public static boolean isTaken(CellStore store, String load) {
    return LoadDecisions.look(store, load) != null;
  }

  /**
   * Writes the record of the load, if it is missing.
   *
   * @throws JobException when there is a record of another load
   */
  @Override
  public void begin() {
    LoadState state = LoadState.begun(table, start, conflicts == Conflicts.LOAD);
    LoadState stands = decide(DecideLoad.Request.begin(load, state));
    if (stands.start() != start) {
      throw new JobException("There was a load " + load + " before: choose another id.");
    }
  }

  /**
   * Commits, unless it has been.
   *
   * @return the commit timestamp
   * @throws JobException when the load was given up, when transactions stay in the way, or when the
   *     policy is to fail and others wrote columns of the load; the commit can be repeated
   */
  @Override
  public long commit() {
    OtherLoads others = new OtherLoads(context, decisions, table, start, patience);
    LoadState state = drained(others);
    while (state.phase() == Phase.LOADING) {
      state = drained(others);
    }
    if (state.phase() == Phase.CLOSING) {
      // Drawn now that CLOSING is durable: above every snapshot that passed over the load.
      state = decide(DecideLoad.Request.commit(load, context.oracle().next()));
    }
    if (state.phase() != Phase.COMMITTED) {
      throw new JobException("Load " + load + " was given up: make another one.");
    }
    return state.commit();
  }

  /** Drains and closes, unless that has been done; still loading if it gave way to another load. */
  private LoadState drained(OtherLoads others) {
    KeptRows.@Nullable EarlyCount ahead = countAhead();
    String drainer = context.seams().liveness().token() + "/" + context.seams().random().nextLong();
    LoadState state = decide(DecideLoad.Request.draining(load, Step.DRAIN, drainer));
    if (state.phase() == Phase.DRAINING && !state.drainer().equals(drainer)) {
      if (context.seams().liveness().isAlive(state.drainer().replaceFirst("/[^/]*$", ""))) {
        throw new JobException("Load " + load + " is being committed already.");
      }
      decide(DecideLoad.Request.draining(load, Step.REOPEN, state.drainer()));
      state = decide(DecideLoad.Request.draining(load, Step.DRAIN, drainer));
    }
    if (state.phase() != Phase.DRAINING) {
      return state;
    }
    String other;
    try {
      raiseEpoch();
      OldWriters writers = new OldWriters(context, rows, patience);
      other = others.inTheWay(writers.look());
      if (other == null) {
        writers.drain();
        requireNoConflicts();
        indexAgain();
        countKept(ahead);
        return decide(DecideLoad.Request.draining(load, Step.CLOSE, drainer));
      }
    } catch (RuntimeException e) {
      reopen(drainer);
      throw e;
    }
    state = decide(DecideLoad.Request.draining(load, Step.REOPEN, drainer));
    others.pass(other);
    return state;
  }

  /**
   * Counts kept rows before writers have to wait, so that less is left to count while they wait.
   */
  private KeptRows.@Nullable EarlyCount countAhead() {
    if (kept == null || conflicts != Conflicts.NEWER) {
      return null;
    }
    LoadState state = rows.<@Nullable LoadState>patiently(() -> LoadDecisions.look(store, load));
    boolean undecided =
        state != null && (state.phase() == Phase.LOADING || state.phase() == Phase.DRAINING);
    return undecided ? new KeptRows(context, table, start).ahead(load) : null;
  }

  /**
   * Counts before the load is visible: after that, readers settle the rows that they meet, and
   * cells that gave way are gone.
   */
  private void countKept(KeptRows.@Nullable EarlyCount ahead) {
    if (kept != null && ahead != null) {
      kept.accept(new KeptRows(context, table, start).staged(load, ahead));
    }
  }

  /**
   * Lets writers pass again. If that fails, the next process that tries to commit starts from here.
   */
  private void reopen(String drainer) {
    try {
      decide(DecideLoad.Request.draining(load, Step.REOPEN, drainer));
    } catch (StoreException e) {
      // The failure that brought us here says more.
    }
  }

  /**
   * Gives the load up: from now on it will never be seen.
   *
   * @return false when it has committed
   */
  @Override
  public boolean abort() {
    LoadState state = decide(DecideLoad.Request.of(load, Step.ABORT));
    if (state.phase() == Phase.CLOSING) {
      return false;
    }
    // Calls that stage more are refused from here on.
    raiseEpoch();
    return state.phase() == Phase.ABORTED;
  }

  private void raiseEpoch() {
    if (store.table(table).isEmpty()) {
      // The staged cells were dropped with the table.
      return;
    }
    store.raiseEpoch(table, store.epoch(table) + 1);
    context.loadable().learn(table);
  }

  /**
   * Makes the staged cells of a decided load records, or removes them. Walks through the intents of
   * the table, not through its rows.
   *
   * @return how many rows were settled
   */
  @Override
  public long settle() {
    if (store.table(table).isEmpty()) {
      return 0;
    }
    long[] settled = {0};
    Backoff backoff = new Backoff(context.seams(), StagedRows.PAUSE, StagedRows.LONGEST_PAUSE);
    while (true) {
      Set<LoadDecisions.StagedRow> open = new LinkedHashSet<>();
      List<LoadDecisions.StagedRow> batch = new ArrayList<>();
      rows.walk(
          row -> {
            LoadDecisions.StagedRow met = rows.staged(row);
            if (met != null) {
              settled[0]++;
              batch.add(met);
            }
            if (batch.size() == BATCH) {
              open.addAll(decisions.resolve(batch).unsettled());
              batch.clear();
            }
          });
      open.addAll(decisions.resolve(batch).unsettled());
      if (open.isEmpty()) {
        return settled[0];
      }
      settled[0] -= open.size();
      if (backoff.elapsed().compareTo(patience) > 0 || !backoff.pause()) {
        throw new TabletUnavailableException(
            open.size() + " rows of load " + load + " cannot be settled now: resume it later.");
      }
    }
  }

  /** Settles the rows of another load, if that load has committed. */
  static void settleCommitted(LoadContext context, String load, String table, Duration patience) {
    LoadState state = LoadDecisions.look(context.store(), load);
    if (state != null && state.phase() == Phase.COMMITTED) {
      new AtomicLoad(context, load, table, state.start(), Conflicts.NEWER, patience).settle();
    }
  }

  /**
   * Under the policy to fail: requires that no other writer wrote a staged column since the load
   * began.
   */
  private void requireNoConflicts() {
    if (conflicts != Conflicts.FAIL) {
      return;
    }
    List<String> found = new ArrayList<>();
    rows.walk(
        row -> {
          LoadDecisions.StagedRow met = found.size() < EXAMPLES ? rows.staged(row) : null;
          if (met == null) {
            return;
          }
          for (Cell cell : row.cells()) {
            Intent intent = StagedRows.intent(cell);
            if (intent != null && rows.isOurs(intent)) {
              ColumnName column = Families.column(cell.column().qualifier());
              Selection newest = Selection.column(column).newest(1);
              for (Cell each :
                  rows.patiently(() -> store.read(RowRead.of(row.row(), newest))).cells()) {
                if (each.version() > start) {
                  found.add(row.row() + "/" + column);
                }
              }
            }
          }
        });
    if (!found.isEmpty()) {
      throw new JobException(
          "Others wrote what the load would write, after it began: "
              + found
              + (found.size() < EXAMPLES ? "" : " and perhaps more")
              + ". Cancel the load, or make another one with another --conflicts.");
    }
  }

  /**
   * Under the policy to win: writes the index rows again. Other writers' values that the load
   * overwrites may have removed some index rows since these were written. From now on, no other
   * writer writes these columns until the load has committed.
   */
  private void indexAgain() {
    if (conflicts != Conflicts.LOAD || !context.loadable().isIndexed(table)) {
      return;
    }
    IndexRowsAhead indexes = new IndexRowsAhead(context);
    List<SinkRecord> batch = new ArrayList<>();
    rows.walk(
        row -> {
          List<CellWrite> cells = rows.ours(row);
          if (!cells.isEmpty()) {
            batch.add(new SinkRecord(new RawRecord(0, Bytes.EMPTY), row.row(), cells));
          }
          if (batch.size() >= BATCH) {
            index(indexes, batch);
          }
        });
    index(indexes, batch);
  }

  private static void index(IndexRowsAhead indexes, List<SinkRecord> batch) {
    for (WriteResult each : indexes.write(batch).refused()) {
      if (each != null) {
        throw new JobException("A row of the load cannot be indexed: " + each);
      }
    }
    batch.clear();
  }

  /** Takes a step; asks until the store answers. */
  private LoadState decide(DecideLoad.Request request) {
    Backoff backoff = new Backoff(context.seams(), StagedRows.PAUSE, StagedRows.LONGEST_PAUSE);
    while (true) {
      LoadState state = LoadDecisions.decide(store, request);
      if (state != null) {
        return state;
      }
      if (backoff.pauses() >= StagedRows.STORE_ATTEMPTS || !backoff.pause()) {
        throw new TabletUnavailableException(
            "The record of load " + load + " cannot be reached: try again.");
      }
    }
  }
}
