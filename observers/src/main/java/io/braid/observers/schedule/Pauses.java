package io.braid.observers.schedule;

import io.braid.core.runtime.Seams;
import java.time.Duration;

/** Growing pauses between attempts, jittered so that those who collided do not meet again. */
public final class Pauses {
  private final Seams seams;
  private final long first;
  private final long longest;

  public Pauses(Seams seams, Duration first, Duration longest) {
    this.seams = seams;
    this.first = first.toNanos();
    this.longest = longest.toNanos();
  }

  /**
   * Between a half and the whole of the first pause, doubled for each attempt but the first.
   *
   * @param attempts how many attempts there were; at least 1
   */
  public long nanosAfter(int attempts) {
    int doublings = Math.min(attempts - 1, Long.numberOfLeadingZeros(first) - 2);
    long pause = Math.min(first << doublings, longest);
    return pause - seams.random().nextLong(pause / 2 + 1);
  }
}
