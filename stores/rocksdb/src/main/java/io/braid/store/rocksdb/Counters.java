package io.braid.store.rocksdb;

import java.util.concurrent.atomic.LongAdder;

/** The store's counts of its own work; see {@link StoreStats}. */
final class Counters {
  final LongAdder gets = new LongAdder();
  final LongAdder seeks = new LongAdder();
  final LongAdder presenceChecks = new LongAdder();
  final LongAdder presenceHits = new LongAdder();
  final LongAdder newestHits = new LongAdder();
  final LongAdder boundHits = new LongAdder();
  final LongAdder batches = new LongAdder();
  final LongAdder snapshotReads = new LongAdder();

  StoreStats stats(Engine engine) {
    return new StoreStats(
        engine.logSyncs(),
        batches.sum(),
        gets.sum(),
        seeks.sum(),
        presenceChecks.sum(),
        presenceHits.sum(),
        newestHits.sum(),
        boundHits.sum(),
        snapshotReads.sum());
  }
}
