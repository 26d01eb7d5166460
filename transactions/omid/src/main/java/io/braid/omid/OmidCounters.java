package io.braid.omid;

import java.util.concurrent.atomic.LongAdder;

/** The counters behind {@link OmidStatistics}. */
final class OmidCounters {
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
