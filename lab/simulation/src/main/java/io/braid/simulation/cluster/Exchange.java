package io.braid.simulation.cluster;

import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.SimTask;
import org.jspecify.annotations.Nullable;

/** A caller and the answers it waits for. */
final class Exchange {
  private final SimScheduler scheduler;
  private @Nullable SimTask waiting;
  private int missing;

  Exchange(SimScheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** One more answer is to come. */
  void expect() {
    missing++;
  }

  /** One of the answers has come. */
  void arrived() {
    missing--;
    if (missing == 0 && waiting != null) {
      scheduler.wake(waiting);
    }
  }

  /** Waits for all answers, or until the caller loses patience. */
  void await(String call, long nanos) {
    waiting = scheduler.current();
    try {
      if (missing > 0) {
        scheduler.park(call, nanos, false);
      }
    } finally {
      waiting = null;
    }
  }
}
