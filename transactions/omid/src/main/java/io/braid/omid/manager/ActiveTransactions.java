package io.braid.omid.manager;

import io.braid.core.runtime.Places;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;

/**
 * The transactions and snapshots that have begun and not ended, so that their data is not
 * collected.
 *
 * <p>Each is entered before its timestamp is drawn, at a bound below that timestamp. So a caller
 * that asks the oracle for the last timestamp, and then looks for the lowest open one, misses none
 * below the last timestamp.
 */
final class ActiveTransactions {
  // How far the bound may lag behind, so that it is not written by every begin.
  private static final long LAG = Timestamp.STEP << Timestamp.COUNTER_BITS;

  private final TimestampOracle oracle;
  private final Places<Active> places = new Places<>();
  private volatile long bound;

  ActiveTransactions(TimestampOracle oracle) {
    this.oracle = oracle;
  }

  /** An active transaction or snapshot. */
  private static final class Active implements TransactionManager.BegunTransaction {
    private final Places.Place<Active> place;
    private volatile long timestamp;

    Active(Places<Active> places, long timestamp) {
      this.timestamp = timestamp;
      this.place = places.add(this);
    }

    @Override
    public long timestamp() {
      return timestamp;
    }

    @Override
    public void close() {
      place.free(this);
    }
  }

  TransactionManager.BegunTransaction begin() {
    long below = bound;
    Active active = new Active(places, below);
    try {
      long timestamp = oracle.next();
      active.timestamp = timestamp;
      if (timestamp - below > LAG) {
        bound = timestamp;
      }
      return active;
    } catch (RuntimeException e) {
      active.close();
      throw e;
    }
  }

  TransactionManager.BegunTransaction enter(long timestamp) {
    return new Active(places, timestamp);
  }

  long lowest() {
    long issued = oracle.lastIssued();
    return places.lowest(active -> active.timestamp, issued);
  }
}
