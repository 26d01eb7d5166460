package io.braid.groups;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Makes two trips to the store at the same time where it is far away. Where it is in the process a
 * trip costs less than a task, so one follows the other.
 */
final class Trips {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Seams seams;
  private final boolean far;

  /**
   * @param far whether a trip takes longer than starting a task
   */
  Trips(Seams seams, boolean far) {
    this.seams = seams;
    this.far = far;
  }

  /** Whether the first is done before the second begins. */
  boolean areInOrder() {
    return !far;
  }

  /**
   * Does both; when it returns both are done, and when it throws neither goes on.
   *
   * @throws RuntimeException what the first has thrown, else the second; if they follow each other,
   *     the second is not begun then
   */
  void together(Runnable first, Runnable second) {
    if (!far) {
      first.run();
      second.run();
      return;
    }
    // A task may also be stopped.
    AtomicReference<@Nullable RuntimeException> failure =
        new AtomicReference<>(new IllegalStateException("A trip to the store broke off."));
    Task other = seams.start("braid-group-trip", () -> failure.set(attempt(first)));
    RuntimeException own = attempt(second);
    boolean interrupted = false;
    while (!other.join(LOOK)) {
      // What is on its way cannot be called back: wait for it.
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    RuntimeException others = failure.get();
    RuntimeException failed = others == null ? own : others;
    if (failed != null) {
      throw failed;
    }
  }

  private static @Nullable RuntimeException attempt(Runnable trip) {
    try {
      trip.run();
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }
}
