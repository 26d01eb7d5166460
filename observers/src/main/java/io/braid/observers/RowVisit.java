package io.braid.observers;

import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.core.transaction.Transactions;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Visits a row: runs the observers of its changed columns and removes the notifications that all of
 * them have dealt with.
 *
 * <p>Order matters. The notifications are read first; then each observer's transaction draws its
 * start timestamp; then exactly the notifications that were read are removed. Whatever arrives in
 * between has a version that was not read, or is found by {@link ClearNotifications}.
 */
final class RowVisit {
  /** Notifications read at a time for one column; what is beyond is read when these are gone. */
  static final int MOST_VERSIONS = 4096;

  /** A transaction this young is probably still committing; others leave it in peace. */
  private static final long YOUNG_MILLIS = 1000;

  private final CellStore store;
  private final Transactions transactions;
  private final Seams seams;
  private final Registry registry;
  private final ObserverRun runs;
  private final Clearing clearing;
  private final Failures failures;
  private final Counters counters;

  RowVisit(
      CellStore store,
      Transactions transactions,
      Seams seams,
      Registry registry,
      ObserverRun runs,
      Clearing clearing,
      Failures failures,
      Counters counters) {
    this.store = store;
    this.transactions = transactions;
    this.seams = seams;
    this.registry = registry;
    this.runs = runs;
    this.clearing = clearing;
    this.failures = failures;
    this.counters = counters;
  }

  /** The notifications of a column that one kind of observer deals with, newest first. */
  private static final class Seen {
    final List<Cell> strong = new ArrayList<>();
    final List<Cell> weak = new ArrayList<>();
    final List<Long> writing = new ArrayList<>(0);
    boolean truncated;
  }

  /**
   * Visits.
   *
   * @param hinted whether a transaction of this process is known to have committed a change
   */
  Visit visit(Row row, boolean hinted) {
    SortedMap<ColumnName, Seen> seen = read(row);
    ObservedColumns observed = registry.view();
    Visit next = new Visit.Done();
    boolean givenUp = false;
    long newest = 0;
    for (var each : seen.entrySet()) {
      List<Watch> watches = observed.of(row.table(), each.getKey());
      if (!watches.isEmpty()) {
        ColumnVisit visit = new ColumnVisit(row, each.getKey(), each.getValue(), hinted);
        visit.strong(watches.stream().filter(watch -> !watch.weak()).toList());
        visit.weak(watches.stream().filter(Watch::weak).toList());
        next = Visit.sooner(next, visit.next);
        givenUp |= visit.givenUp;
        newest = Math.max(newest, visit.newest);
      }
    }
    if (givenUp && next instanceof Visit.Done) {
      failures.giveUp(row, newest);
    } else {
      failures.notGivenUp(row);
    }
    return next;
  }

  private SortedMap<ColumnName, Seen> read(Row row) {
    List<Cell> cells =
        store
            .read(
                RowRead.of(
                    row,
                    Selection.family(Families.NOTIFY).newest(MOST_VERSIONS),
                    Selection.family(Families.INTENT)))
            .cells();
    SortedMap<ColumnName, Seen> seen = new TreeMap<>();
    for (Cell cell : cells) {
      if (cell.column().family().equals(Families.NOTIFY)) {
        Seen column = seen.computeIfAbsent(observed(cell), name -> new Seen());
        boolean strong = Notification.decode(cell.value()).kind() == Notification.Kind.STRONG;
        (strong ? column.strong : column.weak).add(cell);
        column.truncated = column.strong.size() + column.weak.size() == MOST_VERSIONS;
      }
    }
    for (Cell cell : cells) {
      if (cell.column().family().equals(Families.INTENT) && isYoung(cell)) {
        Seen column = seen.get(observed(cell));
        if (column != null) {
          column.writing.add(cell.version());
        }
      }
    }
    return seen;
  }

  private static ColumnName observed(Cell cell) {
    return Families.column(cell.column().qualifier());
  }

  private boolean isYoung(Cell cell) {
    if (cell.column().equals(Families.hold())) {
      return false;
    }
    Intent intent = Intent.decode(cell.value());
    return intent.undecided() && seams.wallMillis() - intent.wallMillis() < YOUNG_MILLIS;
  }

  /** The part of a visit that deals with one column. */
  private final class ColumnVisit {
    private final Row row;
    private final ColumnName column;
    private final Seen seen;
    private final boolean hinted;
    private Visit next = new Visit.Done();
    private boolean givenUp;
    private long newest;

    ColumnVisit(Row row, ColumnName column, Seen seen, boolean hinted) {
      this.row = row;
      this.column = column;
      this.seen = seen;
      this.hinted = hinted;
    }

    void strong(List<Watch> watches) {
      if (seen.strong.isEmpty() || watches.isEmpty()) {
        return;
      }
      List<Long> versions = versions(seen.strong);
      if (!hinted && seen.writing.containsAll(versions)) {
        putOff(new Visit.Later());
        return;
      }
      long start = runAll(watches, versions);
      if (start != 0) {
        clear(false, start, versions);
      }
    }

    void weak(List<Watch> watches) {
      boolean allHere = watches.stream().allMatch(watch -> watch.body() != null);
      if (seen.weak.isEmpty() || watches.isEmpty() || !allHere) {
        return;
      }
      List<Long> committed = new ArrayList<>();
      List<Long> dropped = new ArrayList<>();
      for (Cell cell : seen.weak) {
        Boolean happened = hasHappened(cell);
        if (happened == null) {
          putOff(new Visit.Later());
        } else {
          (happened ? committed : dropped).add(cell.version());
        }
      }
      long start = committed.isEmpty() ? 0 : runAll(watches, committed);
      if (start != 0) {
        dropped.addAll(committed);
      }
      if (!dropped.isEmpty()) {
        clear(true, start, dropped);
      }
    }

    /** Whether the notifying transaction has committed; null when nobody knows yet. */
    private @Nullable Boolean hasHappened(Cell cell) {
      Notification notification = Notification.decode(cell.value());
      if (notification.kind() == Notification.Kind.WEAK) {
        return true;
      }
      long age = seams.wallMillis() - Timestamp.wallMillis(cell.version());
      if (!hinted && age < YOUNG_MILLIS) {
        return null;
      }
      TransactionOutcome outcome =
          transactions.outcome(new TransactionId(cell.version(), notification.decision()));
      if (outcome instanceof TransactionOutcome.Undecided) {
        return null;
      }
      // Where nothing is known any more, a run too many does no harm.
      return !(outcome instanceof TransactionOutcome.RolledBack);
    }

    /** Runs all observers; the lowest of their start timestamps, or 0 when not all are clean. */
    private long runAll(List<Watch> watches, List<Long> versions) {
      long start = Timestamp.MAX;
      boolean ran = false;
      newest = Math.max(newest, versions.get(0));
      for (Watch watch : watches) {
        RunResult result = runs.run(watch, row, versions.get(0), versions.size());
        if (result instanceof RunResult.Clean clean) {
          start = Math.min(start, clean.start());
          ran |= clean.ran();
        } else {
          start = 0;
          note(result);
        }
      }
      if (!ran && start != 0) {
        counters.cleanVisits.increment();
      }
      return start;
    }

    private void note(RunResult result) {
      if (result instanceof RunResult.Again) {
        putOff(new Visit.Later());
      } else if (result instanceof RunResult.Failed failed) {
        putOff(new Visit.AfterFailure(failed.pauseNanos()));
      } else if (result instanceof RunResult.GivenUp) {
        givenUp = true;
      }
    }

    private void clear(boolean weak, long start, List<Long> versions) {
      if (!clearing.clear(row, column, weak, start, versions)) {
        putOff(new Visit.Later());
      } else if (seen.truncated) {
        putOff(new Visit.More());
      }
    }

    private void putOff(Visit visit) {
      next = Visit.sooner(next, visit);
    }

    private static List<Long> versions(List<Cell> cells) {
      List<Long> versions = new ArrayList<>(cells.size());
      cells.forEach(cell -> versions.add(cell.version()));
      return versions;
    }
  }
}
