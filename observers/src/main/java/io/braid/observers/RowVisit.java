package io.braid.observers;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.transaction.Transactions;
import java.util.ArrayList;
import java.util.List;
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

  /** For visits whose transactions are committed together. */
  RunBatch batch() {
    return new RunBatch(transactions, runs);
  }

  /**
   * Begins to visit: runs the observers, which the batch is to commit then.
   *
   * @param hinted whether a transaction of this process is known to have committed a change
   * @param hints what to deal with; null when the row has to be read to know
   */
  OpenVisit begin(Row row, boolean hinted, @Nullable Hints hints, RunBatch batch) {
    RowNotifications seen =
        hints == null ? RowNotifications.read(store, row, seams) : RowNotifications.of(hints);
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
   * Ends a visit whose batch is committed.
   *
   * @param clearing removes notifications
   */
  Visit end(Row row, OpenVisit open, Clearing clearing) {
    Visit next = new Visit.Done();
    boolean rests = false;
    boolean elsewhere = false;
    long newest = 0;
    for (ColumnVisit visit : open.columns()) {
      visit.end(clearing);
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
