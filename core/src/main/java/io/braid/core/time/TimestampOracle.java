package io.braid.core.time;

import java.time.Instant;
import org.apiguardian.api.API;

/**
 * Gives out strictly increasing timestamps (Percolator, section 2.3). Safe for many threads.
 *
 * <ul>
 *   <li>A timestamp is greater than every one that any caller received before it was requested.
 *   <li>It never repeats or goes back: not after a restart, a failover, or a step of the clock.
 * </ul>
 */
@API(status = API.Status.EXPERIMENTAL)
public interface TimestampOracle {
  /**
   * The next timestamp.
   *
   * @throws TimestampUnavailableException when none can be given out safely; may be tried again
   */
  default long next() {
    return next(1);
  }

  /**
   * Several at once.
   *
   * @param count from 1 to 65536
   * @return the first of {@code count} timestamps, each {@link Timestamp#STEP} above the one before
   */
  long next(int count);

  /** The highest timestamp that may have been given out; snapshots above it do not exist yet. */
  long lastIssued();

  /**
   * Checks a timestamp from outside: from a client, a file or a record. No timestamp above those
   * that the oracle has given out may reach a store: it would raise a {@link
   * io.braid.core.store.TabletClock}, and no position there is true.
   *
   * @return the timestamp
   * @throws IllegalArgumentException when it, without its local bits, is above {@link #lastIssued},
   *     or negative
   * @throws TimestampUnavailableException when the answer is unavailable now
   */
  default long requireIssued(long timestamp) {
    if (timestamp < 0 || Timestamp.withoutLocal(timestamp) > lastIssued()) {
      throw new IllegalArgumentException(
          "The oracle has not given out timestamp "
              + timestamp
              + " yet: use one that this database has answered with.");
    }
    return timestamp;
  }

  /**
   * Returns the last timestamp of a moment of the wall clock, in the past or future. Where
   * timestamps run ahead of the clock ({@link Lead}), this is the one that was given out then.
   *
   * @throws IllegalArgumentException before 2020 or after 2089
   */
  default long lastAt(Instant time) {
    return Timestamp.lastAt(time);
  }
}
