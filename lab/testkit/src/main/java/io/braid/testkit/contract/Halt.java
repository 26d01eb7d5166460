package io.braid.testkit.contract;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An action in the middle of the run of a program. It happens only if the procedure runs in the
 * process of the test; in another process nothing happens.
 */
final class Halt {
  private static final AtomicReference<@Nullable Runnable> MIDDLE = new AtomicReference<>();

  private static final AtomicInteger COMES = new AtomicInteger();

  private Halt() {}

  /** Sets the action of the next program that comes to its {@link Program#halt}. */
  static void next(Runnable middle) {
    COMES.set(0);
    MIDDLE.set(middle);
  }

  /**
   * Returns how many programs came to a halt since: more than one when a call was executed again.
   */
  static int comes() {
    return COMES.get();
  }

  /** Runs the action, once. */
  static void come() {
    COMES.incrementAndGet();
    Runnable middle = MIDDLE.getAndSet(null);
    if (middle != null) {
      middle.run();
    }
  }
}
