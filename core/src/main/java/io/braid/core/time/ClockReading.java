package io.braid.core.time;

import java.time.Duration;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * The time by the clock of this machine and by the timestamps.
 *
 * @param wall the clock of the machine that gives out timestamps
 * @param newest the time of the newest timestamp
 * @param doubtful whether they are so far apart that the clock is not trusted: timestamps go on at
 *     the pace of real time until {@link LocalOracle#confirmClock} or until the clock is put right
 */
@API(status = API.Status.EXPERIMENTAL)
public record ClockReading(Instant wall, Instant newest, boolean doubtful) {
  /** By how much the clock is ahead of the timestamps; negative when it is behind. */
  public Duration ahead() {
    return Duration.between(newest, wall);
  }
}
