package io.braid.omid;

import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.cells.HoldPass;
import io.braid.core.data.ColumnName;
import io.braid.core.protocol.RowScans;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.protocol.Trips;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.RisingOracle;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionBody;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.core.transaction.Transactions;
import io.braid.omid.manager.TransactionManager;
import io.braid.omid.manager.TransactionManager.BegunTransaction;
import io.braid.omid.rows.CommitEntries;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Transactions after Omid LL (section 3): low latency, with one transaction manager for all.
 *
 * <p>Keeps two duties running until {@link #close}: the post-commit of transactions, and the sweep
 * that cleans up after clients that died.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class OmidTransactions implements Transactions {
  private final ProtocolContext around;
  private final RowReader reader;
  private final RowScans scans;
  private final RunningCommits committer;
  private final CommitTable commits;
  private final EntryOutcomes outcomes;
  private final PostCommitDuty postCommit;
  private final TentativeSweepDuty sweep;
  private volatile ChangeSink sink = ChangeSink.NONE;
  private volatile Predicate<String> indexed = table -> false;
  private volatile boolean closed;

  /**
   * Creates the commit table if there is none, and starts the duties.
   *
   * @param store the store with the tables; stays open when this is closed
   * @param manager the manager that all writers of these tables share
   * @param oracle the oracle from which the manager draws
   * @param seams the seams whose liveness token is in the tentative cells of this process
   * @throws IllegalArgumentException when the manager writes the entries, and the options are to
   *     commit in one phase
   */
  public OmidTransactions(
      CellStore store,
      TransactionManager manager,
      TimestampOracle oracle,
      Seams seams,
      OmidOptions options) {
    if (options.onePhase() && manager.writesEntries()) {
      throw new IllegalArgumentException(
          "Where the manager writes entries nothing commits in one phase.");
    }
    CommitTable.ensure(store);
    OmidCounters counters = new OmidCounters();
    this.around =
        new ProtocolContext(
            store,
            new Trips(store, counters.trips),
            manager,
            new RisingOracle(oracle),
            seams,
            options,
            new TableCatalog(store),
            counters);
    this.commits = new CommitTable(around);
    this.postCommit = new PostCommitDuty(around, commits);
    this.reader = new RowReader(around, new EntryResolver(around, commits, postCommit));
    this.scans = new RowScans(store, around.storeRetries(), counters.trips, reader);
    this.committer = new RunningCommits(around, commits, postCommit);
    this.outcomes = new EntryOutcomes(around, commits, committer);
    this.sweep = new TentativeSweepDuty(around, commits, postCommit);
  }

  @Override
  public Transaction begin() {
    return begin(HoldPass.NONE);
  }

  @Override
  public Transaction begin(HoldPass pass) {
    requireOpen();
    return transaction(pass, around.manager()::begin);
  }

  /**
   * Begins a transaction at a timestamp that the oracle gave to this caller alone. The caller keeps
   * the versions for it. For a part of a transaction that also reads tables of another protocol.
   *
   * @param known the known {@link #tables} before the timestamp was drawn
   */
  public Transaction beginAt(HoldPass pass, long timestamp, Map<String, TableCatalog.Table> known) {
    requireOpen();
    around.oracle().requireIssued(timestamp);
    return transaction(pass, known, () -> around.manager().enter(timestamp));
  }

  /** Returns the tables as this process knows them now. */
  public Map<String, TableCatalog.Table> tables() {
    return around.tables().view();
  }

  private OmidTransaction transaction(HoldPass pass, Supplier<BegunTransaction> begin) {
    // The known state of the tables must not be newer than the snapshot.
    return transaction(pass, tables(), begin);
  }

  private OmidTransaction transaction(
      HoldPass pass, Map<String, TableCatalog.Table> known, Supplier<BegunTransaction> begin) {
    OmidSnapshot snapshot = new OmidSnapshot(reader, scans, begin.get());
    return new OmidTransaction(snapshot, pass, known, committer, () -> sink);
  }

  @Override
  public Snapshot snapshot() {
    requireOpen();
    return new OmidSnapshot(reader, scans, around.manager().begin());
  }

  @Override
  public Snapshot snapshotAt(long timestamp) {
    requireOpen();
    around.oracle().requireIssued(timestamp);
    return new OmidSnapshot(reader, scans, around.manager().enter(timestamp));
  }

  @Override
  public Snapshot snapshotAt(Instant time) {
    requireOpen();
    long last = around.oracle().lastAt(time);
    // A fresh timestamp: everything committed until now is at or below it.
    try (BegunTransaction now = around.manager().begin()) {
      Timestamp.requirePast(time, last, now.timestamp(), around.seams().wallMillis());
      long timestamp = Math.min(last, now.timestamp());
      return new OmidSnapshot(reader, scans, around.manager().enter(timestamp));
    }
  }

  @Override
  public FastSession fast(FastOptions options) {
    return fast(options, this);
  }

  /**
   * As {@link #fast(FastOptions)}.
   *
   * @param regular runs the operations that the fast path cannot do: transactions over all tables
   *     that the session uses
   */
  public FastSession fast(FastOptions options, Transactions regular) {
    requireOpen();
    around.oracle().requireIssued(options.after());
    return new FastPath(around, this, regular, options);
  }

  /** Whether a write of the column changes more than its row. */
  boolean isRegularOnly(String table, ColumnName column) {
    return indexed.test(table) || sink.isObserved(table, column);
  }

  /** Whether regular transactions have to do the work of the fast path, wanted or not. */
  boolean isIndexed(String table) {
    return indexed.test(table);
  }

  /**
   * Sets which tables have indexes.
   *
   * @param indexed tables that have indexes, or are indexes: the fast path leaves them to regular
   *     transactions
   * @param unchecked tables and columns that need no search for conflicts: each writer of such a
   *     cell also writes another cell that is searched
   */
  public void indexedBy(Predicate<String> indexed, BiPredicate<String, ColumnName> unchecked) {
    this.indexed = indexed;
    committer.leaveUnchecked(unchecked);
  }

  /**
   * Decides every transaction that has tentative cells in a table, and deals with these cells.
   * Transactions that have not committed never will. To be called when the table gets a new epoch.
   */
  public void settle(String table) {
    sweep.settle(table);
  }

  /**
   * Runs an action whenever epochs of tables were read, before transactions that begin know them.
   */
  public void beforeLearning(Runnable learning) {
    around.tables().beforeLearning(learning);
  }

  /** Learns the new epoch of a table: transactions that begin from now on know it. */
  public void learn(String table) {
    around.tables().refresh(table);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("These transactions are closed: nothing can be begun.");
    }
  }

  @Override
  public <R extends @Nullable Object, E extends Exception> R run(TransactionBody<R, E> body)
      throws E {
    requireOpen();
    return around
        .options()
        .retries()
        .run(around.seams(), () -> transaction(HoldPass.NONE, around.manager()::begin), body);
  }

  @Override
  public TransactionOutcome outcome(TransactionId id) {
    if (id.decision() instanceof CommitEntry entry) {
      CommitEntries.requireNameOf(id.start(), entry);
      if (!FastPath.isRequest(id.start())) {
        around.oracle().requireIssued(id.start());
      }
      return outcomes.of(id.start(), entry);
    }
    throw new IllegalArgumentException(
        "Transaction " + id + " is not of Omid's protocol: ask where it was begun.");
  }

  @Override
  public Pin pin(String name, long timestamp) {
    throw noPins();
  }

  @Override
  public boolean unpin(String name) {
    throw noPins();
  }

  @Override
  public List<Pin> pins() {
    throw noPins();
  }

  private static UnsupportedOperationException noPins() {
    return new UnsupportedOperationException("Pins are kept by the database, for all protocols.");
  }

  @Override
  public void observedBy(ChangeSink sink) {
    this.sink = sink;
  }

  public OmidStatistics statistics() {
    return around.counters().statistics();
  }

  PostCommitDuty postCommit() {
    return postCommit;
  }

  TentativeSweepDuty sweep() {
    return sweep;
  }

  CommitTable commits() {
    return commits;
  }

  /** Finishes the queued post-commits and ends the duties. No transaction can begin afterwards. */
  @Override
  public void close() {
    closed = true;
    sweep.close();
    postCommit.close();
  }
}
