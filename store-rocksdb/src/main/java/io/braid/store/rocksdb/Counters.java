package io.braid.store.rocksdb;

import java.util.concurrent.atomic.LongAdder;

/** What the store counts of its own work; see {@link StoreStats}. */
final class Counters {
  final LongAdder gets = new LongAdder();
  final LongAdder seeks = new LongAdder();
  final LongAdder presenceChecks = new LongAdder();
  final LongAdder presenceHits = new LongAdder();
  final LongAdder newestHits = new LongAdder();
  final LongAdder batches = new LongAdder();
  final LongAdder snapshotReads = new LongAdder();
  private volatile long earlierLogSyncs;

  /** Remembers what would go with the engine. */
  void keep(Engine engine) {
    earlierLogSyncs = logSyncs(engine);
  }

  private long logSyncs(Engine engine) {
    return earlierLogSyncs + engine.logSyncs();
  }

  StoreStats stats(Engine engine) {
    return new StoreStats(
        logSyncs(engine),
        batches.sum(),
        gets.sum(),
        seeks.sum(),
        presenceChecks.sum(),
        presenceHits.sum(),
        newestHits.sum(),
        snapshotReads.sum());
  }
}
