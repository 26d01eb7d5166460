package io.braid.percolator;

import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import java.util.concurrent.atomic.AtomicLong;

/** Gives out 1, 2, 3 ... times {@link Timestamp#STEP}. */
final class StepOracle implements TimestampOracle {
  private final AtomicLong issued = new AtomicLong();

  /** Runs before each timestamp is given out. */
  Runnable onNext = () -> {};

  @Override
  public long next(int count) {
    onNext.run();
    return issued.addAndGet(count * Timestamp.STEP) - (count - 1) * Timestamp.STEP;
  }

  @Override
  public long lastIssued() {
    return issued.get();
  }

  /** Goes on after {@code steps}. */
  void skipTo(long steps) {
    issued.set(steps * Timestamp.STEP);
  }

  /** Goes back, as no oracle may. */
  void stepBack(long steps) {
    issued.addAndGet(-steps * Timestamp.STEP);
  }
}
