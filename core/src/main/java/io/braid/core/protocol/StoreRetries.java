package io.braid.core.protocol;

import io.braid.core.runtime.Seams;
import java.time.Duration;

/**
 * How calls are tried again that the store did not execute or answer.
 *
 * @param attempts how often a call is tried
 * @param pause the first pause between two attempts; each further one is up to twice as long
 */
public record StoreRetries(Seams seams, int attempts, Duration pause) {
  private static final int LONGEST_PAUSE = 64;

  public Backoff backoff() {
    // Not multipliedBy, which computes in decimals: every call of the store passes here.
    return new Backoff(seams, pause, Duration.ofNanos(pause.toNanos() * LONGEST_PAUSE));
  }
}
