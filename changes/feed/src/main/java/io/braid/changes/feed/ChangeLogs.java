package io.braid.changes.feed;

import io.braid.core.cells.Families;
import io.braid.core.cells.KeptChanges;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.KeyRange;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.Lineage;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.BlockedByTransactionException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The change logs of a database: which tables have one, the rounds that bring them forward, and the
 * changes that are kept. See the package for why nothing is missing. Safe for many threads.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class ChangeLogs implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int TRIM_EACH = 60;
  private static final long STUCK_MILLIS = 1_000;
  private static final int TRIM_BATCH = 1_000;

  private final CellStore store;
  private final Transactions transactions;
  private final TimestampOracle oracle;
  private final Seams seams;
  private final Consumer<String> raised;
  private @Nullable Duty duty;
  private boolean closed;
  private int round;

  /**
   * The state of a log: its table, from and up to which timestamp it reaches, how long changes are
   * kept.
   */
  public record Status(String table, long begin, long resolved, Duration keep) {}

  /**
   * @param transactions the transactions of the database, of all its protocols
   * @param raised takes a table whose epoch was raised: transactions that begin from now on are to
   *     know the epoch
   */
  public ChangeLogs(
      CellStore store,
      Transactions transactions,
      TimestampOracle oracle,
      Seams seams,
      Consumer<String> raised) {
    this.store = store;
    this.transactions = transactions;
    this.oracle = oracle;
    this.seams = seams;
    this.raised = raised;
    if (store.tables().stream().anyMatch(each -> each.has(Families.CHANGES))) {
      work();
    }
  }

  private synchronized void work() {
    if (duty == null && !closed) {
      duty = Duty.start(seams, "braid-changes", PERIOD, this::round);
    }
  }

  /**
   * Keeps the changes of a table from now on, or longer or shorter than before.
   *
   * @param time how long each is kept
   * @return the timestamp from which on they are kept
   * @throws io.braid.core.store.UnknownTableException when there is no such table
   * @throws IllegalArgumentException when it is no table of transactions, or the time is not above
   *     zero
   */
  public long keep(String table, Duration time) {
    if (time.toMillis() <= 0) {
      throw new IllegalArgumentException("Changes are kept for a while: name a time above zero.");
    }
    TableSchema schema =
        store
            .table(table)
            .orElseThrow(() -> new UnknownTableException("There is no table " + table + "."));
    if (!schema.has(Families.INTENT)) {
      throw new IllegalArgumentException("Table " + table + " is no table of transactions.");
    }
    store.ensureTable(ChangeRows.schema(table));
    store.ensureTable(
        new TableSchema(table, List.of(new FamilySchema(Families.CHANGES, Kind.SPARSE))));
    LogState.keep(store, table, time.toMillis());
    Optional<LogState> state = LogState.read(store, table);
    if (state.isEmpty()) {
      // A load by snapshot files commits under the epoch in which it saw no log: none after this.
      LogState.begin(store, table, oracle.next());
      store.raiseEpoch(table, store.epoch(table) + 1);
      raised.accept(table);
      // All commits without a mark are below this timestamp (CommitRecords.put).
      LogState.begin(store, table, oracle.next());
    }
    work();
    return state(table).begin();
  }

  /** Returns whether the changes of a table are kept. */
  public static boolean areKept(CellStore store, String table) {
    return KeptChanges.areKept(store, table);
  }

  /** Keeps no changes of a table any more, and forgets those there are. */
  public void stop(String table) {
    LogState.remove(store, table);
    store.dropTable(ChangeRows.log(table));
  }

  /** The logs there are, in the order of their tables. */
  public List<Status> list() {
    return all(store).stream().map(ChangeLogs::status).toList();
  }

  private static List<LogState> all(CellStore store) {
    List<LogState> all = new ArrayList<>();
    ScanRequest request =
        ScanRequest.of(
            Families.SYSTEM_TABLE,
            KeyRange.prefix(KeptChanges.PREFIX),
            Selection.family(Families.SYSTEM));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        LogState.of(row).ifPresent(all::add);
      }
    }
    return all;
  }

  private static Status status(LogState state) {
    return new Status(
        state.table(), state.begin(), state.resolved(), Duration.ofMillis(state.keepMillis()));
  }

  /**
   * The changes of a table beyond a position.
   *
   * @param since null for all that are kept
   * @throws ChangesException when they are not kept, or not any more; when the position is of
   *     another database; when the position is of the database that this one was restored from and
   *     lies after the part that both have in common
   * @throws IllegalArgumentException when the position is yet to come
   */
  public ChangeFeed feed(String table, @Nullable Position since) {
    LogState state = state(table);
    Position from = since == null ? Position.after(state.begin()) : since;
    requireOwn(state, from);
    requireKept(state, from);
    return new ChangeFeed(store, this, table, from.of(lineage()));
  }

  /** The position after all changes up to a timestamp of this database. */
  public Position at(long timestamp) {
    return Position.after(timestamp).of(lineage());
  }

  private String lineage() {
    return Lineage.markOf(store, seams.random());
  }

  /** Returns whether a kept position is the same place in the feed of a table as the feed's own. */
  boolean isSame(String table, Position kept, Position own) {
    return kept.compareTo(own) == 0 && state(table).has(kept, lineage());
  }

  private void requireOwn(LogState state, Position from) {
    if (!state.has(from, lineage())) {
      throw new ChangesException(
          "Position "
              + from
              + " is of another database, or of the one that this one was restored from and after"
              + " the backup was made. Read table "
              + state.table()
              + " again into another place, then its feed from there.");
    }
    oracle.requireIssued(from.timestamp());
  }

  /**
   * Tells a database that is being restored which positions of the source's feeds stay good: up to
   * where the logs of both are the same.
   *
   * @param source the lineage that the database still has
   * @param resolved of each table how far its log had come when the backup was made
   */
  public static void branch(CellStore store, String source, Map<String, Long> resolved) {
    resolved.forEach(
        (table, timestamp) -> {
          if (areKept(store, table)) {
            LogState.share(store, table, Lineage.mark(source), timestamp);
          }
        });
  }

  /** The same, with logs in the state that they had in the backup. */
  public static void branch(CellStore store, String source) {
    all(store)
        .forEach(
            state -> LogState.share(store, state.table(), Lineage.mark(source), state.resolved()));
  }

  LogState state(String table) {
    return LogState.read(store, table)
        .orElseThrow(
            () ->
                new ChangesException(
                    "The changes of table "
                        + table
                        + " are not kept: 'braid table changes "
                        + table
                        + " --keep 7d' keeps those to come."));
  }

  void requireKept(LogState state, Position position) {
    if (position.timestamp() < state.begin()) {
      throw new ChangesException(
          "Changes of table "
              + state.table()
              + " are kept from "
              + Timestamp.toText(state.begin())
              + " on, and the position "
              + position
              + " lies before: read the table again, then the feed from there.");
    }
  }

  /**
   * Brings a log forward: a round. Does nothing when another one is at it.
   *
   * @return how many changes of columns were logged
   */
  public long advance(String table) {
    String lock = "changes/" + table;
    String owner = seams.liveness().token() + "/" + seams.random().nextLong();
    if (!seams.locks().tryLock(lock, owner)) {
      return 0;
    }
    try {
      LogState before = state(table);
      long drawn = oracle.next();
      OpenIntents open = new OpenIntents(store, drawn);
      MarkedRows marked = new MarkedRows(store);
      scan(table, drawn, open, marked);
      marked.flush();
      if (open.resolved() > before.resolved()) {
        LogState.resolved(store, table, open.resolved());
      }
      settle(open, drawn);
      return marked.taken();
    } finally {
      seams.locks().unlock(lock, owner);
    }
  }

  void catchUp(String table) {
    long wanted = oracle.next();
    Backoff backoff = new Backoff(seams, Duration.ofMillis(2), Duration.ofMillis(100));
    do {
      advance(table);
    } while (state(table).resolved() < wanted
        && backoff.elapsed().compareTo(PATIENCE) < 0
        && backoff.pause());
  }

  private void scan(String table, long drawn, OpenIntents open, MarkedRows marked) {
    ScanRequest request =
        ScanRequest.of(
                table,
                KeyRange.ALL,
                Selection.family(Families.CHANGES),
                Selection.family(Families.INTENT).upTo(drawn))
            .at(drawn);
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        List<Cell> marks = new ArrayList<>();
        for (Cell cell : row.cells()) {
          if (cell.column().family().equals(Families.CHANGES)) {
            marks.add(cell);
          } else {
            open.meet(row.row(), cell);
          }
        }
        if (!marks.isEmpty() && marked.add(row.row(), marks)) {
          marked.flush();
        }
      }
    }
  }

  /** Reads cells that have held the log back for long: a reader has them decided. */
  private void settle(OpenIntents open, long drawn) {
    boolean stuck =
        Timestamp.wallMillis(drawn) - Timestamp.wallMillis(open.resolved()) > STUCK_MILLIS;
    if (stuck && !open.blocking().isEmpty()) {
      try (Snapshot snapshot = transactions.snapshot()) {
        open.blocking().forEach(snapshot::get);
      } catch (BlockedByTransactionException e) {
        // Its owner lives: the log waits.
      }
    }
  }

  /** Forgets changes up to a timestamp; those that are not resolved stay. */
  public void trim(String table, long timestamp) {
    LogState state = state(table);
    long upTo = Math.min(timestamp, state.resolved());
    if (upTo > state.begin()) {
      LogState.begin(store, table, upTo);
    }
    clear(table, Math.max(upTo, state.begin()));
  }

  private void clear(String table, long upTo) {
    ScanRequest request =
        ScanRequest.of(
            ChangeRows.log(table),
            new KeyRange(Bytes.EMPTY, Bytes.ofLong(upTo + 1)),
            Selection.family(ChangeRows.family()));
    List<RowWrite> removals = new ArrayList<>();
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        removals.add(LogWrites.removal(row.row(), row.cells()));
        if (removals.size() == TRIM_BATCH) {
          LogWrites.removeAll(store, removals);
          removals.clear();
        }
      }
    }
    if (!removals.isEmpty()) {
      LogWrites.removeAll(store, removals);
    }
  }

  /** Runs one round of all logs. */
  boolean round() {
    boolean trims = ++round % TRIM_EACH == 0;
    for (TableSchema schema : store.tables()) {
      if (schema.has(Families.CHANGES)) {
        // Drawn before the state is read: a log that begins after that begins above it, and so do
        // the marks that belong to it.
        long drawn = oracle.next();
        Optional<LogState> state = LogState.read(store, schema.name());
        if (state.isEmpty()) {
          discard(schema.name(), drawn);
        } else {
          advance(schema.name());
          if (trims) {
            Duration keep = Duration.ofMillis(state.get().keepMillis());
            trim(schema.name(), Timestamp.before(oracle.lastIssued(), keep));
          }
        }
      }
    }
    return false;
  }

  /** Removes the marks of a table whose changes are not kept any more, up to a timestamp. */
  private void discard(String table, long upTo) {
    MarkedRows marked = new MarkedRows(store);
    ScanRequest request =
        ScanRequest.of(table, KeyRange.ALL, Selection.family(Families.CHANGES).upTo(upTo));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        if (marked.add(row.row(), row.cells())) {
          marked.discard();
        }
      }
    }
    marked.discard();
  }

  @Override
  public void close() {
    Duty running;
    synchronized (this) {
      closed = true;
      running = duty;
    }
    if (running != null) {
      running.close();
    }
  }
}
