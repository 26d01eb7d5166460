package io.braid.tables;

import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;
import io.braid.indexes.IndexedTables.Fence;
import java.util.function.LongConsumer;

/**
 * A fence (Omid, section 6.1), for tables of either protocol: a new epoch. Transactions that began
 * before the fence and write the table abort, also those that have intents already. When the fence
 * is set, all commits under the old epoch lie below its timestamp.
 */
final class TableFence {
  private final CellStore store;
  private final TimestampOracle oracle;
  private final BoundTransactions transactions;
  private final OldIntents intents;

  TableFence(
      CellStore store, TimestampOracle oracle, BoundTransactions transactions, OldIntents intents) {
    this.store = store;
    this.oracle = oracle;
    this.transactions = transactions;
    this.intents = intents;
  }

  /** Sets a fence. */
  Fence set(String table) {
    return set(table, settled -> {});
  }

  /**
   * Sets a fence.
   *
   * @param begun receives a timestamp before the transactions begun by then are ended: later
   *     transactions commit above it
   */
  Fence set(String table, LongConsumer begun) {
    TableHolders.requireNoLoad(store, table);
    long epoch = raise(table);
    long settled = oracle.next();
    begun.accept(settled);
    intents.end(table, settled);
    return new Fence(epoch, oracle.next());
  }

  /**
   * Raises the epoch only. Writes without transactions under the previous epoch no longer arrive.
   * The epoch is a timestamp: two callers that raise it at once have different epochs, and only the
   * higher one is valid.
   */
  long raise(String table) {
    long epoch = Math.max(store.epoch(table) + 1, oracle.next());
    store.raiseEpoch(table, epoch);
    transactions.learn(table);
    return epoch;
  }
}
