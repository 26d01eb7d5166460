package io.braid.core.transaction;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How far a snapshot of {@link Transactions#snapshot(Staleness)} may lie in the past, so that it
 * needs no call of the oracle. From zero to a minute; anything else is an {@link
 * IllegalArgumentException}.
 *
 * @param atMost a snapshot sees every commit that was acknowledged, in any process, longer ago than
 *     this. Of later commits it sees a prefix in the order of commit timestamps. The prefix may be
 *     empty, and may lack even the caller's own commits
 */
@API(status = API.Status.STABLE)
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
