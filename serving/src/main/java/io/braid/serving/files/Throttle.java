package io.braid.serving.files;

import io.braid.core.runtime.Seams;
import java.time.Duration;

/**
 * A rate that several tasks share, for as long as a node runs. Capacity that was not used in a
 * quiet hour is not made up for later.
 *
 * <p>Bytes pass evenly, in small pieces. Each piece is hashed and written at once, and a reader on
 * the same processor waits for that long. So a piece must be short even where all pieces together
 * take little time. Bytes that are read for a check pass at the same rate as bytes that come in.
 */
public final class Throttle {
  /** The time that may be made up for at once after a wait that was too long. */
  static final Duration BURST = Duration.ofMillis(10);

  private static final int PIECES_PER_SECOND = 4000;
  private static final int LEAST = 1 << 12;
  private static final int MOST = 1 << 16;

  private final Seams seams;
  private final long bytesPerSecond;
  private long next;

  /**
   * @param bytesPerSecond 0: no limit
   */
  public Throttle(Seams seams, long bytesPerSecond) {
    this.seams = seams;
    this.bytesPerSecond = bytesPerSecond;
    this.next = seams.nanoTime();
  }

  /** How many bytes to let pass at a time. */
  public int piece() {
    return bytesPerSecond == 0
        ? MOST
        : (int) Math.max(LEAST, Math.min(MOST, bytesPerSecond / PIECES_PER_SECOND));
  }

  /** Waits until so many bytes more may pass. */
  public void pass(int more) {
    if (bytesPerSecond > 0) {
      long wait = waitFor(more);
      if (wait > 0) {
        seams.sleep(Duration.ofNanos(wait));
      }
    }
  }

  private synchronized long waitFor(int more) {
    long now = seams.nanoTime();
    next = Math.max(next, now - BURST.toNanos()) + (long) (more * 1e9 / bytesPerSecond);
    return next - now;
  }
}
