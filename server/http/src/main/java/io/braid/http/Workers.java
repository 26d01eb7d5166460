package io.braid.http;

import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed number of tasks that do what they are given. The waiting work is bounded, and its owners
 * take turns.
 */
public final class Workers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

  private final FairQueue<Runnable> waiting = new FairQueue<>(); // guarded by itself
  private final List<Task> tasks = new ArrayList<>();
  private final Signal signal;
  private final int most;
  private volatile boolean closed;

  public Workers(Seams seams, String name, int threads, int most) {
    this.signal = seams.signal();
    this.most = most;
    for (int i = 0; i < threads; i++) {
      tasks.add(seams.start(name + "-" + i, EnduringLoop.loop(this::work)));
    }
  }

  /**
   * Does something in its turn.
   *
   * @param owner whose work it is
   * @throws RejectedExecutionException when too much waits
   */
  public void execute(Object owner, Runnable job) {
    synchronized (waiting) {
      if (waiting.size() >= most || closed) {
        throw new RejectedExecutionException("Too many requests are waiting.");
      }
      waiting.add(owner, job);
    }
    signal.raise();
  }

  private void work() {
    while (!closed) {
      Runnable job;
      boolean more;
      synchronized (waiting) {
        job = waiting.poll();
        more = !waiting.isEmpty();
      }
      if (job == null) {
        signal.await(Duration.ofMillis(100));
        continue;
      }
      if (more) {
        signal.raise();
      }
      run(job);
    }
  }

  /** A thread that ended with a job would be missing from then on. */
  private static void run(Runnable job) {
    try {
      job.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A request has failed.", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    tasks.forEach(Task::stop);
    tasks.forEach(task -> task.join(Duration.ofSeconds(5)));
  }
}
