package io.braid.observers;

import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.DamagedCellException;
import io.braid.core.store.StoreException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.TransactionException;
import io.braid.observers.schedule.BatchSize;
import io.braid.observers.schedule.Pauses;
import io.braid.observers.schedule.Signals;
import io.braid.observers.schedule.Visit;
import io.braid.observers.schedule.VisitLocks;
import io.braid.observers.schedule.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task that visits the rows of the queue, those that are ready together to save trips. */
final class Worker {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
  private static final OpenVisit NO_TABLE = new OpenVisit(List.of(), ObservedColumns.NONE);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final long LONGEST_WAIT_NANOS = Duration.ofSeconds(1).toNanos();

  private final WorkQueue queue;
  private final RowVisit visits;
  private final NotificationCleaner cleaner;
  private final VisitLocks locks;
  private final Pauses pauses;
  private final Counters counters;
  private final Seams seams;
  private final Signals signals;
  private final BatchSize size = new BatchSize();

  Worker(
      WorkQueue queue,
      RowVisit visits,
      NotificationCleaner cleaner,
      VisitLocks locks,
      Pauses pauses,
      Counters counters,
      Seams seams,
      Signals signals) {
    this.queue = queue;
    this.visits = visits;
    this.cleaner = cleaner;
    this.locks = locks;
    this.pauses = pauses;
    this.counters = counters;
    this.seams = seams;
    this.signals = signals;
  }

  void run() {
    try {
      while (!signals.closing()) {
        try {
          work();
        } catch (RuntimeException | VirtualMachineError | LinkageError e) {
          LOG.warn("A worker met something that it does not know, and goes on.", e);
          signals.end.await(PAUSE);
        }
        dropInterrupt();
      }
      cleaner.flush();
    } finally {
      signals.passOn();
    }
  }

  private void work() {
    WorkQueue.Work work = queue.take(seams.nanoTime());
    if (work == null || cleaner.isDue()) {
      cleaner.flush();
    }
    if (work == null) {
      await();
    } else {
      visitBatch(work);
    }
  }

  private void await() {
    if (queue.hasForgotten()) {
      signals.sweep.raise();
    }
    long wait = Math.min(queue.nanosToDue(seams.nanoTime()), LONGEST_WAIT_NANOS);
    signals.work.await(Duration.ofNanos(wait));
  }

  /** A row that is being visited. */
  private static final class BegunVisit {
    final WorkQueue.Work work;
    final Row row;
    boolean locked;
    @Nullable RowNotifications seen;
    @Nullable OpenVisit visit;
    Visit next = new Visit.Later();

    BegunVisit(WorkQueue.Work work) {
      this.work = work;
      this.row = work.item().row;
      this.locked = work.locked();
      this.seen = work.hints() == null ? null : RowNotifications.of(work.hints());
    }
  }

  /** Visits what is ready, up to a number of rows, which share their trips. */
  private void visitBatch(WorkQueue.Work first) {
    List<BegunVisit> begun = take(first);
    if (queue.hasReady()) {
      signals.work.raise();
    }
    RunBatch batch = visits.batch();
    boolean ran = false;
    boolean all = false;
    try {
      all = begin(begun, batch);
      batch.run();
      ran = true;
    } catch (RuntimeException e) {
      LOG.warn("Visits went wrong together and are put off.", e);
    } finally {
      end(begun, ran);
    }
    if (!all || batch.wasTooLarge()) {
      size.wentBadly();
    } else if (begun.size() == size.get()) {
      size.wentWell();
    }
  }

  private List<BegunVisit> take(WorkQueue.Work first) {
    List<BegunVisit> taken = new ArrayList<>();
    WorkQueue.Work next = first;
    while (next != null) {
      if (next.locked()) {
        signals.room.raise();
      }
      taken.add(new BegunVisit(next));
      next = taken.size() < size.get() ? queue.take(seams.nanoTime()) : null;
    }
    return taken;
  }

  /** Begins what can be; false when that went wrong for rows that would do better alone. */
  private boolean begin(List<BegunVisit> begun, RunBatch batch) {
    lock(begun.stream().filter(each -> !each.locked).toList());
    boolean all = read(begun.stream().filter(each -> each.locked && each.seen == null).toList());
    for (BegunVisit each : begun) {
      RowNotifications seen = each.seen;
      if (each.locked && seen != null) {
        try {
          each.visit = visits.begin(each.row, each.work.hinted(), seen, batch);
        } catch (StoreException | TransactionException e) {
          LOG.debug("The visit of {} is put off.", each.row, e);
        } catch (RuntimeException e) {
          LOG.warn("The visit of {} went wrong and is put off.", each.row, e);
        }
      }
    }
    return all;
  }

  private void lock(List<BegunVisit> rows) {
    if (rows.isEmpty()) {
      return;
    }
    try {
      List<Boolean> taken = locks.tryLockAll(rows.stream().map(each -> each.row).toList());
      for (int i = 0; i < taken.size(); i++) {
        rows.get(i).locked = taken.get(i);
      }
    } catch (RuntimeException e) {
      LOG.warn("{} rows cannot be locked; their visits are put off.", rows.size(), e);
    }
  }

  /** Reads the notifications of rows of which no hints tell; false when not all could be read. */
  private boolean read(List<BegunVisit> rows) {
    if (rows.isEmpty()) {
      return true;
    }
    try {
      List<RowNotifications> seen = visits.read(rows.stream().map(each -> each.row).toList());
      for (int i = 0; i < rows.size(); i++) {
        rows.get(i).seen = seen.get(i);
      }
      return true;
    } catch (UnknownTableException | DamagedCellException e) {
      // Because of one of them.
      return rows.size() == 1 ? alone(rows.get(0), e) : readEach(rows);
    } catch (StoreException e) {
      LOG.debug("The visits of {} rows are put off.", rows.size(), e);
      return rows.size() == 1;
    }
  }

  private boolean readEach(List<BegunVisit> rows) {
    rows.forEach(each -> read(List.of(each)));
    return false;
  }

  private static boolean alone(BegunVisit row, StoreException cause) {
    if (cause instanceof UnknownTableException) {
      row.visit = NO_TABLE;
    } else {
      LOG.debug("The visit of {} is put off.", row.row, cause);
    }
    return true;
  }

  /**
   * Ends visits. The locks are given back before rows may be visited again: they are of the
   * process, and not of the worker.
   */
  private void end(List<BegunVisit> begun, boolean ran) {
    try {
      for (BegunVisit each : begun) {
        end(each, ran);
      }
    } finally {
      try {
        unlock(begun.stream().filter(each -> each.locked).map(each -> each.row).toList());
      } finally {
        begun.forEach(this::giveBack);
      }
    }
  }

  /**
   * Returns the row to the queue, or queues it for another visit. An error with one row does not
   * keep other rows from another visit.
   */
  private void giveBack(BegunVisit begun) {
    try {
      if (begun.next instanceof Visit.Done) {
        queue.done(begun.work.item());
      } else {
        visitAgain(begun.work, begun.next);
      }
    } catch (RuntimeException | VirtualMachineError | LinkageError e) {
      LOG.warn("{} is not visited again before it changes.", begun.row, e);
    }
  }

  private void end(BegunVisit begun, boolean ran) {
    OpenVisit visit = begun.visit;
    if (!ran || visit == null) {
      return;
    }
    try {
      begun.next = visits.end(begun.row, visit, cleaner);
    } catch (RuntimeException e) {
      LOG.warn("The visit of {} went wrong and is put off.", begun.row, e);
    }
  }

  private void unlock(List<Row> rows) {
    if (rows.isEmpty()) {
      return;
    }
    try {
      locks.unlockAll(rows);
    } catch (RuntimeException e) {
      LOG.warn("{} rows stay locked until this process ends.", rows.size(), e);
    }
  }

  private void visitAgain(WorkQueue.Work work, Visit next) {
    long now = seams.nanoTime();
    if (next instanceof Visit.More) {
      queue.again(work.item(), now, true);
      return;
    }
    counters.retries.increment();
    if (next instanceof Visit.After after) {
      queue.again(work.item(), now + after.pauseNanos(), after.hintable());
    } else {
      queue.again(work.item(), now + pauses.nanosAfter(work.attempts() + 1), false);
    }
  }

  /** An observer may have left one behind; one that means the end comes after {@code closing}. */
  private void dropInterrupt() {
    if (!signals.closing() && Thread.interrupted()) {
      LOG.debug("An interrupt was dropped.");
    }
  }
}
