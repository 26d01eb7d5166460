package io.braid.batch.atomic;

import io.braid.batch.LoadContext;
import io.braid.batch.input.RawRecord;
import io.braid.batch.job.JobException;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.IndexRowsAhead;
import io.braid.batch.sink.SinkRecord;
import io.braid.batch.sink.WriteResult;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.loads.DecideLoad;
import io.braid.core.loads.DecideLoad.Step;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.loads.LoadState;
import io.braid.core.loads.LoadState.Phase;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes a staged load to its end: commits it at one timestamp by one record, or gives it up by one
 * record; then settles its rows, which is nobody's condition for seeing it. Every step may be
 * repeated, by any process, after any crash. What the steps are for stands at {@link
 * io.braid.core.loads}.
 */
public final class AtomicLoad implements Publication {
  private static final int BATCH = 256;
  private static final int EXAMPLES = 5;
  private static final int STORE_ATTEMPTS = 10;
  private static final Duration PAUSE = Duration.ofMillis(2);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

  private final LoadContext context;
  private final CellStore store;
  private final LoadDecisions decisions;
  private final String load;
  private final String table;
  private final long start;
  private final Conflicts conflicts;
  private final Duration patience;
  private final @Nullable LongConsumer kept;

  /** An intent of a transaction that was there before the table's epoch was raised. */
  private record Standing(Row row, ColumnName column, long version) {}

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
   * @param kept is told, before the load can be seen, how many of its rows stay as others wrote
   *     them ({@link KeptRows}); the last word counts. Null: nobody wants to know.
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
    this.kept = kept;
  }

  /** Writes the record, if it is not there. */
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
   *     policy is to fail and others wrote what the load would; it can be tried again
   */
  @Override
  public long commit() {
    String drainer = context.seams().liveness().token() + "/" + context.seams().random().nextLong();
    LoadState state = decide(DecideLoad.Request.draining(load, Step.DRAIN, drainer));
    if (state.phase() == Phase.DRAINING && !state.drainer().equals(drainer)) {
      if (context.seams().liveness().isAlive(state.drainer().replaceFirst("/[^/]*$", ""))) {
        throw new JobException("Load " + load + " is being committed already.");
      }
      decide(DecideLoad.Request.draining(load, Step.REOPEN, state.drainer()));
      state = decide(DecideLoad.Request.draining(load, Step.DRAIN, drainer));
    }
    if (state.phase() == Phase.DRAINING) {
      try {
        store.raiseEpoch(table, store.epoch(table) + 1);
        drain();
        requireNoConflicts();
        indexAgain();
        countKept();
        state = decide(DecideLoad.Request.draining(load, Step.CLOSE, drainer));
      } catch (RuntimeException e) {
        reopen(drainer);
        throw e;
      }
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

  /** Once the load is visible, whoever meets its rows settles them, and what gave way is gone. */
  private void countKept() {
    if (kept != null && conflicts == Conflicts.NEWER) {
      kept.accept(new KeptRows(context, table, start).staged(load));
    }
  }

  /** Lets writers pass again. If that fails, whoever tries to commit next begins where we were. */
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
    store.raiseEpoch(table, store.epoch(table) + 1);
    return state.phase() == Phase.ABORTED;
  }

  /**
   * Makes the staged cells of a decided load records, or removes them. Walks through the intents of
   * the table, not through its rows.
   *
   * @return how many rows were settled
   */
  @Override
  public long settle() {
    long[] rows = {0};
    Backoff backoff = new Backoff(context.seams(), PAUSE, LONGEST_PAUSE);
    while (true) {
      Set<LoadDecisions.Met> open = new LinkedHashSet<>();
      List<LoadDecisions.Met> batch = new ArrayList<>();
      walk(
          row -> {
            LoadDecisions.Met met = staged(row);
            if (met != null) {
              rows[0]++;
              batch.add(met);
            }
            if (batch.size() == BATCH) {
              open.addAll(decisions.resolve(batch).unsettled());
              batch.clear();
            }
          });
      open.addAll(decisions.resolve(batch).unsettled());
      if (open.isEmpty()) {
        return rows[0];
      }
      rows[0] -= open.size();
      if (backoff.elapsed().compareTo(patience) > 0 || !backoff.pause()) {
        throw new TabletUnavailableException(
            open.size() + " rows of load " + load + " cannot be settled now: resume it later.");
      }
    }
  }

  /** Settles the rows of a load of somebody else, if it has committed. */
  static void settleCommitted(LoadContext context, String load, String table, Duration patience) {
    LoadState state = LoadDecisions.look(context.store(), load);
    if (state != null && state.phase() == Phase.COMMITTED) {
      new AtomicLoad(context, load, table, state.start(), Conflicts.NEWER, patience).settle();
    }
  }

  private LoadDecisions.@Nullable Met staged(RowCells row) {
    for (Cell cell : row.cells()) {
      Intent intent = intent(cell);
      if (intent != null && cell.version() == start && isOurs(intent)) {
        return LoadDecisions.Met.of(row.row(), start, intent);
      }
    }
    return null;
  }

  private boolean isOurs(Intent intent) {
    return intent.decision() instanceof LoadRecord record && record.load().equals(load);
  }

  private static @Nullable Intent intent(Cell cell) {
    return cell.column().qualifier().isEmpty() ? null : Intent.decode(cell.value());
  }

  /** Waits until all transactions have ended that were writing the table under its old epoch. */
  private void drain() {
    List<Standing> standing = new ArrayList<>();
    walk(row -> standing.addAll(standing(row)));
    Backoff backoff = new Backoff(context.seams(), PAUSE, LONGEST_PAUSE);
    while (true) {
      standing.removeIf(each -> !stands(each));
      if (standing.isEmpty()) {
        return;
      }
      standing.forEach(this::help);
      if (backoff.elapsed().compareTo(patience) > 0 || !backoff.pause()) {
        Standing first = standing.get(0);
        throw new JobException(
            standing.size()
                + " cells are being written by transactions that do not end, the first "
                + first.row
                + "/"
                + first.column
                + " by the one begun at "
                + first.version
                + ": commit the load later.");
      }
    }
  }

  private static List<Standing> standing(RowCells row) {
    List<Standing> standing = new ArrayList<>(0);
    for (Cell cell : row.cells()) {
      Intent intent = intent(cell);
      if (intent != null && intent.undecided() && !(intent.decision() instanceof LoadRecord)) {
        standing.add(
            new Standing(row.row(), Families.column(cell.column().qualifier()), cell.version()));
      }
    }
    return standing;
  }

  private boolean stands(Standing each) {
    ColumnName at = Families.intent(each.column);
    return patiently(() -> store.read(RowRead.of(each.row, Selection.column(at)))).cells().stream()
        .anyMatch(
            cell -> cell.version() == each.version && Intent.decode(cell.value()).undecided());
  }

  /** Has a transaction decided as a reader does, under either protocol. */
  private void help(Standing each) {
    try (Snapshot now = context.transactions().snapshot()) {
      now.get(each.row, Column.of(each.column.family(), each.column.qualifier(), Codecs.bytes()));
    } catch (TransactionException | StoreException e) {
      // It is looked at again anyway.
    }
  }

  /** Under the policy to fail: nobody may have written a staged column since the load began. */
  private void requireNoConflicts() {
    if (conflicts != Conflicts.FAIL) {
      return;
    }
    List<String> found = new ArrayList<>();
    walk(
        row -> {
          LoadDecisions.Met met = found.size() < EXAMPLES ? staged(row) : null;
          if (met == null) {
            return;
          }
          for (Cell cell : row.cells()) {
            Intent intent = intent(cell);
            if (intent != null && isOurs(intent)) {
              ColumnName column = Families.column(cell.column().qualifier());
              Selection newest = Selection.column(column).newest(1);
              for (Cell each : patiently(() -> store.read(RowRead.of(row.row(), newest))).cells()) {
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
   * Under the policy to win: what others wrote since the index rows were, and that is written over,
   * may have removed some. From now on nobody writes these columns until the load has committed.
   */
  private void indexAgain() {
    if (conflicts != Conflicts.LOAD || !context.loadable().isIndexed(table)) {
      return;
    }
    IndexRowsAhead indexes = new IndexRowsAhead(context);
    List<SinkRecord> batch = new ArrayList<>();
    walk(
        row -> {
          List<CellWrite> cells = ours(row);
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

  private List<CellWrite> ours(RowCells row) {
    List<CellWrite> cells = new ArrayList<>(row.cells().size());
    for (Cell cell : row.cells()) {
      Intent intent = intent(cell);
      if (intent != null && cell.version() == start && isOurs(intent)) {
        ColumnName column = Families.column(cell.column().qualifier());
        Bytes value =
            intent.kind() == Intent.Kind.PUT_LARGE ? large(row.row(), column) : intent.value();
        cells.add(new CellWrite(column, intent.kind(), value, false));
      }
    }
    return cells;
  }

  private Bytes large(Row row, ColumnName column) {
    Selection at = Selection.column(Families.large(column)).upTo(start).newest(1);
    return patiently(() -> store.read(RowRead.of(row, at))).cells().get(0).value();
  }

  /** Walks through the rows of the table that have intents. */
  private void walk(Consumer<RowCells> each) {
    Bytes from = Bytes.EMPTY;
    Backoff backoff = new Backoff(context.seams(), PAUSE, LONGEST_PAUSE);
    while (true) {
      ScanRequest request =
          ScanRequest.of(table, new KeyRange(from, null), Selection.family(Families.INTENT));
      try (RowScanner scanner = store.scan(request)) {
        for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
          each.accept(row);
          from = row.row().key().successor();
        }
        return;
      } catch (TabletUnavailableException e) {
        if (backoff.pauses() >= STORE_ATTEMPTS || !backoff.pause()) {
          throw e;
        }
      }
    }
  }

  private RowCells patiently(Supplier<RowCells> call) {
    Backoff backoff = new Backoff(context.seams(), PAUSE, LONGEST_PAUSE);
    while (true) {
      try {
        return call.get();
      } catch (TabletUnavailableException e) {
        if (backoff.pauses() >= STORE_ATTEMPTS || !backoff.pause()) {
          throw e;
        }
      }
    }
  }

  /** Takes a step; asks until the store answers. */
  private LoadState decide(DecideLoad.Request request) {
    Backoff backoff = new Backoff(context.seams(), PAUSE, LONGEST_PAUSE);
    while (true) {
      LoadState state = LoadDecisions.decide(store, request);
      if (state != null) {
        return state;
      }
      if (backoff.pauses() >= STORE_ATTEMPTS || !backoff.pause()) {
        throw new TabletUnavailableException(
            "The record of load " + load + " cannot be reached: try again.");
      }
    }
  }
}
