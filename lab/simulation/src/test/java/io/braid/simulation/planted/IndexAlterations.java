package io.braid.simulation.planted;

import io.braid.core.store.CellStore;
import io.braid.core.store.ForwardingStore;
import io.braid.simulation.workload.IndexWorkload;

/** What is done wrong beneath indexes. */
final class IndexAlterations {
  private IndexAlterations() {}

  /** Fences of the table, once it has an epoch, stop nobody. */
  static CellStore fencesLetThrough(CellStore store) {
    return new ForwardingStore(store) {
      @Override
      public void raiseEpoch(String table, long epoch) {
        if (!table.equals(IndexWorkload.TABLE) || epoch(table) == 0) {
          super.raiseEpoch(table, epoch);
        }
      }
    };
  }
}
