package io.braid.percolator;

import java.util.concurrent.atomic.LongAdder;

/** The counters behind {@link PercolatorStatistics}. */
final class Counters {
  final LongAdder trips = new LongAdder();
  final LongAdder onePhase = new LongAdder();
  final LongAdder twoPhase = new LongAdder();
  final LongAdder conflicts = new LongAdder();
  final LongAdder unknown = new LongAdder();
  final LongAdder rolledForward = new LongAdder();
  final LongAdder rolledBack = new LongAdder();
  final LongAdder waits = new LongAdder();
  final LongAdder reads = new LongAdder();
  final LongAdder cachedReads = new LongAdder();

  PercolatorStatistics statistics() {
    return new PercolatorStatistics(
        trips.sum(),
        onePhase.sum(),
        twoPhase.sum(),
        conflicts.sum(),
        unknown.sum(),
        rolledForward.sum(),
        rolledBack.sum(),
        waits.sum(),
        reads.sum(),
        cachedReads.sum());
  }
}
