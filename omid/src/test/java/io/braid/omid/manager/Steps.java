package io.braid.omid.manager;

import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import java.util.concurrent.atomic.AtomicLong;

/** Gives out 1, 2, 3 ... times {@link Timestamp#STEP}. */
public final class Steps implements TimestampOracle {
  private final AtomicLong issued = new AtomicLong();

  /** Runs before each timestamp is given out. */
  public Runnable onNext = () -> {};

  @Override
  public long next(int count) {
    onNext.run();
    return issued.addAndGet(count * Timestamp.STEP) - (count - 1) * Timestamp.STEP;
  }

  @Override
  public long lastIssued() {
    return issued.get();
  }
}
