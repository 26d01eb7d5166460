package io.braid.core.protocol;

import io.braid.core.runtime.Seams;
import java.time.Duration;

/** Pauses that grow twofold up to a bound, each between half and the whole of its length. */
public final class Backoff {
  private final Seams seams;
  private final long most;
  private final long begun;
  private long next;
  private int pauses;

  public Backoff(Seams seams, Duration first, Duration most) {
    this.seams = seams;
    this.next = Math.max(1, first.toNanos());
    this.most = Math.max(1, most.toNanos());
    this.begun = seams.nanoTime();
  }

  /** Pauses; false when the thread was interrupted before or meanwhile. */
  public boolean pause() {
    if (interrupted()) {
      return false;
    }
    long length = Math.min(next, most);
    next = Math.min(most, next * 2);
    pauses++;
    seams.sleep(Duration.ofNanos(length / 2 + seams.random().nextLong(length / 2 + 1)));
    return !interrupted();
  }

  /** How many pauses there were. */
  public int pauses() {
    return pauses;
  }

  /** How long ago this was made. */
  public Duration elapsed() {
    return Duration.ofNanos(seams.nanoTime() - begun);
  }

  /** Whether this thread was interrupted; leaves the interrupt set. */
  public static boolean interrupted() {
    return Thread.currentThread().isInterrupted();
  }
}
