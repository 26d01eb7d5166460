package io.braid.batch.sink;

import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.List;

/** The end of tasks whose calls all come to an end. */
public final class Workers {
  private static final Duration LOOK = Duration.ofMillis(100);

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
}
