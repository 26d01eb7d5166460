package io.braid.percolator.garbage;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * The options for collecting garbage in the background. No time is negative.
 *
 * @param keep how far back every snapshot stays readable
 * @param interval the pause between two collections; zero for none in this process
 * @param rate how fast a collection goes through the tables
 * @param renewal how often this process publishes its reads, for the collections of others; zero
 *     for never
 */
@API(status = API.Status.EXPERIMENTAL)
public record CollectionOptions(Duration keep, Duration interval, Rate rate, Duration renewal) {

  /** Neither collects nor publishes. */
  public static final CollectionOptions OFF =
      new CollectionOptions(Duration.ofDays(1), Duration.ZERO, Rate.rows(20_000), Duration.ZERO);

  /** Collects each hour what is older than a day. */
  public static CollectionOptions defaults() {
    return OFF.interval(Duration.ofHours(1)).renewal(Duration.ofSeconds(15));
  }

  public CollectionOptions {
    if (keep.isNegative() || interval.isNegative() || renewal.isNegative()) {
      throw new IllegalArgumentException("Times of a collection are not negative.");
    }
  }

  public CollectionOptions keep(Duration value) {
    return new CollectionOptions(value, interval, rate, renewal);
  }

  public CollectionOptions interval(Duration value) {
    return new CollectionOptions(keep, value, rate, renewal);
  }

  public CollectionOptions rate(Rate value) {
    return new CollectionOptions(keep, interval, value, renewal);
  }

  public CollectionOptions renewal(Duration value) {
    return new CollectionOptions(keep, interval, rate, value);
  }

  /** Whether this process collects in the background. */
  public boolean collects() {
    return !interval.isZero();
  }

  /** Whether this process publishes what it reads. */
  public boolean publishes() {
    return !renewal.isZero();
  }
}
