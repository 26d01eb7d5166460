package io.braid.observers;

import io.braid.core.cells.Families;
import io.braid.core.data.Cell;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.UnknownTableException;
import io.braid.observers.schedule.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds out whether all observers are through.
 *
 * <p>A run in this process may write a notification behind the place that the check has reached. So
 * the result of the check counts only if nothing has happened in the queue meanwhile. The check may
 * miss concurrent work of other processes.
 */
final class IdleCheck {
  private static final long FIRST_PAUSE_NANOS = 1_000_000;
  private static final long LONGEST_PAUSE_NANOS = 50_000_000;
  private static final int ENOUGH_ROWS = 256;

  private final CellStore store;
  private final Registry registry;
  private final WorkQueue queue;
  private final RestingRows resting;
  private final Seams seams;
  private final Consumer<Row> found;

  /**
   * @param found receives the rows that have notifications
   */
  IdleCheck(
      CellStore store,
      Registry registry,
      WorkQueue queue,
      RestingRows resting,
      Seams seams,
      Consumer<Row> found) {
    this.store = store;
    this.registry = registry;
    this.queue = queue;
    this.resting = resting;
    this.seams = seams;
    this.found = found;
  }

  boolean await(Duration timeout) {
    long begin = seams.nanoTime();
    long pause = FIRST_PAUSE_NANOS;
    while (!isIdle()) {
      long left = timeout.toNanos() - (seams.nanoTime() - begin);
      if (left <= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      seams.sleep(Duration.ofNanos(Math.min(pause, left)));
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }
    return true;
  }

  private boolean isIdle() {
    long before = queue.activity();
    if (queue.size() > 0) {
      return false;
    }
    List<Row> rows = notified();
    rows.forEach(found);
    return rows.isEmpty() && queue.size() == 0 && queue.activity() == before;
  }

  /** Some rows that have notifications, if any has. */
  private List<Row> notified() {
    List<Row> rows = new ArrayList<>();
    ObservedColumns observed = registry.view();
    for (String table : observed.tables()) {
      try {
        collect(table, observed, rows);
      } catch (UnknownTableException e) {
        // A table that does not exist yet, or not any more, has no notifications.
      }
    }
    return rows;
  }

  private void collect(String table, ObservedColumns observed, List<Row> rows) {
    ScanRequest request =
        ScanRequest.of(table, KeyRange.ALL, Selection.family(Families.NOTIFY).newest(1));
    try (RowScanner scanner = store.scan(request)) {
      RowCells row = scanner.next();
      while (row != null && rows.size() < ENOUGH_ROWS) {
        if (isWaitedFor(table, observed, row)) {
          rows.add(row.row());
        }
        row = scanner.next();
      }
    }
  }

  /**
   * Returns whether an observer of the row is not paused. The check does not wait for paused
   * observers.
   */
  private boolean isWaitedFor(String table, ObservedColumns observed, RowCells row) {
    long newest = 0;
    for (Cell cell : row.cells()) {
      List<Watch> watches = observed.of(table, Families.column(cell.column().qualifier()));
      if (watches.stream().anyMatch(watch -> !watch.paused())) {
        newest = Math.max(newest, cell.version());
      }
    }
    return newest > 0 && !resting.isPaused(row.row(), newest, observed);
  }
}
