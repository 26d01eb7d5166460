package io.braid.observers;

import io.braid.core.cells.Notification;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.observers.schedule.Visit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of a visit that deals with one column of the row. */
final class ColumnVisit {
  private final RowVisit visit;
  private final RunBatch batch;
  private final Row row;
  private final ColumnName column;
  private final RowNotifications notifications;
  private final RowNotifications.ColumnNotifications seen;
  private @Nullable ObserverRuns strong;
  private @Nullable ObserverRuns weak;
  private final List<Long> settled = new ArrayList<>(0);
  private Visit next = new Visit.Done();
  private boolean resting;
  private boolean elsewhere;
  private long newest;

  ColumnVisit(
      RowVisit visit, RunBatch batch, Row row, ColumnName column, RowNotifications notifications) {
    this.visit = visit;
    this.batch = batch;
    this.row = row;
    this.column = column;
    this.notifications = notifications;
    this.seen = notifications.of(column);
  }

  /**
   * Observers that were run for the same notifications.
   *
   * @param versions of the notifications, newest first
   */
  private record ObserverRuns(List<RunBatch.Run> all, List<Long> versions) {}

  /** Returns whether and when to visit the row again, as far as this column goes. */
  Visit next() {
    return next;
  }

  /** Whether something is left that this process can do nothing about. */
  boolean resting() {
    return resting;
  }

  /** Whether another process can do something about it. */
  boolean elsewhere() {
    return elsewhere;
  }

  /** The newest notification that an observer was to deal with; 0 without any. */
  long newest() {
    return newest;
  }

  void strong(List<Watch> watches, boolean hinted) {
    List<Long> versions = seen.strong();
    if (versions.isEmpty() || watches.isEmpty()) {
      return;
    }
    if (!hinted && seen.areYoung()) {
      putOff(new Visit.Later());
      return;
    }
    strong = run(watches, versions);
  }

  void weak(List<Watch> watches) {
    boolean allHere = watches.stream().allMatch(watch -> watch.body() != null);
    if (seen.weak().isEmpty() || watches.isEmpty() || !allHere) {
      return;
    }
    if (watches.stream().anyMatch(Watch::paused)) {
      // The others would run again and again for what the paused one has yet to see.
      newest = Math.max(newest, seen.weak().get(0).version());
      note(new RunResult.Paused());
      return;
    }
    List<Long> committed = new ArrayList<>();
    for (Cell cell : seen.weak()) {
      switch (fate(cell)) {
        case COMMITTED -> committed.add(cell.version());
        case ROLLED_BACK -> settled.add(cell.version());
        case UNDECIDED -> putOff(new Visit.Later());
      }
    }
    weak = committed.isEmpty() ? null : run(watches, committed);
  }

  /** Ends the visit of this column, once the batch has run. */
  void end(NotificationCleaner cleaner) {
    if (strong != null) {
      long start = startOf(strong);
      if (start != 0) {
        clear(cleaner, false, start, strong.versions);
      }
    }
    long newestRun = 0;
    if (weak != null && startOf(weak) != 0) {
      settled.addAll(weak.versions);
      newestRun = weak.versions.get(0);
    }
    if (!settled.isEmpty()) {
      clear(cleaner, true, newestRun, settled);
    }
  }

  /** The outcome of the transaction that notified weakly. */
  private enum Fate {
    COMMITTED,
    ROLLED_BACK,
    UNDECIDED
  }

  private Fate fate(Cell cell) {
    Notification notification = Notification.decode(cell.value());
    if (notification.kind() == Notification.Kind.WEAK) {
      return Fate.COMMITTED;
    }
    if (RowNotifications.isYoung(Timestamp.wallMillis(cell.version()), visit.seams.wallMillis())) {
      // To ask after a primary that is still on its way would roll the transaction back.
      return Fate.UNDECIDED;
    }
    TransactionOutcome outcome =
        visit.transactions.outcome(new TransactionId(cell.version(), notification.decision()));
    if (outcome instanceof TransactionOutcome.Undecided) {
      return Fate.UNDECIDED;
    }
    // Where nothing is known any more, a run too many does no harm.
    return outcome instanceof TransactionOutcome.RolledBack ? Fate.ROLLED_BACK : Fate.COMMITTED;
  }

  private ObserverRuns run(List<Watch> watches, List<Long> versions) {
    newest = Math.max(newest, versions.get(0));
    List<RunBatch.Run> all = new ArrayList<>(watches.size());
    for (Watch watch : watches) {
      all.add(
          batch.add(
              watch,
              row,
              new ObserverRun.NotifiedChanges(
                  versions.get(0),
                  versions.size(),
                  seen.committed(),
                  notifications.deadLetterUpTo(watch),
                  notifications.birth())));
    }
    return new ObserverRuns(all, versions);
  }

  /** The lowest of the start timestamps, or 0 when not all are clean. */
  private long startOf(ObserverRuns runs) {
    long start = Timestamp.MAX;
    boolean ran = false;
    for (RunBatch.Run run : runs.all) {
      RunResult result = run.result();
      if (result instanceof RunResult.Clean clean) {
        start = Math.min(start, clean.start());
        ran |= clean.ran();
      } else {
        start = 0;
        note(result);
      }
    }
    if (!ran && start != 0) {
      visit.counters.cleanVisits.increment();
    }
    return start;
  }

  private void note(RunResult result) {
    if (result instanceof RunResult.Again) {
      putOff(new Visit.Later());
    } else if (result instanceof RunResult.NotReached) {
      putOff(new Visit.More());
    } else if (result instanceof RunResult.Failed failed) {
      putOff(new Visit.After(failed.pauseNanos(), true));
    } else if (result instanceof RunResult.TooFast tooFast) {
      putOff(new Visit.After(tooFast.pauseNanos(), false));
    } else if (result instanceof RunResult.Paused) {
      resting = true;
    } else if (result instanceof RunResult.Elsewhere) {
      resting = true;
      elsewhere = true;
    }
  }

  private void clear(NotificationCleaner cleaner, boolean weakly, long start, List<Long> versions) {
    cleaner.clear(row, column, weakly, start, versions);
    if (weakly || seen.isTruncated()) {
      // No acknowledgment would keep a weak observer from running again meanwhile.
      cleaner.flush();
    }
    if (seen.isTruncated()) {
      putOff(new Visit.More());
    }
  }

  private void putOff(Visit later) {
    next = Visit.sooner(next, later);
  }
}
