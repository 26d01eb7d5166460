package io.braid.omid.manager;

import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import java.util.concurrent.atomic.AtomicLong;

/** Gives out 1, 2, 3 ... times {@link Timestamp#STEP}. */
public final class Steps implements TimestampOracle {
  private final AtomicLong issued = new AtomicLong();

  /** Runs before each timestamp is given out. */
  public Runnable onNext = () -> {};

  /** Runs when a timestamp was drawn, before whoever asked has it. */
  public Runnable onDrawn = () -> {};

  @Override
  public long next(int count) {
    onNext.run();
    long first = issued.addAndGet(count * Timestamp.STEP) - (count - 1) * Timestamp.STEP;
    onDrawn.run();
    return first;
  }

  @Override
  public long lastIssued() {
    return issued.get();
  }
}
