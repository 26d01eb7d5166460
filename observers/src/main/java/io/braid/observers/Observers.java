package io.braid.observers;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.Transactions;
import java.time.Duration;
import java.util.List;

/** Runs observers. */
public final class Observers implements ChangeSink, AutoCloseable {
  public Observers(
      CellStore store, Transactions transactions, Seams seams, ObserverOptions options) {
    transactions.observedBy(this);
  }

  /** Registers an observer. */
  public void register(Observer observer) {}

  /** Starts the workers. */
  public void start() {}

  /** Waits until no notification is left. */
  public boolean awaitIdle(Duration timeout) {
    return true;
  }

  public ObserverStats stats() {
    return new ObserverStats(
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, new ObserverStats.Lag(0, 0, 0, 0), List.of());
  }

  @Override
  public boolean isObserved(String table, ColumnName column) {
    return false;
  }

  @Override
  public void changed(Row row, ColumnName column) {}

  @Override
  public void close() {}
}
