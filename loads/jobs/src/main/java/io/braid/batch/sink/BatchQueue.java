package io.braid.batch.sink;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Batches on their way from the task that reads to those that write; it bounds the memory. */
final class BatchQueue {
  private static final Duration LOOK = Duration.ofMillis(50);

  private final int capacity;
  private final Signal room;
  private final Signal work;
  private final Deque<List<SinkRecord>> batches = new ArrayDeque<>();
  private boolean closed;

  BatchQueue(Seams seams, int capacity) {
    this.capacity = capacity;
    this.room = seams.signal();
    this.work = seams.signal();
  }

  /** Waits for room; false when the queue was closed or the thread interrupted. */
  boolean put(List<SinkRecord> batch) {
    while (!Thread.currentThread().isInterrupted()) {
      synchronized (batches) {
        if (closed) {
          return false;
        }
        if (batches.size() < capacity) {
          batches.add(batch);
          break;
        }
      }
      room.await(LOOK);
    }
    work.raise();
    return !Thread.currentThread().isInterrupted();
  }

  /** Waits for a batch; null when the queue is closed and empty, or the thread interrupted. */
  @Nullable List<SinkRecord> take() {
    while (!Thread.currentThread().isInterrupted()) {
      List<SinkRecord> batch;
      boolean more;
      synchronized (batches) {
        batch = batches.poll();
        more = !batches.isEmpty() || closed;
        if (batch == null && closed) {
          work.raise();
          return null;
        }
      }
      if (batch != null) {
        room.raise();
        if (more) {
          work.raise();
        }
        return batch;
      }
      work.await(LOOK);
    }
    return null;
  }

  /** No more batches come; those that wait are still given out. */
  void close() {
    synchronized (batches) {
      closed = true;
    }
    work.raise();
    room.raise();
  }

  /** Forgets the batches that wait. */
  void clear() {
    synchronized (batches) {
      batches.clear();
    }
    room.raise();
  }
}
