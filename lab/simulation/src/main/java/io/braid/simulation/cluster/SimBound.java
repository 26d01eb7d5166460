package io.braid.simulation.cluster;

import io.braid.core.store.StoreException;
import io.braid.core.time.TimestampBound;
import io.braid.simulation.schedule.SimScheduler;
import java.time.Duration;

/**
 * The durable bound of the timestamps. Whether a raise happened may stay unknown, and it may happen
 * after its caller has given up, or died.
 */
final class SimBound implements TimestampBound {
  private static final long MEAN_NANOS = Duration.ofMillis(1).toNanos();
  private static final long MEAN_LATE_NANOS = Duration.ofSeconds(3).toNanos();

  private final SimScheduler scheduler;
  private final Faults faults;
  private long bound;

  SimBound(SimScheduler scheduler, Faults faults) {
    this.scheduler = scheduler;
    this.faults = faults;
  }

  @Override
  public long read() {
    travel();
    long read = bound;
    travel();
    return read;
  }

  @Override
  public boolean raise(long expected, long next) {
    if (faults.strikes(Fault.BOUND_UNKNOWN)) {
      if (faults.random().nextBoolean()) {
        scheduler.after(
            faults.random().around(MEAN_LATE_NANOS), () -> compareAndSet(expected, next));
      }
      travel();
      throw new StoreException("Whether the bound was raised is unknown.");
    }
    travel();
    boolean raised = compareAndSet(expected, next);
    travel();
    return raised;
  }

  /** A repeated raise succeeds, as that of {@link io.braid.core.time.StoreTimestampBound} does. */
  private boolean compareAndSet(long expected, long next) {
    if (bound != expected && bound != next) {
      return false;
    }
    bound = next;
    return true;
  }

  private void travel() {
    scheduler.park("bound", faults.random().around(MEAN_NANOS), false);
  }
}
