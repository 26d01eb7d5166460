package io.braid.core.time;

import java.time.Instant;
import org.apiguardian.api.API;

/**
 * The lead of timestamps over the wall clock, or their lag, from one timestamp on: after the
 * database ran with a wrong clock, timestamps do not go back.
 *
 * @param from the first timestamp since then
 * @param millis by how much they are ahead; negative when they are behind
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record Lead(long from, long millis) {
  /** Timestamps agree with the wall clock. */
  public static final Lead NONE = new Lead(0, 0);

  /** The last timestamp of a moment of the wall clock. */
  public long lastAt(Instant time) {
    if (millis == 0) {
      return Timestamp.lastAt(time);
    }
    long since = bounded(time.plusMillis(millis));
    return since >= from ? since : Math.min(bounded(time), from - 1);
  }

  private static long bounded(Instant time) {
    try {
      return Timestamp.lastAt(time);
    } catch (IllegalArgumentException e) {
      return time.toEpochMilli() < Timestamp.wallMillis(0) ? 0 : Timestamp.MAX;
    }
  }
}
