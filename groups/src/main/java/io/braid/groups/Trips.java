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
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    Task other = seams.start("braid-group-trip", () -> attempt(first, failure));
    RuntimeException own = attempt(second, new AtomicReference<>());
    boolean interrupted = false;
    while (!other.join(LOOK)) {
      // What is on its way cannot be called back: wait for it.
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    RuntimeException failed = failure.get() == null ? own : failure.get();
    if (failed != null) {
      throw failed;
    }
  }

  private static @Nullable RuntimeException attempt(
      Runnable trip, AtomicReference<RuntimeException> failure) {
    try {
      trip.run();
    } catch (RuntimeException e) {
      failure.set(e);
    }
    return failure.get();
  }
}
