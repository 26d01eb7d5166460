package io.braid.serving.client;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Does several things at a time: the first one here, each other one in a task of its own.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Parallel {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private Parallel() {}

  /**
   * Runs the jobs and returns when all have ended. An interrupt stops them. Jobs for which the
   * system has no thread run here too. The jobs throw only exceptions that are meant for the
   * caller. The first exception or error is thrown when all jobs have ended.
   */
  public static void run(Seams seams, String name, List<? extends Runnable> jobs) {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Task> tasks = new ArrayList<>();
    List<Runnable> here = new ArrayList<>();
    boolean threads = true;
    for (int i = 0; i < jobs.size(); i++) {
      Runnable job = jobs.get(i);
      Runnable guarded = () -> run(job, failure);
      Task task = i > 0 && threads ? startIfPossible(seams, name + "-" + i, guarded) : null;
      if (task == null) {
        here.add(guarded);
        threads &= i == 0;
      } else {
        tasks.add(task);
      }
    }
    here.forEach(Runnable::run);
    awaitEnd(tasks);
    rethrow(failure.get());
  }

  private static @Nullable Task startIfPossible(Seams seams, String name, Runnable job) {
    try {
      return seams.start(name, job);
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  private static void run(Runnable job, AtomicReference<@Nullable Throwable> failure) {
    try {
      job.run();
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  private static void awaitEnd(List<Task> tasks) {
    boolean interrupted = false;
    for (Task task : tasks) {
      while (!task.join(LOOK)) {
        if (Thread.interrupted()) {
          interrupted = true;
          tasks.forEach(Task::stop);
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void rethrow(@Nullable Throwable failure) {
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }
}
