package io.braid.serving.fetch;

import io.braid.core.runtime.Seams;
import java.time.Duration;

/** A rate that several tasks keep together. */
public final class Throttle {
  private final Seams seams;
  private final long bytesPerSecond;
  private final long begun;
  private long bytes;

  /**
   * @param bytesPerSecond 0: no limit
   */
  public Throttle(Seams seams, long bytesPerSecond) {
    this.seams = seams;
    this.bytesPerSecond = bytesPerSecond;
    this.begun = seams.nanoTime();
  }

  /** Waits until so many bytes more may pass. */
  void pass(int more) {
    if (bytesPerSecond > 0) {
      long wait = due(more) - (seams.nanoTime() - begun);
      if (wait > 0) {
        seams.sleep(Duration.ofNanos(wait));
      }
    }
  }

  private synchronized long due(int more) {
    bytes += more;
    return (long) (bytes * 1e9 / bytesPerSecond);
  }
}
