package io.braid.batch;

import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Waits for the end of tasks whose calls all come to an end.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Workers {
  private static final Duration LOOK = Duration.ofMillis(100);

  private static final Duration LAST = Duration.ofSeconds(5);

  private Workers() {}

  /** Waits for all of them; false when the thread was interrupted before they ended. */
  public static boolean haveEnded(List<Task> workers) {
    return haveEnded(workers, () -> {});
  }

  /** The same, with a watcher that is called now and then meanwhile. */
  public static boolean haveEnded(List<Task> workers, Runnable watcher) {
    for (Task worker : workers) {
      while (!worker.join(LOOK)) {
        watcher.run();
        if (Backoff.interrupted()) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Stops tasks and waits for them, for some seconds each: after that, others may take over their
   * work. An interrupt of the thread stays.
   */
  public static void stop(List<Task> workers) {
    workers.forEach(Task::stop);
    boolean interrupted = Thread.interrupted();
    workers.forEach(worker -> worker.join(LAST));
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
