package io.braid.observers;

import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.StoreException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.TransactionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task that visits the rows of the queue, some together to save trips. */
final class Worker {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
  private static final long LONGEST_BATCH_NANOS = Duration.ofMillis(1).toNanos();
  private static final OpenVisit NO_TABLE = new OpenVisit(List.of(), ObservedColumns.NONE);
  private static final long LONGEST_WAIT_NANOS = Duration.ofSeconds(1).toNanos();

  private final WorkQueue queue;
  private final RowVisit visits;
  private final Clearing clearing;
  private final RowLocks locks;
  private final Pauses pauses;
  private final Counters counters;
  private final Seams seams;
  private final Signals signals;
  private final BatchSize size = new BatchSize();

  Worker(
      WorkQueue queue,
      RowVisit visits,
      Clearing clearing,
      RowLocks locks,
      Pauses pauses,
      Counters counters,
      Seams seams,
      Signals signals) {
    this.queue = queue;
    this.visits = visits;
    this.clearing = clearing;
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
        } catch (RuntimeException e) {
          LOG.warn("A worker met something that it does not know, and goes on.", e);
        }
        dropInterrupt();
      }
      clearing.flush();
    } finally {
      signals.passOn();
    }
  }

  private void work() {
    WorkQueue.Work work = queue.take(seams.nanoTime());
    if (work == null || clearing.isDue()) {
      clearing.flush();
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

  /** A visit that was begun; without one that could not be, or has failed. */
  private record Begun(WorkQueue.Work work, @Nullable OpenVisit visit, boolean locked) {}

  /** Visits what is ready, up to a number and a time, and commits the observers' runs together. */
  private void visitBatch(WorkQueue.Work first) {
    if (queue.hasReady()) {
      signals.work.raise();
    }
    RunBatch batch = visits.batch();
    List<Begun> begun = new ArrayList<>();
    boolean committed = false;
    long begin = seams.nanoTime();
    boolean slow = false;
    try {
      WorkQueue.Work next = first;
      while (next != null) {
        begun.add(begin(next, batch));
        long now = seams.nanoTime();
        slow = now - begin > LONGEST_BATCH_NANOS;
        next = slow || begun.size() >= size.get() ? null : queue.take(now);
      }
      batch.commit();
      committed = true;
    } catch (RuntimeException e) {
      LOG.warn("Visits went wrong together and are put off.", e);
    } finally {
      for (Begun each : begun) {
        end(each, committed);
      }
    }
    if (batch.hasConflicted() || slow) {
      size.wentBadly();
    } else if (begun.size() == size.get()) {
      size.wentWell();
    }
  }

  private Begun begin(WorkQueue.Work work, RunBatch batch) {
    if (work.locked()) {
      signals.room.raise();
    }
    Row row = work.item().row;
    if (!work.locked() && !tryLock(row)) {
      return new Begun(work, null, false);
    }
    OpenVisit visit = null;
    try {
      visit = visits.begin(row, work.hinted(), work.hints(), batch);
    } catch (UnknownTableException e) {
      visit = NO_TABLE;
    } catch (StoreException | TransactionException e) {
      LOG.debug("The visit of {} is put off.", row, e);
    } catch (RuntimeException e) {
      LOG.warn("The visit of {} went wrong and is put off.", row, e);
    }
    return new Begun(work, visit, true);
  }

  private void end(Begun begun, boolean committed) {
    Row row = begun.work.item().row;
    Visit next = new Visit.Later();
    try {
      if (committed && begun.visit != null) {
        next = visits.end(row, begun.visit, clearing);
      }
    } catch (RuntimeException e) {
      LOG.warn("The visit of {} went wrong and is put off.", row, e);
    } finally {
      if (begun.locked) {
        unlock(row);
      }
      if (next instanceof Visit.Done) {
        queue.done(begun.work.item());
      } else {
        visitAgain(begun.work, next);
      }
    }
  }

  private boolean tryLock(Row row) {
    try {
      return locks.tryLock(row);
    } catch (RuntimeException e) {
      LOG.warn("Row {} cannot be locked; its visit is put off.", row, e);
      return false;
    }
  }

  private void unlock(Row row) {
    try {
      locks.unlock(row);
    } catch (RuntimeException e) {
      LOG.warn("Row {} stays locked until this process ends.", row, e);
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
