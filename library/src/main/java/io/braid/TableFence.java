package io.braid;

import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;
import java.util.function.LongConsumer;

/**
 * A fence (Omid, section 6.1), for tables of either protocol: a new epoch. Transactions that began
 * before it and write the table abort, also those whose intents stand already; when it is set, all
 * that committed under the old epoch lies below its timestamp.
 */
final class TableFence {
  private final CellStore store;
  private final TimestampOracle oracle;
  private final BoundTransactions transactions;
  private final OldIntents intents;

  TableFence(CellStore store, TimestampOracle oracle, BoundTransactions transactions, Seams seams) {
    this.store = store;
    this.oracle = oracle;
    this.transactions = transactions;
    this.intents = new OldIntents(store, transactions, seams);
  }

  /**
   * A fence that is set.
   *
   * @param epoch of the table from it on
   * @param timestamp above all that was committed before it
   */
  record Fence(long epoch, long timestamp) {}

  /** Sets a fence. */
  Fence set(String table) {
    return set(table, settled -> {});
  }

  /**
   * Sets a fence.
   *
   * @param begun hears a timestamp before what was begun by then is ended: what begins later
   *     commits above it
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
   * A new epoch alone: what is written under the one before, without transactions, arrives no more.
   * It is a timestamp, so that of two who raise it at once each has one of its own, and only the
   * higher is valid.
   */
  long raise(String table) {
    long epoch = Math.max(store.epoch(table) + 1, oracle.next());
    store.raiseEpoch(table, epoch);
    transactions.learn(table);
    return epoch;
  }
}
