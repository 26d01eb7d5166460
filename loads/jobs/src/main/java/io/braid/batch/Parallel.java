package io.braid.batch;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.core.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Does pieces of work side by side, a bounded number at a time.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Parallel {
  private Parallel() {}

  /** A piece of work. */
  public interface Piece {
    void run() throws IOException;
  }

  /**
   * Does all pieces; after a failure no other piece is begun. When the call returns or throws, no
   * piece is running any more. The exception is a piece that ignores an interrupt for some seconds.
   *
   * @param name shows in the names of threads
   * @param watcher is called now and then meanwhile
   * @throws StoreException when the thread was interrupted
   */
  public static void run(
      Seams seams, String name, int most, List<? extends Piece> pieces, Runnable watcher)
      throws IOException {
    Deque<Piece> waiting = new ArrayDeque<>(pieces);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Task> runners = new ArrayList<>();
    try {
      for (int i = 0; i < Math.min(most, pieces.size()); i++) {
        runners.add(seams.start(name + "-" + i, () -> work(waiting, failure)));
      }
      if (!Workers.haveEnded(runners, watcher)) {
        throw new StoreException("The work was interrupted.");
      }
      watcher.run();
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      Workers.stop(runners);
    }
    rethrow(failure.get());
  }

  private static void work(Deque<Piece> waiting, AtomicReference<@Nullable Throwable> failure) {
    try {
      for (Piece piece = next(waiting); piece != null; piece = next(waiting)) {
        if (failure.get() != null) {
          return;
        }
        piece.run();
      }
    } catch (IOException | RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  private static @Nullable Piece next(Deque<Piece> waiting) {
    synchronized (waiting) {
      return waiting.poll();
    }
  }

  /** Returns the failure of a task as an exception for the waiting thread to throw. */
  public static RuntimeException unchecked(Throwable failure) {
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure instanceof IOException e) {
      return new UncheckedIOException(e);
    }
    return failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
  }

  private static void rethrow(@Nullable Throwable failure) throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }
}
