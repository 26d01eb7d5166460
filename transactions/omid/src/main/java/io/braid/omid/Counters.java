package io.braid.omid;

import java.util.concurrent.atomic.LongAdder;

/** Counts what {@link OmidStatistics} shows. */
final class Counters {
  final LongAdder trips = new LongAdder();
  final LongAdder commits = new LongAdder();
  final LongAdder conflicts = new LongAdder();
  final LongAdder unknown = new LongAdder();
  final LongAdder lookups = new LongAdder();
  final LongAdder invalidated = new LongAdder();

  OmidStatistics statistics() {
    return new OmidStatistics(
        trips.sum(),
        commits.sum(),
        conflicts.sum(),
        unknown.sum(),
        lookups.sum(),
        invalidated.sum());
  }
}
