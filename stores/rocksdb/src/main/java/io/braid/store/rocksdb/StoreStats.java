package io.braid.store.rocksdb;

import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.reads.Counters;

/**
 * Counters since the store was opened.
 *
 * @param walSyncs how often the log was synced: for synced batches, and before files are moved in
 * @param batches how many write batches went into the log
 * @param gets exact lookups in RocksDB
 * @param seeks iterator seeks in RocksDB
 * @param presenceChecks how often a sparse family was asked for a row
 * @param presenceHits how often the answer was "nothing there", from memory
 * @param newestHits how often the newest version of a column was known in memory
 * @param boundHits how often a column was known to have no newer version, from memory
 * @param snapshotReads reads that met a change of their row and were repeated on a snapshot
 */
public record StoreStats(
    long walSyncs,
    long batches,
    long gets,
    long seeks,
    long presenceChecks,
    long presenceHits,
    long newestHits,
    long boundHits,
    long snapshotReads) {
  static StoreStats of(Engine engine, Counters counters) {
    return new StoreStats(
        engine.logSyncs(),
        counters.batches.sum(),
        counters.gets.sum(),
        counters.seeks.sum(),
        counters.presenceChecks.sum(),
        counters.presenceHits.sum(),
        counters.newestHits.sum(),
        counters.boundHits.sum(),
        counters.snapshotReads.sum());
  }
}
