package io.braid.core.runtime;

import java.nio.channels.ClosedByInterruptException;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * Work that a caller's interrupt does not break: the flag is put aside and restored in the end. A
 * channel closes itself when its thread is interrupted, before or within a call, and a wait ends;
 * then the work is done once more.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class UninterruptedWork {
  private UninterruptedWork() {}

  /** Work that may be done again from its beginning. */
  public interface Work<T, E extends Exception> {
    T run() throws E;
  }

  /** As {@link Work}, without a result. */
  public interface Step<E extends Exception> {
    void run() throws E;
  }

  /** Does work that may be done again from its beginning. */
  public static <T, E extends Exception> T again(Work<T, E> work) throws E {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return work.run();
        } catch (Exception e) {
          boolean now = Thread.interrupted();
          if (!now && !(e instanceof ClosedByInterruptException)) {
            throw e;
          }
          interrupted |= now;
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  /** As {@link #again(Work)}. */
  public static <E extends Exception> void againStep(Step<E> step) throws E {
    Boolean done =
        again(
            () -> {
              step.run();
              return true;
            });
    assert done;
  }

  /** Does work once, beginning without the flag. */
  public static <T> T get(Supplier<T> work) {
    boolean interrupted = Thread.interrupted();
    try {
      return work.get();
    } finally {
      restore(interrupted);
    }
  }

  private static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
