package io.braid.testkit.contract;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What happens while a program is in the middle of its run. Only where the procedure runs in the
 * process of the test; in another one nothing happens.
 */
final class Halt {
  private static final AtomicReference<@Nullable Runnable> MIDDLE = new AtomicReference<>();

  private static final AtomicInteger COMES = new AtomicInteger();

  private Halt() {}

  /** Sets what the next program does that comes to its {@link Program#halt}. */
  static void next(Runnable middle) {
    COMES.set(0);
    MIDDLE.set(middle);
  }

  /** How many programs came to it since: more than one when a call was executed again. */
  static int comes() {
    return COMES.get();
  }

  /** Does it, once. */
  static void come() {
    COMES.incrementAndGet();
    Runnable middle = MIDDLE.getAndSet(null);
    if (middle != null) {
      middle.run();
    }
  }
}
