package io.braid.core.runtime;

import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reports to a reader, while the read goes on, that it goes on, and how much memory the store has
 * gathered for it. So the reader can give up a read that is not wanted any more, and a row that is
 * too wide before all of it is in memory. The reports arrive on the reading thread, in steps of
 * about a MiB, and without bytes after some thousand cells that are not wanted. Memory that a store
 * gathers elsewhere is not reported.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ReadProgress {
  /** Bytes per report, at least. */
  public static final long STEP = 1 << 20;

  /** Cells per report without bytes. */
  public static final int CELLS = 1 << 12;

  private static final ThreadLocal<@Nullable ReadProgress> CURRENT = new ThreadLocal<>();

  private final LongConsumer listener;
  private @Nullable RuntimeException refusal;

  private ReadProgress(LongConsumer listener) {
    this.listener = listener;
  }

  /**
   * Reads something.
   *
   * @param listener gets the numbers of bytes, which may be 0; its exception ends the read, without
   *     another try
   */
  public static <T extends @Nullable Object> T during(LongConsumer listener, Supplier<T> read) {
    ReadProgress outer = CURRENT.get();
    CURRENT.set(new ReadProgress(listener));
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

  /** Reports bytes; called by the code that gathers them. */
  public static void add(long bytes) {
    ReadProgress current = CURRENT.get();
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
   * Returns whether the reader threw this because it wants no more. Such an exception is the answer
   * to the reader, not a failure of the store that another try could mend.
   */
  public static boolean refused(RuntimeException e) {
    ReadProgress current = CURRENT.get();
    return current != null && current.refusal == e;
  }
}
