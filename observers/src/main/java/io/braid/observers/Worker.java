package io.braid.observers;

import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.StoreException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.TransactionException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task that visits the rows of the queue, one after another. */
final class Worker {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
  private static final long LONGEST_WAIT_NANOS = Duration.ofSeconds(1).toNanos();

  private final WorkQueue queue;
  private final RowVisit visits;
  private final Clearing clearing;
  private final RowLocks locks;
  private final Pauses pauses;
  private final Counters counters;
  private final Seams seams;
  private final Signals signals;

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
      wakeOthers(work);
      visit(work);
    }
  }

  private void await() {
    if (queue.hasForgotten()) {
      signals.sweep.raise();
    }
    long wait = Math.min(queue.nanosToDue(seams.nanoTime()), LONGEST_WAIT_NANOS);
    signals.work.await(Duration.ofNanos(wait));
  }

  private void wakeOthers(WorkQueue.Work work) {
    if (queue.hasReady()) {
      signals.work.raise();
    }
    if (work.locked()) {
      signals.room.raise();
    }
  }

  private void visit(WorkQueue.Work work) {
    Row row = work.item().row;
    if (!work.locked() && !tryLock(row)) {
      visitAgain(work, new Visit.Later());
      return;
    }
    Visit next = new Visit.Later();
    try {
      next = visits.visit(row, work.hinted(), work.hints(), clearing);
    } catch (UnknownTableException e) {
      next = new Visit.Done();
    } catch (StoreException | TransactionException e) {
      LOG.debug("The visit of {} is put off.", row, e);
    } catch (RuntimeException e) {
      LOG.warn("The visit of {} went wrong and is put off.", row, e);
    } finally {
      unlock(row);
      if (next instanceof Visit.Done) {
        queue.done(work.item());
      } else {
        visitAgain(work, next);
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
