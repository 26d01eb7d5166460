package io.braid.store.hbase;

import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.jspecify.annotations.Nullable;

/** Waits for what the asynchronous client of HBase does. */
final class Futures {
  private Futures() {}

  /**
   * @return what the future brings
   * @throws UnknownTableException when there is no such table
   * @throws TabletUnavailableException when the cluster does not answer
   * @throws StoreException when it refuses
   */
  static <T> T await(CompletableFuture<T> future, Duration patience, String doing) {
    boolean interrupted = false;
    long end = System.nanoTime() + patience.toNanos();
    try {
      while (true) {
        try {
          return future.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw failure(doing, e.getCause());
    } catch (TimeoutException e) {
      future.cancel(false);
      throw new TabletUnavailableException(
          doing + ": HBase did not answer within " + patience.toSeconds() + " s.", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Pauses in any case: one that is interrupted would else ask without a pause until it gives up.
   */
  static void pause(long nanos) {
    boolean interrupted = Thread.interrupted();
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  static StoreException failure(String doing, @Nullable Throwable thrown) {
    Throwable cause = cause(thrown);
    if (cause instanceof StoreException known) {
      return known;
    }
    if (cause instanceof TableNotFoundException) {
      return new UnknownTableException(
          doing + ": there is no table " + cause.getMessage() + ". Create it first.");
    }
    if (cause instanceof TableNotEnabledException) {
      return new TabletUnavailableException(
          doing
              + ": table "
              + oneLine(cause)
              + " is being dropped, or is disabled: try again later.",
          cause);
    }
    String text = doing + ": " + (cause == null ? "failed" : oneLine(cause));
    return cause instanceof DoNotRetryIOException
        ? new StoreException(text, cause)
        : new TabletUnavailableException(text, cause);
  }

  /**
   * Returns the current failure as one line. HBase lists every attempt on lines of its own; the
   * last attempt is the current one. The stack trace that follows an exception of a server is left
   * out.
   */
  private static String oneLine(Throwable cause) {
    List<String> lines =
        String.valueOf(cause.getMessage())
            .lines()
            .filter(line -> !line.isBlank() && !line.matches("\\s+(at |\\.\\.\\. ).*"))
            .toList();
    return lines.isEmpty() ? cause.toString() : lines.get(lines.size() - 1);
  }

  static @Nullable Throwable cause(@Nullable Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException || cause instanceof ExecutionException) {
      cause = cause.getCause();
    }
    return cause;
  }
}
