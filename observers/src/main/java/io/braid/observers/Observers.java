package io.braid.observers;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.core.store.CellStore;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions;
import io.braid.observers.rows.Epochs;
import io.braid.observers.schedule.Failures;
import io.braid.observers.schedule.Pauses;
import io.braid.observers.schedule.Signals;
import io.braid.observers.schedule.VisitLocks;
import io.braid.observers.schedule.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observers over a store (Percolator, section 2.4): which there are, and the tasks that run them in
 * this process. Safe for many threads.
 *
 * <p>Laws:
 *
 * <ul>
 *   <li>Every change of a column, deletions included, that begins after its observer was registered
 *       is followed by a run that began after the change was committed.
 *   <li>At most one run of a strong observer commits for each change. Many changes may be followed
 *       by one run.
 *   <li>It does not matter which process makes a change and which ones run observers, nor when they
 *       die.
 * </ul>
 *
 * <p>Other processes learn of an observer within {@link ObserverOptions#registryInterval
 * ObserverOptions.registryInterval}; their earlier changes are not observed. So register in all
 * processes, or before the others write.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Observers implements ChangeSink, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Observers.class);
  private static final Duration PATIENCE_AT_THE_END = Duration.ofSeconds(10);
  private static final Duration LONGEST_PAUSE_AFTER_CONFLICTS = Duration.ofMillis(250);
  private static final int CLAIMS_PER_WORKER = 16;

  private final CellStore store;
  private final Seams seams;
  private final ObserverOptions options;
  private final Registry registry;
  private final WorkQueue queue;
  private final Signals signals;
  private final Counters counters = new Counters();
  private final Failures failures = new Failures();
  private final RestingRows resting = new RestingRows();
  private final Epochs epochs;
  private final DeadLetters deadLetters;
  private final RunRates rates;
  private final ObserverOperations operations;
  private final VisitLocks locks;
  private final Pauses pauses;
  private final RowVisit visits;

  // Guarded by this.
  private final List<Task> tasks = new ArrayList<>();
  private boolean started;

  private volatile boolean running;

  /**
   * Loads what is registered and tells the transactions what is observed. Runs no observers before
   * {@link #start}.
   *
   * @param store holds Braid's own table; stays open when this is closed
   * @param transactions in which observers run
   */
  public Observers(
      CellStore store, Transactions transactions, Seams seams, ObserverOptions options) {
    this.store = store;
    this.seams = seams;
    this.options = options;
    this.registry = new Registry(store, seams, () -> fresh(transactions));
    this.queue = new WorkQueue(options.hintQueueCapacity(), CLAIMS_PER_WORKER * options.workers());
    this.signals = new Signals(seams);
    this.epochs = new Epochs(store);
    this.deadLetters = new DeadLetters(epochs);
    this.rates = new RunRates(options.bounds(), seams.nanoTime());
    this.operations =
        new ObserverOperations(
            store,
            transactions,
            seams,
            registry,
            new DeadLetterReplay(store, transactions, registry, epochs, this::found),
            new Backfiller(
                store, seams, options, this::isCrowded, this::found, () -> fresh(transactions)),
            signals);
    this.locks = new VisitLocks(seams);
    ObserverOptions.Retries retries = options.retries();
    this.pauses = new Pauses(seams, retries.pause(), shorter(retries.longestPause()));
    Pauses afterFailures = new Pauses(seams, retries.pause(), retries.longestPause());
    ObserverRun runs =
        new ObserverRun(
            store,
            transactions,
            seams,
            failures,
            deadLetters,
            rates,
            afterFailures,
            retries.attempts(),
            counters,
            signals);
    this.visits = new RowVisit(store, transactions, seams, registry, runs, resting, counters);
    registry.refresh();
    transactions.observedBy(this);
    startTask("braid-observer-registry", this::keepRegistry);
  }

  private static long fresh(Transactions transactions) {
    try (Snapshot now = transactions.snapshot()) {
      return now.timestamp();
    }
  }

  private static Duration shorter(Duration longest) {
    return longest.compareTo(LONGEST_PAUSE_AFTER_CONFLICTS) < 0
        ? longest
        : LONGEST_PAUSE_AFTER_CONFLICTS;
  }

  /**
   * Registers an observer. Its name and column are kept in the store, so that every process
   * notifies it; its code is known to this process only.
   *
   * @throws IllegalArgumentException when another observer of this name is registered
   * @throws io.braid.core.store.UnknownTableException when there is no such table or family
   * @throws StoreException when it may not be registered; to be called again
   */
  public void register(Observer observer) {
    registry.register(observer);
  }

  /**
   * Removes an observer: it runs no more, and changes are not kept for it. Its acknowledgments
   * stay, so that it goes on where it was if it is registered again.
   *
   * @throws StoreException when it may still be registered; to be called again
   */
  public void unregister(String name) {
    registry.unregister(name);
  }

  /** Starts to run observers in this process; does nothing when it has started. */
  public synchronized void start() {
    if (started || signals.closing()) {
      return;
    }
    started = true;
    for (int i = 0; i < options.workers(); i++) {
      NotificationCleaner cleaner = new NotificationCleaner(store, epochs, queue, pauses, seams);
      Worker worker = new Worker(queue, visits, cleaner, locks, pauses, counters, seams, signals);
      startTask("braid-observer-" + i, worker::run);
    }
    for (int i = 0; i < options.scanners(); i++) {
      Scanner scanner =
          new Scanner(
              store,
              registry,
              queue,
              locks,
              resting,
              counters,
              options.scanInterval(),
              seams,
              signals);
      startTask("braid-observer-scanner-" + i, scanner::run);
    }
    if (seams.hints().reachesOthers()) {
      HintTaker taker =
          new HintTaker(
              seams.hints(),
              registry,
              queue,
              options.hintQueueCapacity() / 2,
              hint -> hint(hint.row(), hint.column(), hint.start(), hint.commit()),
              signals);
      startTask("braid-observer-hints", taker::run);
    }
    running = true;
  }

  /** Goes on with backfills that were asked for, one step of each at a time. */
  private void backfill() {
    boolean more = running;
    while (more && !signals.closing()) {
      more = operations.stepBackfills();
    }
  }

  private synchronized void startTask(String name, Runnable body) {
    tasks.add(seams.start(name, EnduringLoop.loop(body)));
  }

  private void keepRegistry() {
    while (!signals.closing()) {
      signals.end.await(options.registryInterval());
      try {
        if (!signals.closing()) {
          ObservedColumns before = registry.view();
          registry.refresh();
          if (registry.view() != before) {
            signals.sweep.raise();
          }
          backfill();
        }
      } catch (StoreException e) {
        LOG.debug("The registered observers will be looked up again.", e);
      } catch (RuntimeException | VirtualMachineError | LinkageError e) {
        LOG.warn("Looking up the registered observers went wrong; it is done again.", e);
      }
    }
    signals.passOn();
  }

  /**
   * Waits until no notification is left that any registered observer has to deal with, and none is
   * being dealt with here. False when that takes longer, or the thread is interrupted. It does not
   * wait for dead letters, for paused observers, or for rows that a backfill has not reached.
   */
  public boolean awaitIdle(Duration timeout) {
    return new IdleCheck(store, registry, queue, resting, seams, this::found).await(timeout);
  }

  private boolean isCrowded() {
    return running && queue.size() > options.hintQueueCapacity() / 2;
  }

  private void found(Row row) {
    if (running) {
      queue.add(row);
      signals.work.raise();
    }
  }

  public ObserverStats stats() {
    return new ObserverStats(
        counters.runs.sum(),
        counters.collapsed.sum(),
        counters.conflicts.sum(),
        counters.unknown.sum(),
        counters.failures.sum(),
        counters.retries.sum(),
        counters.cleanVisits.sum(),
        queue.dropped(),
        counters.teleports.sum(),
        queue.size(),
        failures.size(),
        deadLetters.count(),
        counters.runsPerSecond(seams.nanoTime()),
        counters.lag(),
        deadLetters.latest(),
        rates.loops());
  }

  /** Returns the operations on observers for operators. */
  public ObserverOperations operations() {
    return operations;
  }

  @Override
  public boolean isObserved(String table, ColumnName column) {
    return registry.view().isStrong(table, column);
  }

  @Override
  public void changed(Row row, ColumnName column, long start, long commit) {
    if (!hint(row, column, start, commit) && seams.hints().reachesOthers()) {
      ChangeHint hint = new ChangeHint(row, column, start, commit);
      seams.hints().offer(hint.topic(), hint.encode());
    }
  }

  /** Queues the change; returns false when no observer of the column runs here. */
  private boolean hint(Row row, ColumnName column, long start, long commit) {
    if (!running) {
      return false;
    }
    List<Watch> watches = registry.view().of(row.table(), column);
    boolean here = false;
    boolean strong = true;
    for (Watch watch : watches) {
      here |= watch.runsHere();
      strong &= !watch.weak();
    }
    if (here && (strong ? queue.hint(row, column, start, commit) : queue.hint(row))) {
      signals.work.raise();
    }
    return here;
  }

  /**
   * Stops running observers, after the present runs; runs that last longer than ten seconds are
   * interrupted. Transactions of this process go on to leave notifications.
   */
  @Override
  public void close() {
    running = false;
    signals.close();
    List<Task> all = started();
    all.forEach(task -> task.join(PATIENCE_AT_THE_END));
    all.forEach(Task::stop);
    all.forEach(task -> task.join(PATIENCE_AT_THE_END));
    // Other processes visit the rows that scanners locked here and no worker visited.
    queue.locked().forEach(locks::unlock);
  }

  private synchronized List<Task> started() {
    return List.copyOf(tasks);
  }
}
