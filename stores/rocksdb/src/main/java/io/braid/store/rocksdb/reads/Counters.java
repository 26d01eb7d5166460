package io.braid.store.rocksdb.reads;

import java.util.concurrent.atomic.LongAdder;

/** The store's counts of its own work. */
public final class Counters {
  public final LongAdder gets = new LongAdder();
  public final LongAdder seeks = new LongAdder();
  public final LongAdder presenceChecks = new LongAdder();
  public final LongAdder presenceHits = new LongAdder();
  public final LongAdder newestHits = new LongAdder();
  public final LongAdder boundHits = new LongAdder();
  public final LongAdder batches = new LongAdder();
  public final LongAdder snapshotReads = new LongAdder();
}
