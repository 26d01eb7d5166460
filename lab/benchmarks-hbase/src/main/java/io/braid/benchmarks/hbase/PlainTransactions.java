package io.braid.benchmarks.hbase;

import io.braid.Braid;
import io.braid.core.runtime.SystemSeams;
import io.braid.percolator.PercolatorTransactions;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.store.hbase.HBaseOptions;
import io.braid.store.hbase.HBaseStore;

/**
 * Transactions of Percolator over a client whose threads share no messages, to show the gain from
 * sharing.
 */
record PlainTransactions(HBaseStore store, PercolatorTransactions transactions)
    implements AutoCloseable {

  /**
   * @param db the source of the timestamps
   */
  static PlainTransactions open(BenchCluster cluster, Braid db) {
    HBaseOptions options = HBaseOptions.DEFAULT.withNamespace(cluster.space()).withoutGathering();
    HBaseStore store = HBaseStore.connect(cluster.configuration(), options);
    return new PlainTransactions(
        store,
        new PercolatorTransactions(
            store, db.oracle(), new SystemSeams(), PercolatorOptions.defaults()));
  }

  @Override
  public void close() {
    transactions.close();
    store.close();
  }
}
