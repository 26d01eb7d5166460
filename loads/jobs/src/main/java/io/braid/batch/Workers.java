package io.braid.batch;

import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.List;

/** The end of tasks whose calls all come to an end. */
public final class Workers {
  private static final Duration LOOK = Duration.ofMillis(100);

  private static final Duration LAST = Duration.ofSeconds(5);

  private Workers() {}

  /** Waits for all of them; false when the thread was interrupted before they ended. */
  public static boolean haveEnded(List<Task> workers) {
    return haveEnded(workers, () -> {});
  }

  /** As the other; the watcher is called now and then meanwhile. */
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
   * Has tasks stop and waits for them, for some seconds each: what they work on is given up to
   * others then. An interrupt of the thread stays.
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
