package io.braid.percolator;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Finishes the secondaries of commits in the background, off the critical path, several
 * transactions in one trip. The queue is bounded; when it is full the commit finishes its rows
 * itself. What is lost here is rolled forward by whoever meets it.
 */
final class FinishDuty implements AutoCloseable {
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration CLOSE = Duration.ofSeconds(10);
  private static final int BATCH = 512;

  private final RowSettler settler;
  private final int capacity;
  private final Signal work;
  private final ArrayDeque<SettledRow> queue = new ArrayDeque<>();
  private final Task task;
  private boolean closing;

  FinishDuty(RowSettler settler, Seams seams, PercolatorOptions options) {
    this.settler = settler;
    this.capacity = options.duties().finishQueue();
    this.work = seams.signal();
    this.task = seams.start("braid-finish", this::run);
  }

  /** Takes rows over, or settles them at once when there is no room. */
  void finish(List<SettledRow> rows) {
    if (rows.isEmpty()) {
      return;
    }
    if (enqueue(rows)) {
      work.raise();
    } else {
      settler.settle(rows);
    }
  }

  private boolean enqueue(List<SettledRow> rows) {
    synchronized (queue) {
      if (closing || queue.size() + rows.size() > capacity) {
        return false;
      }
      return queue.addAll(rows);
    }
  }

  private void run() {
    while (true) {
      List<SettledRow> batch = take();
      if (!batch.isEmpty()) {
        settler.settle(batch);
      } else if (isClosing()) {
        return;
      } else if (!work.await(IDLE) && Backoff.interrupted()) {
        return;
      }
    }
  }

  private List<SettledRow> take() {
    synchronized (queue) {
      List<SettledRow> batch = new ArrayList<>(Math.min(BATCH, queue.size()));
      while (batch.size() < BATCH && !queue.isEmpty()) {
        batch.add(queue.remove());
      }
      return batch;
    }
  }

  private boolean isClosing() {
    synchronized (queue) {
      return closing;
    }
  }

  /** Finishes what is queued, then ends. */
  @Override
  public void close() {
    synchronized (queue) {
      closing = true;
    }
    work.raise();
    if (!task.join(CLOSE)) {
      task.stop();
    }
  }
}
