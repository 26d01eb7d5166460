package io.braid.indexes;

import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowWrite;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.WriteUnderEpoch;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes index rows without transactions, in batches, durably, under one epoch of the table that
 * holds them. Writes that are under way when the epoch is raised are never done.
 */
final class IndexWrites {
  static final int BATCH = 500;

  private final CellStore store;
  private final long epoch;
  private final List<WriteUnderEpoch.Request> batch = new ArrayList<>(BATCH);

  /**
   * @param epoch of the table, as the writer has raised it
   */
  IndexWrites(CellStore store, long epoch) {
    this.store = store;
    this.epoch = epoch;
  }

  void add(RowWrite write) {
    batch.add(new WriteUnderEpoch.Request(write, epoch));
  }

  boolean isFull() {
    return batch.size() >= BATCH;
  }

  /**
   * Writes the added index rows.
   *
   * @return how many index rows were written
   * @throws TabletUnavailableException when not all of them were written, as far as is known
   */
  int write() {
    int size = batch.size();
    if (size == 0) {
      return 0;
    }
    for (Outcome<Boolean> outcome :
        store.execute(WriteUnderEpoch.INSTANCE, batch, Durability.SYNCED)) {
      if (!(outcome instanceof Outcome.Done<Boolean> done)) {
        throw new TabletUnavailableException(
            "An index row was not written: " + outcome + ". Do the same again to go on.");
      }
      if (!done.result()) {
        throw new TabletUnavailableException(
            "Index rows were not written, as their table has been changed meanwhile. Do the same"
                + " again to go on.");
      }
    }
    batch.clear();
    return size;
  }
}
