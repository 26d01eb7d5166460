package io.braid.observers;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.Transactions;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What operators see of observers and do with them. All of it works on what is in the store; none
 * of it needs the code of an observer. Safe for many threads.
 */
public final class ObserverOperations {
  private final CellStore store;
  private final Seams seams;
  private final Registry registry;
  private final ParkedChanges parked;

  ObserverOperations(
      CellStore store,
      Transactions transactions,
      Seams seams,
      Registry registry,
      Epochs epochs,
      Consumer<Row> found) {
    this.store = store;
    this.seams = seams;
    this.registry = registry;
    this.parked = new ParkedChanges(store, transactions, registry, epochs, found);
  }

  /**
   * All registered observers with what is waiting for them, in the order of their columns. Looks at
   * every notification and every parked change in the store.
   *
   * @throws StoreException when the store cannot be read
   */
  public List<ObserverStatus> list() {
    registry.refresh();
    return new Census(store, seams).take(registry.view());
  }

  /**
   * Shows the changes that are parked, in the order of tables and rows.
   *
   * @param observer of this observer only; of all when empty
   * @throws IllegalArgumentException when there is no such observer
   */
  public void forEachParked(Optional<String> observer, Consumer<ParkedChange> action) {
    registry.refresh();
    parked.forEach(observer, action);
  }

  /**
   * Makes a parked change pending again, so that a process with the code runs the observer; if it
   * fails again it is parked again. False when the change is not parked, or not any more.
   *
   * @param key of the row
   * @throws IllegalArgumentException when there is no such observer
   * @throws TabletUnavailableException when it may still be parked: call again
   */
  public boolean replay(String observer, Bytes key) {
    registry.refresh();
    return parked.replay(observer, key);
  }

  /**
   * Replays all parked changes. May be called again when it broke off.
   *
   * @param observer of this observer only; of all when empty
   * @param progress is told of each that was replayed
   * @return how many
   * @throws IllegalArgumentException when there is no such observer
   * @throws TabletUnavailableException when the rest may still be parked: call again
   */
  public long replayAll(Optional<String> observer, Consumer<ParkedChange> progress) {
    registry.refresh();
    return parked.replayAll(observer, progress);
  }
}
