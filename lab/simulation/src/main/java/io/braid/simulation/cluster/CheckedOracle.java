package io.braid.simulation.cluster;

import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.SimulationFailure;

/** Checks the law of {@link TimestampOracle} over all processes (Fault 2). */
final class CheckedOracle implements TimestampOracle {
  private final TimestampOracle oracle;
  private final SimScheduler scheduler;
  private final Received received;

  /** The highest timestamp that all processes together have received. */
  static final class Received {
    private long highest;
  }

  CheckedOracle(TimestampOracle oracle, SimScheduler scheduler, Received received) {
    this.oracle = oracle;
    this.scheduler = scheduler;
    this.received = received;
  }

  @Override
  public long next(int count) {
    long before = received.highest;
    long first = oracle.next(count);
    if (first <= before || Timestamp.local(first) != 0) {
      scheduler.fail(
          new SimulationFailure(
              "Fault 2: timestamp "
                  + first
                  + " came, but when it was asked for somebody had received "
                  + before
                  + "."));
    }
    received.highest = Math.max(received.highest, first + (count - 1) * Timestamp.STEP);
    return first;
  }

  @Override
  public long lastIssued() {
    return oracle.lastIssued();
  }
}
