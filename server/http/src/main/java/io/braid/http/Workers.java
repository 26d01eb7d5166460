package io.braid.http;

import io.braid.core.runtime.EnduringLoop;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A fixed number of tasks that do what they are given, in turn; what is waiting is bounded. */
public final class Workers implements Executor, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

  private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();
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

  @Override
  public void execute(Runnable job) {
    if (count.incrementAndGet() > most || closed) {
      count.decrementAndGet();
      throw new RejectedExecutionException("Too many requests are waiting.");
    }
    waiting.add(job);
    signal.raise();
  }

  private void work() {
    while (!closed) {
      Runnable job = waiting.poll();
      if (job == null) {
        signal.await(Duration.ofMillis(100));
        continue;
      }
      count.decrementAndGet();
      if (!waiting.isEmpty()) {
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
