package io.braid.percolator;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.HoldPass;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.Duty;
import io.braid.core.protocol.RowScans;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.RisingOracle;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.SnapshotTooOldException;
import io.braid.core.transaction.Staleness;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionBody;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.core.transaction.Transactions;
import io.braid.percolator.garbage.CollectionOptions;
import io.braid.percolator.garbage.Collector;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Transactions after Percolator: decentralised, over any {@link CellStore}. Several processes may
 * use one store and one oracle, each through its own instance.
 *
 * <p>Keeps three duties running until {@link #close}: finishing the secondaries of commits,
 * refreshing the primary locks of long ones, and sweeping up what crashed writers left.
 */
public final class PercolatorTransactions implements Transactions {
  private final Surroundings around;
  private final ActiveSnapshots active;
  private final RecentTimestamp recent = new RecentTimestamp();
  private final ReadPatterns patterns = new ReadPatterns();
  private final SnapshotReader reader;
  private final RowScans scans;
  private final Committer committer;
  private final Outcomes outcomes;
  private final Pins pins;
  private final FinishDuty finish;
  private final HeartbeatDuty heartbeat;
  private final SweepDuty sweep;
  private final LastSettlement lastSettlement;
  private final Collector collector;
  private final List<Duty> collection = new ArrayList<>();
  private volatile ChangeSink sink = ChangeSink.NONE;
  private volatile boolean closed;

  /**
   * Begins nothing yet, but starts the duties.
   *
   * @param store where the tables are; stays open when this is closed
   * @param seams whose liveness token stands in the locks of this process
   * @throws IllegalArgumentException when locks would expire before their owner refreshes them
   */
  public PercolatorTransactions(
      CellStore store, TimestampOracle oracle, Seams seams, PercolatorOptions options) {
    this(store, oracle, seams, options, CollectionOptions.OFF);
  }

  /** As the other; with garbage collection in the background. */
  public PercolatorTransactions(
      CellStore store,
      TimestampOracle oracle,
      Seams seams,
      PercolatorOptions options,
      CollectionOptions collecting) {
    options.locks().check();
    Counters counters = new Counters();
    this.around =
        new Surroundings(
            store,
            new BatchedTrips(store, counters.trips, seams, options.savings()),
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
    this.scans = new RowScans(store, around.storeRetries(), counters.trips, reader);
    this.pins = new Pins(around);
    this.finish = new FinishDuty(around, finisher);
    this.heartbeat = new HeartbeatDuty(around);
    this.sweep = new SweepDuty(around, resolver);
    this.lastSettlement = new LastSettlement(around, points, finisher);
    this.committer = new Committer(around, points, resolver, finisher, finish, heartbeat);
    this.outcomes = new Outcomes(around, points, heartbeat);
    this.collector =
        new Collector(
            store,
            around.oracle(),
            seams,
            new LocalParticipants(around, active, pins, resolver),
            collecting);
    startCollection(seams, collecting);
  }

  private void startCollection(Seams seams, CollectionOptions collecting) {
    if (collecting.publishes()) {
      Duty publish =
          Duty.start(
              seams,
              "braid-readers",
              collecting.renewal(),
              () -> {
                publish();
                return false;
              });
      publish.wake();
      collection.add(publish);
    }
    if (collecting.collects()) {
      collection.add(
          Duty.start(
              seams,
              "braid-garbage",
              collecting.interval(),
              () -> {
                collector.collectOnce();
                return false;
              }));
    }
  }

  @Override
  public Transaction begin() {
    return begin(HoldPass.NONE);
  }

  @Override
  public PercolatorTransaction begin(HoldPass pass) {
    requireOpen();
    Map<String, TableCatalog.Table> known = around.tables().view();
    return begun(now(), pass, known);
  }

  @Override
  public List<Transaction> beginAll(int count) {
    requireOpen();
    Map<String, TableCatalog.Table> known = around.tables().view();
    long asked = around.seams().nanoTime();
    List<ActiveSnapshots.Active> entered = count == 0 ? List.of() : active.now(count);
    List<Transaction> all = new ArrayList<>(count);
    for (ActiveSnapshots.Active each : entered) {
      recent.learnt(each.timestamp(), asked, false);
      all.add(begun(each, HoldPass.NONE, known));
    }
    return all;
  }

  private PercolatorTransaction begun(
      ActiveSnapshots.Active entered, HoldPass pass, Map<String, TableCatalog.Table> known) {
    return new PercolatorTransaction(
        at(entered), standing -> ofOwner(entered, standing), pass, known, committer, () -> sink);
  }

  @Override
  public List<ReadAhead> readAhead(List<ReadAhead> reads) {
    return new ReadingAhead(reader).read(reads);
  }

  /** The snapshot of a transaction whose writes stand in the store. */
  private PercolatorSnapshot ofOwner(ActiveSnapshots.Active entered, Runnable standing) {
    SnapshotReader own = reader.ofOwner(standing);
    RowScans all =
        new RowScans(around.store(), around.storeRetries(), around.counters().trips, own, standing);
    return new PercolatorSnapshot(own, all, patterns, entered);
  }

  @Override
  public Snapshot snapshot() {
    requireOpen();
    return at(now());
  }

  /** Asks the oracle only if this process has no timestamp that is young enough and kept. */
  @Override
  public Snapshot snapshot(Staleness staleness) {
    requireOpen();
    OptionalLong known = recent.within(staleness.atMost().toNanos(), around.seams().nanoTime());
    if (known.isPresent()) {
      ActiveSnapshots.Active entered = active.enter(known.getAsLong());
      if (collector.keeps(known.getAsLong())) {
        return at(entered);
      }
      entered.close();
    }
    return at(now(true));
  }

  private ActiveSnapshots.Active now() {
    return now(false);
  }

  private ActiveSnapshots.Active now(boolean note) {
    long asked = around.seams().nanoTime();
    ActiveSnapshots.Active now = active.now();
    recent.learnt(now.timestamp(), asked, note);
    return now;
  }

  private PercolatorSnapshot at(ActiveSnapshots.Active entered) {
    return new PercolatorSnapshot(reader, scans, patterns, entered);
  }

  @Override
  public Snapshot snapshotAt(long timestamp) {
    requireOpen();
    requireIssued(timestamp);
    return past(timestamp);
  }

  /** Entered first, then looked at: a collection either sees it, or is seen here. */
  private Snapshot past(long timestamp) {
    ActiveSnapshots.Active entered = active.enter(timestamp);
    try {
      collector.requireReadable(timestamp);
      return at(entered);
    } catch (RuntimeException e) {
      entered.close();
      throw e;
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("These transactions are closed: nothing can be begun.");
    }
  }

  private void requireIssued(long timestamp) {
    if (timestamp < 0 || Timestamp.withoutLocal(timestamp) > around.oracle().lastIssued()) {
      throw new IllegalArgumentException(
          "The oracle has not given out timestamp " + timestamp + " yet: use an earlier one.");
    }
  }

  @Override
  public Snapshot snapshotAt(Instant time) {
    requireOpen();
    if (time.toEpochMilli() > around.seams().wallMillis()) {
      throw new IllegalArgumentException("There is no snapshot of " + time + ": it is to come.");
    }
    // A fresh timestamp: everything committed until now is at or below it.
    try (ActiveSnapshots.Active now = now()) {
      long timestamp = Math.min(Timestamp.lastAt(time), now.timestamp());
      return past(timestamp);
    }
  }

  @Override
  public <R extends @Nullable Object, E extends Exception> R run(TransactionBody<R, E> body)
      throws E {
    PercolatorOptions.Retries retries = around.options().retries();
    Backoff backoff = null;
    while (true) {
      try (PercolatorTransaction tx = begin(HoldPass.NONE)) {
        try {
          R result = body.run(tx);
          if (tx.isActive()) {
            tx.commit();
          }
          return result;
        } catch (ConflictException e) {
          if (backoff == null) {
            backoff = new Backoff(around.seams(), retries.runPause(), retries.runPauseMost());
          }
          boolean last = backoff.pauses() + 1 >= retries.runAttempts();
          if (!tx.hasConflicted() || last || !backoff.pause()) {
            throw e;
          }
        }
      }
    }
  }

  @Override
  public List<CommitResult> commitAll(List<? extends Transaction> all) {
    return new CommitAll(committer, sink).commit(all);
  }

  @Override
  public TransactionOutcome outcome(TransactionId id) {
    if (id.decision() instanceof PrimaryCell primary) {
      return outcomes.of(id.start(), primary);
    }
    throw new IllegalArgumentException(
        "Transaction " + id + " is not of Percolator's protocol: ask where it was begun.");
  }

  @Override
  public Pin pin(String name, long timestamp) {
    requireIssued(timestamp);
    if (pins.pins().contains(new Pin(name, timestamp))) {
      return new Pin(name, timestamp);
    }
    Pin pin = pins.pin(name, timestamp);
    try {
      collector.requireKept(timestamp);
      return pin;
    } catch (SnapshotTooOldException e) {
      pins.unpin(name);
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
   * The lowest timestamp that a transaction or snapshot of this process reads at, or may yet come
   * to read at; {@link Timestamp#MAX} when there is none. Draw a timestamp first: the lower of the
   * two is below everything that is or will be read here.
   */
  public long lowestActive() {
    return active.lowest();
  }

  public PercolatorStatistics statistics() {
    return around.counters().statistics();
  }

  /**
   * To be called before a table is dropped: transactions that have their primary in it may have
   * left intents in others. Those that are under way and write it are refused from now on.
   *
   * @throws io.braid.core.store.TabletUnavailableException when something could not be settled now
   */
  public void settleBeforeDrop(String table) {
    lastSettlement.of(table);
  }

  /** What stands of a transaction; decides nothing. */
  public TransactionTraces traces(TransactionId id) {
    return new Tracing(around).of(id.start(), id.decision());
  }

  /** As {@link #traces(TransactionId)}, when only the start timestamp is known. */
  public TransactionTraces traces(long start) {
    return new Tracing(around).of(start, null);
  }

  /** Collects garbage, and tells how that stands. */
  public Collector collector() {
    return collector;
  }

  /** Tells the collections of other processes what is read here. */
  void publish() {
    collector.publish(active.bound());
  }

  FinishDuty finish() {
    return finish;
  }

  HeartbeatDuty heartbeat() {
    return heartbeat;
  }

  SweepDuty sweep() {
    return sweep;
  }

  /** Has the intents of writers that are dead, or were silent for long, resolved now. */
  public void sweepNow() {
    sweep.sweepAll();
  }

  /** As {@link #sweepNow()}, in one table. */
  public void sweepNow(String table) {
    sweep.sweep(table);
  }

  /** What is known of the tables now. */
  public Map<String, TableCatalog.Table> tables() {
    return around.tables().view();
  }

  /**
   * Has something done whenever epochs of tables were read, before transactions that begin know
   * them.
   */
  public void beforeLearning(Runnable learning) {
    around.tables().beforeLearning(learning);
  }

  /** A table has a new epoch: transactions that begin from now on know it. */
  public void learn(String table) {
    around.tables().refresh(table);
  }

  /** Finishes what is queued and ends the duties. Nothing can be begun afterwards. */
  @Override
  public void close() {
    closed = true;
    collector.close();
    collection.forEach(Duty::close);
    sweep.close();
    heartbeat.close();
    finish.close();
  }
}
