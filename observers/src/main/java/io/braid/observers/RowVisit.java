package io.braid.observers;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.transaction.Transactions;
import io.braid.observers.rows.ClearNotifications;
import io.braid.observers.schedule.Visit;
import java.util.ArrayList;
import java.util.List;

/**
 * Visits a row: runs the observers of its changed columns and removes the notifications that all of
 * them have dealt with.
 *
 * <p>The order matters. First the visit reads the notifications. Then each observer's transaction
 * draws its start timestamp. Then the visit removes exactly the notifications that it read. A
 * notification that arrives in between has a version that was not read, or is found by {@link
 * ClearNotifications}.
 */
final class RowVisit {
  final Transactions transactions;
  final Seams seams;
  private final ObserverRun runs;
  final Counters counters;
  private final CellStore store;
  private final Registry registry;
  private final RestingRows resting;

  RowVisit(
      CellStore store,
      Transactions transactions,
      Seams seams,
      Registry registry,
      ObserverRun runs,
      RestingRows resting,
      Counters counters) {
    this.store = store;
    this.transactions = transactions;
    this.seams = seams;
    this.registry = registry;
    this.runs = runs;
    this.resting = resting;
    this.counters = counters;
  }

  /** For visits that share their trips. */
  RunBatch batch() {
    return new RunBatch(transactions, runs, seams);
  }

  /** Returns the notifications of rows, in the order of the rows. */
  List<RowNotifications> read(List<Row> rows) {
    return RowNotifications.read(store, rows, seams);
  }

  /**
   * Begins to visit: tells the batch which observers are to run.
   *
   * @param hinted whether a transaction of this process is known to have committed a change
   * @param seen what to deal with
   */
  OpenVisit begin(Row row, boolean hinted, RowNotifications seen, RunBatch batch) {
    ObservedColumns observed = registry.view();
    List<ColumnVisit> columns = new ArrayList<>(1);
    for (ColumnName column : seen.columns()) {
      List<Watch> watches = observed.of(row.table(), column);
      if (!watches.isEmpty()) {
        ColumnVisit visit = new ColumnVisit(this, batch, row, column, seen);
        visit.strong(watches.stream().filter(watch -> !watch.weak()).toList(), hinted);
        visit.weak(watches.stream().filter(Watch::weak).toList());
        columns.add(visit);
      }
    }
    return new OpenVisit(columns, observed);
  }

  /**
   * Ends a visit whose batch has run.
   *
   * @param cleaner removes notifications
   */
  Visit end(Row row, OpenVisit open, NotificationCleaner cleaner) {
    Visit next = new Visit.Done();
    boolean rests = false;
    boolean elsewhere = false;
    long newest = 0;
    for (ColumnVisit visit : open.columns()) {
      visit.end(cleaner);
      next = Visit.sooner(next, visit.next());
      rests |= visit.resting();
      elsewhere |= visit.elsewhere();
      newest = Math.max(newest, visit.newest());
    }
    if (rests && next instanceof Visit.Done) {
      resting.rest(row, newest, elsewhere, open.observed());
    } else {
      resting.wake(row);
    }
    return next;
  }
}
