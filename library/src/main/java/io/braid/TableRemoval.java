package io.braid;

import io.braid.core.store.CellStore;
import java.util.List;

/**
 * Removes a table, while clients work. Who wants to write it meanwhile waits, in all processes, and
 * then finds it gone; transactions that have written it are ended, those in other tables with it.
 * So nobody is told that something was committed of which a part went with the table before.
 */
final class TableRemoval {
  private final CellStore store;
  private final TableBindings bindings;
  private final BoundTransactions transactions;
  private final TableFence fence;

  TableRemoval(
      CellStore store, TableBindings bindings, BoundTransactions transactions, TableFence fence) {
    this.store = store;
    this.bindings = bindings;
    this.transactions = transactions;
    this.fence = fence;
  }

  /**
   * To be called by one at a time for each table, which exists.
   *
   * @param beforeDrop the last word, when nobody can begin to write it any more
   */
  void run(String table, Runnable beforeDrop) {
    List<String> one = List.of(table);
    Protocol protocol = bindings.of(table);
    bindings.hold(one);
    try {
      bindings.announce(table, protocol);
      try {
        fence.set(table);
        beforeDrop.run();
        transactions.dropTable(store, table);
      } catch (RuntimeException e) {
        bindings.rebind(table, protocol);
        throw e;
      }
      bindings.rebind(table, protocol);
    } finally {
      bindings.release(one);
    }
  }
}
