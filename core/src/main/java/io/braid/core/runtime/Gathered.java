package io.braid.core.runtime;

import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells whoever reads how much the store has gathered in memory for the read, while it goes on: so
 * a row that is too wide can be given up before it is there as a whole. Heard on the thread that
 * reads, in steps of about a MiB; not told is what a store elsewhere gathers.
 */
public final class Gathered {
  /** What is told at a time, at least. */
  public static final long STEP = 1 << 20;

  private static final ThreadLocal<@Nullable LongConsumer> LISTENER = new ThreadLocal<>();

  private Gathered() {}

  /**
   * Reads something.
   *
   * @param listener hears of bytes; what it throws ends the read
   */
  public static <T extends @Nullable Object> T during(LongConsumer listener, Supplier<T> read) {
    LongConsumer outer = LISTENER.get();
    LISTENER.set(listener);
    try {
      return read.get();
    } finally {
      if (outer == null) {
        LISTENER.remove();
      } else {
        LISTENER.set(outer);
      }
    }
  }

  /** By what gathers. */
  public static void add(long bytes) {
    LongConsumer listener = LISTENER.get();
    if (listener != null) {
      listener.accept(bytes);
    }
  }
}
