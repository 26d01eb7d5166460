package io.braid.tables;

import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.Snapshot;
import io.braid.indexes.IndexedTables;
import io.braid.percolator.garbage.CollectionReport;
import io.braid.percolator.garbage.CollectionRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * The tables of a database, bound to a protocol each, as changes of tables and indexes use them.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class BoundTables implements IndexedTables {
  final CellStore store;
  final TimestampOracle oracle;
  final BoundTransactions transactions;
  final TableBindings bindings;
  final TableFence fence;
  final OldIntents intents;
  final TableHolders holders;
  private final TableLocks locks;

  /**
   * @param requireNoGroups refuses a table of which key groups hold rows, and names them
   */
  public BoundTables(
      CellStore store,
      TimestampOracle oracle,
      Seams seams,
      BoundTransactions transactions,
      TableBindings bindings,
      Consumer<String> requireNoGroups) {
    this.store = store;
    this.oracle = oracle;
    this.transactions = transactions;
    this.bindings = bindings;
    this.intents = new OldIntents(store, transactions, seams);
    this.fence = new TableFence(store, oracle, transactions, intents);
    this.holders = new TableHolders(store, requireNoGroups);
    this.locks = new TableLocks(seams);
  }

  @Override
  public Fence fence(String table, LongConsumer begun) {
    return fence.set(table, begun);
  }

  @Override
  public long raiseEpoch(String table) {
    return fence.raise(table);
  }

  @Override
  public void learn(String table) {
    transactions.learn(table);
  }

  @Override
  public void lookAgain() {
    bindings.lookAgain();
  }

  @Override
  public void bindLike(String index, String table) {
    bindings.bind(index, bindings.of(table));
  }

  @Override
  public void removeTable(String index) {
    bindings.hold(List.of(index));
    try {
      transactions.dropTable(store, index);
    } finally {
      bindings.release(List.of(index));
    }
    bindings.unbind(index);
  }

  @Override
  public <R> R holding(String table, Supplier<R> work) {
    return locks.holding(table, work);
  }

  @Override
  public Snapshot fenced(long timestamp) {
    return transactions.fenced(timestamp);
  }

  @Override
  public OptionalLong collect(String table, Duration keep) {
    Optional<CollectionReport> report =
        transactions
            .percolator()
            .collector()
            .collect(CollectionRequest.keep(keep).table(table), each -> {}, () -> false);
    return report.map(each -> OptionalLong.of(each.watermark())).orElseGet(OptionalLong::empty);
  }

  @Override
  public void requireNoLoad(String table) {
    TableHolders.requireNoLoad(store, table);
  }

  @Override
  public void requireNoGroups(String table) {
    holders.requireNoGroups(table);
  }
}
