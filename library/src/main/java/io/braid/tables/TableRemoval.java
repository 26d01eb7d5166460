package io.braid.tables;

import io.braid.core.store.CellStore;
import io.braid.core.transaction.Protocol;
import java.util.List;

/**
 * Removes a table while clients work. New writers of the table wait meanwhile, in all processes,
 * and then find it gone. Transactions that have written the table are ended, also in other tables.
 * So no commit is acknowledged of which a part was removed with the table before.
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
   * Removes a table that exists. Only one caller at a time may do so for each table.
   *
   * @param beforeDrop the last word, when no new writer of the table can begin
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
