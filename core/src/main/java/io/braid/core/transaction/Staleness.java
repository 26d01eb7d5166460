package io.braid.core.transaction;

import java.time.Duration;

/**
 * How far a snapshot may lie in the past, so that it can be had without asking the oracle; of
 * {@link Transactions#snapshot(Staleness)}. From zero to a minute; anything else is an {@link
 * IllegalArgumentException}.
 *
 * @param atMost a snapshot with this sees everything whose commit was acknowledged, in whatever
 *     process, longer ago than that; of what was committed since it sees a prefix in the order of
 *     commit timestamps, which may be nothing, not even what the caller itself has committed
 */
public record Staleness(Duration atMost) {
  public Staleness {
    if (atMost.isNegative() || atMost.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException(
          "A snapshot of " + atMost + " ago: use up to a minute, or snapshotAt.");
    }
  }

  /** As the constructor. */
  public static Staleness atMost(Duration duration) {
    return new Staleness(duration);
  }
}
