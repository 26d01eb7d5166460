package io.braid.core.protocol;

import io.braid.core.runtime.Seams;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

  /**
   * Asks until there is an answer; null when there is none after the last attempt or an interrupt.
   *
   * @param question returns null when the store does not answer
   */
  public <R> @Nullable R firstAnswer(Supplier<? extends @Nullable R> question) {
    Backoff backoff = backoff();
    for (int attempt = 1; ; attempt++) {
      R answer = question.get();
      if (answer != null || attempt == attempts || !backoff.pause()) {
        return answer;
      }
    }
  }
}
