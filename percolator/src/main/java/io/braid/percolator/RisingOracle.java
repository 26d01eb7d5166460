package io.braid.percolator;

import io.braid.core.time.TimestampOracle;
import java.util.concurrent.atomic.AtomicLong;

/** Makes sure that timestamps rise: each above all that were received before it was asked for. */
final class RisingOracle {
  private final TimestampOracle oracle;
  private final AtomicLong received = new AtomicLong();

  RisingOracle(TimestampOracle oracle) {
    this.oracle = oracle;
  }

  /**
   * The next timestamp.
   *
   * @throws IllegalStateException when the oracle has gone back
   */
  long next() {
    long before = received.get();
    long timestamp = oracle.next();
    if (timestamp <= before) {
      throw new IllegalStateException(
          "The oracle went back: it gave "
              + timestamp
              + " after "
              + before
              + ". Stop writing and find out whether two oracles run, or one lost its bound.");
    }
    received.accumulateAndGet(timestamp, Math::max);
    return timestamp;
  }

  /** The highest timestamp received so far; 0 at first. */
  long received() {
    return received.get();
  }

  long lastIssued() {
    return oracle.lastIssued();
  }
}
