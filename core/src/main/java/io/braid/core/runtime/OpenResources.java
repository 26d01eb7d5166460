package io.braid.core.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Resources that are opened one after the other. All of them are closed in reverse order: in the
 * end, or when the next one cannot be opened. So a failed opening leaves no thread and no lock
 * behind.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class OpenResources implements AutoCloseable {
  private final Deque<Runnable> closing = new ArrayDeque<>();

  /** Remembers how something is closed that is open now. */
  public synchronized <C> C keep(C one, Consumer<? super C> close) {
    closing.push(() -> close.accept(one));
    return one;
  }

  private synchronized @Nullable Runnable next() {
    return closing.poll();
  }

  /**
   * Closes everything, also when some of it fails to; what is closed is not closed again.
   *
   * @throws RuntimeException the first failure, which has the others with it
   */
  @Override
  public void close() {
    RuntimeException first = null;
    for (Runnable each = next(); each != null; each = next()) {
      try {
        each.run();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** Closes everything because of a failure; that failure stays the one that is reported. */
  public void closeAfter(Throwable failure) {
    try {
      close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }
}
