package io.braid.serving.client;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Does several things at a time: the first one here, each other one in a task of its own. */
public final class Parallel {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private Parallel() {}

  /** Returns when all have ended. They throw nothing. */
  public static void run(Seams seams, String name, List<? extends Runnable> jobs) {
    List<Task> tasks = new ArrayList<>();
    for (int i = 1; i < jobs.size(); i++) {
      tasks.add(seams.start(name + "-" + i, jobs.get(i)));
    }
    if (!jobs.isEmpty()) {
      jobs.get(0).run();
    }
    for (Task task : tasks) {
      while (!task.join(LOOK)) {
        if (Thread.currentThread().isInterrupted()) {
          task.stop();
        }
      }
    }
  }
}
