package io.braid.percolator.context;

import java.util.concurrent.atomic.LongAdder;

/** Counts of the work of this process. */
public final class PercolatorCounters {
  public final LongAdder trips = new LongAdder();
  public final LongAdder onePhase = new LongAdder();
  public final LongAdder twoPhase = new LongAdder();
  public final LongAdder conflicts = new LongAdder();
  public final LongAdder unknown = new LongAdder();
  public final LongAdder rolledForward = new LongAdder();
  public final LongAdder rolledBack = new LongAdder();
  public final LongAdder waits = new LongAdder();
  public final LongAdder reads = new LongAdder();
  public final LongAdder cachedReads = new LongAdder();
}
