package io.braid.percolator;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.HoldPass;
import io.braid.core.failure.ErrorCode;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.protocol.Trips;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.UninterruptedWork;
import io.braid.core.store.CellStore;
import io.braid.core.time.RisingOracle;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Staleness;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionBody;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.core.transaction.Transactions;
import io.braid.percolator.commit.Committer;
import io.braid.percolator.commit.FinishDuty;
import io.braid.percolator.commit.HeartbeatDuty;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.context.PercolatorCounters;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.percolator.context.SharedTrips;
import io.braid.percolator.garbage.CollectionOptions;
import io.braid.percolator.garbage.Collector;
import io.braid.percolator.reads.ActiveSnapshots;
import io.braid.percolator.reads.SnapshotReader;
import io.braid.percolator.reads.Snapshots;
import io.braid.percolator.resolution.DecisionPoints;
import io.braid.percolator.resolution.IntentResolver;
import io.braid.percolator.resolution.IntentSweepDuty;
import io.braid.percolator.resolution.LastSettlement;
import io.braid.percolator.resolution.RowFinisher;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Transactions after Percolator: decentralised, over any {@link CellStore}. Several processes may
 * use one store and one oracle, each through its own instance.
 *
 * <p>Keeps three duties running until {@link #close}: finishing the secondaries of commits,
 * refreshing the primary locks of long ones, and sweeping up what crashed writers left.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class PercolatorTransactions implements Transactions {
  private final PercolatorContext around;
  private final ActiveSnapshots active;
  private final SnapshotReader reader;
  private final Snapshots snapshots;
  private final Committer committer;
  private final PrimaryOutcomes outcomes;
  private final Pins pins;
  private final FinishDuty finish;
  private final HeartbeatDuty heartbeat;
  private final IntentSweepDuty sweep;
  private final LastSettlement lastSettlement;
  private final Collector collector;
  private final CollectionDuties collection;
  private volatile ChangeSink sink = ChangeSink.NONE;
  private volatile boolean closed;

  /**
   * Starts the duties, but begins no transaction yet.
   *
   * @param store the store with the tables; stays open when this is closed
   * @param seams the seams whose liveness token is in the locks of this process
   * @throws IllegalArgumentException when locks would expire before their owner refreshes them
   */
  public PercolatorTransactions(
      CellStore store, TimestampOracle oracle, Seams seams, PercolatorOptions options) {
    this(store, oracle, seams, options, CollectionOptions.OFF);
  }

  /** Does the same, with garbage collection in the background. */
  public PercolatorTransactions(
      CellStore store,
      TimestampOracle oracle,
      Seams seams,
      PercolatorOptions options,
      CollectionOptions collecting) {
    options.locks().check();
    PercolatorCounters counters = new PercolatorCounters();
    this.around =
        new PercolatorContext(
            store,
            options.savings().batchDelay().isZero()
                ? new Trips(store, counters.trips)
                : new SharedTrips(store, counters.trips, seams, options.savings()),
            new RisingOracle(oracle),
            seams,
            options,
            new TableCatalog(store),
            counters);
    RowFinisher finisher = new RowFinisher(around);
    DecisionPoints points = new DecisionPoints(around);
    IntentResolver resolver = new IntentResolver(around, points, finisher);
    this.active = new ActiveSnapshots(around.oracle(), seams, options.patience().maxAge());
    this.reader = new SnapshotReader(around, resolver);
    this.pins = new Pins(around);
    this.finish = new FinishDuty(around, finisher);
    this.heartbeat = new HeartbeatDuty(around);
    this.sweep = new IntentSweepDuty(around, resolver);
    this.lastSettlement = new LastSettlement(around, points, finisher);
    this.committer = new Committer(around, points, resolver, finisher, finish, heartbeat);
    this.outcomes = new PrimaryOutcomes(around, points, heartbeat);
    this.collector =
        new Collector(
            store,
            around.oracle(),
            seams,
            new LocalParticipants(around, active, pins, resolver),
            collecting);
    this.snapshots = new Snapshots(around, active, reader, collector);
    this.collection = new CollectionDuties(seams, collecting, collector, active);
  }

  @Override
  public Transaction begin() {
    return begin(HoldPass.NONE);
  }

  @Override
  public PercolatorTransaction begin(HoldPass pass) {
    requireOpen();
    Map<String, TableCatalog.Table> known = around.tables().view();
    return begun(snapshots.enter(), pass, known);
  }

  @Override
  public List<Transaction> beginAll(int count) {
    requireOpen();
    Map<String, TableCatalog.Table> known = around.tables().view();
    List<Transaction> all = new ArrayList<>(count);
    for (ActiveSnapshots.Active each : snapshots.enter(count)) {
      all.add(begun(each, HoldPass.NONE, known));
    }
    return all;
  }

  private PercolatorTransaction begun(
      ActiveSnapshots.Active entered, HoldPass pass, Map<String, TableCatalog.Table> known) {
    return new PercolatorTransaction(
        around,
        snapshots.at(entered),
        standing -> snapshots.ofOwner(entered, standing),
        pass,
        known,
        committer,
        () -> sink);
  }

  @Override
  public List<ReadAhead> readAhead(List<ReadAhead> reads) {
    return new ReadingAhead(reader).read(reads);
  }

  @Override
  public Snapshot snapshot() {
    requireOpen();
    return snapshots.at(snapshots.enter());
  }

  @Override
  public Snapshot snapshot(Staleness staleness) {
    requireOpen();
    return snapshots.within(staleness);
  }

  @Override
  public Snapshot snapshotAt(long timestamp) {
    requireOpen();
    around.oracle().requireIssued(timestamp);
    return snapshots.past(timestamp);
  }

  @Override
  public Snapshot snapshotAt(Instant time) {
    requireOpen();
    return snapshots.past(time);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("These transactions are closed: nothing can be begun.");
    }
  }

  @Override
  public <R extends @Nullable Object, E extends Exception> R run(TransactionBody<R, E> body)
      throws E {
    return around.options().retries().run(around.seams(), () -> begin(HoldPass.NONE), body);
  }

  @Override
  public List<CommitResult> commitAll(List<? extends Transaction> all) {
    return UninterruptedWork.get(() -> new CommitAll(committer, sink).commit(all));
  }

  @Override
  public TransactionOutcome outcome(TransactionId id) {
    if (id.decision() instanceof PrimaryCell primary) {
      requireStart(id);
      return outcomes.of(id.start(), primary);
    }
    throw new IllegalArgumentException(
        "Transaction " + id + " is not of Percolator's protocol: ask where it was begun.");
  }

  private void requireStart(TransactionId id) {
    around.oracle().requireIssued(id.start());
    if (Timestamp.local(id.start()) != 0) {
      throw new IllegalArgumentException(
          "No transaction begins at " + id.start() + ": take the id that an error has told.");
    }
  }

  @Override
  public Pin pin(String name, long timestamp) {
    around.oracle().requireIssued(timestamp);
    if (pins.pins().contains(new Pin(name, timestamp))) {
      return new Pin(name, timestamp);
    }
    Pin pin = pins.pin(name, timestamp);
    try {
      collector.requireKept(timestamp);
      return pin;
    } catch (TransactionException e) {
      if (e.code() == ErrorCode.SNAPSHOT_TOO_OLD) {
        pins.unpin(name);
      }
      throw e;
    }
  }

  @Override
  public boolean unpin(String name) {
    return pins.unpin(name);
  }

  @Override
  public List<Pin> pins() {
    return pins.pins();
  }

  @Override
  public void observedBy(ChangeSink sink) {
    this.sink = sink;
  }

  /**
   * Returns the lowest timestamp that a transaction or snapshot of this process reads at, or may
   * yet come to read at; {@link Timestamp#MAX} if there is none. Draw a timestamp first: the lower
   * of the two is below everything that is or will be read here.
   */
  public long lowestActive() {
    return active.lowest();
  }

  public PercolatorStatistics statistics() {
    return PercolatorStatistics.of(around.counters());
  }

  /**
   * Settles the transactions of a table before the table is dropped: those that have their primary
   * in it may have left intents in other tables. Running transactions that write the table are
   * refused from now on.
   *
   * @throws io.braid.core.store.TabletUnavailableException when something could not be settled now
   */
  public void settleBeforeDrop(String table) {
    lastSettlement.of(table);
  }

  /** Returns the cells of a transaction in the store; decides nothing. */
  public TransactionTraces traces(TransactionId id) {
    return new TraceSearch(around).of(id.start(), id.decision());
  }

  /** As {@link #traces(TransactionId)}, when only the start timestamp is known. */
  public TransactionTraces traces(long start) {
    return new TraceSearch(around).of(start, null);
  }

  /** Returns the collector of garbage, which also reports its progress. */
  public Collector collector() {
    return collector;
  }

  /** Publishes to the collections of other processes what is read here. */
  void publish() {
    collection.publish();
  }

  FinishDuty finish() {
    return finish;
  }

  HeartbeatDuty heartbeat() {
    return heartbeat;
  }

  IntentSweepDuty sweep() {
    return sweep;
  }

  /** Resolves now the intents of writers that are dead, or were silent for long. */
  public void sweepNow() {
    sweep.sweepAll();
  }

  /**
   * Ends every transaction that has written in a table and began at or below a timestamp, unless it
   * has committed. For changes of the table that wait for no transaction.
   */
  public void end(String table, long upTo) {
    sweep.end(table, upTo);
  }

  /** Returns the tables as this process knows them now. */
  public Map<String, TableCatalog.Table> tables() {
    return around.tables().view();
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

  /** Finishes the queue and ends the duties. No transaction can begin afterwards. */
  @Override
  public void close() {
    closed = true;
    collector.close();
    collection.close();
    sweep.close();
    heartbeat.close();
    finish.close();
  }
}
