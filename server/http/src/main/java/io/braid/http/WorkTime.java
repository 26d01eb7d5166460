package io.braid.http;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import java.time.Duration;

/** How long the work on one request may take. */
record WorkTime(Seams seams, Duration most) {
  long now() {
    return seams.nanoTime();
  }

  /**
   * Refuses work that takes too long.
   *
   * @param begun as {@link #now} was then
   * @throws HttpRefusal 413
   */
  void require(long begun) {
    if (now() - begun > most.toNanos()) {
      throw new HttpRefusal(
          413,
          ErrorCode.TOO_LONG.word(),
          "This reads for longer than " + most.toMillis() + " ms: ask for less with one request.");
    }
  }
}
