package io.braid.observers;

import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.transaction.Transactions;
import java.util.List;

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
  final ObserverRun runs;
  final Clearing clearing;
  final Counters counters;
  private final CellStore store;
  private final Registry registry;
  private final Failures failures;

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

  /**
   * Visits.
   *
   * @param hinted whether a transaction of this process is known to have committed a change
   */
  Visit visit(Row row, boolean hinted) {
    RowNotifications seen = RowNotifications.read(store, row, seams);
    ObservedColumns observed = registry.view();
    Visit next = new Visit.Done();
    boolean givenUp = false;
    long newest = 0;
    for (var each : seen.columns().entrySet()) {
      List<Watch> watches = observed.of(row.table(), each.getKey());
      if (!watches.isEmpty()) {
        ColumnVisit visit = new ColumnVisit(this, row, each.getKey(), each.getValue());
        visit.strong(watches.stream().filter(watch -> !watch.weak()).toList(), hinted);
        visit.weak(watches.stream().filter(Watch::weak).toList());
        next = Visit.sooner(next, visit.next());
        givenUp |= visit.givenUp();
        newest = Math.max(newest, visit.newest());
      }
    }
    if (givenUp && next instanceof Visit.Done) {
      failures.giveUp(row, newest);
    } else {
      failures.notGivenUp(row);
    }
    return next;
  }
}
