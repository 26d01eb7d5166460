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

  private static final ThreadLocal<@Nullable Gathered> CURRENT = new ThreadLocal<>();

  private final LongConsumer listener;
  private @Nullable RuntimeException refusal;

  private Gathered(LongConsumer listener) {
    this.listener = listener;
  }

  /**
   * Reads something.
   *
   * @param listener hears of bytes; what it throws ends the read, without another try
   */
  public static <T extends @Nullable Object> T during(LongConsumer listener, Supplier<T> read) {
    Gathered outer = CURRENT.get();
    CURRENT.set(new Gathered(listener));
    try {
      return read.get();
    } finally {
      if (outer == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(outer);
      }
    }
  }

  /** By what gathers. */
  public static void add(long bytes) {
    Gathered current = CURRENT.get();
    if (current != null) {
      current.tell(bytes);
    }
  }

  private void tell(long bytes) {
    try {
      listener.accept(bytes);
    } catch (RuntimeException e) {
      refusal = e;
      throw e;
    }
  }

  /**
   * Whether this was thrown because the reader wants no more: then it is the answer to the reader,
   * not a failure of the store that another try could mend.
   */
  public static boolean refused(RuntimeException e) {
    Gathered current = CURRENT.get();
    return current != null && current.refusal == e;
  }
}
