package io.braid.percolator;

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
  private static final int BATCH = 512;

  private final RowSettler settler;
  private final int capacity;
  private final ArrayDeque<SettledRow> queue = new ArrayDeque<>();
  private final Duty duty;
  private boolean closing;

  FinishDuty(Surroundings around, RowSettler settler) {
    this.settler = settler;
    this.capacity = around.options().duties().finishQueue();
    this.duty = Duty.start(around.seams(), "braid-finish", IDLE, this::finishSome);
  }

  /** Takes rows over, or settles them at once when there is no room. */
  void finish(List<SettledRow> rows) {
    if (rows.isEmpty()) {
      return;
    }
    if (enqueue(rows)) {
      duty.wake();
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

  /** Settles a batch; whether it did. */
  boolean finishSome() {
    List<SettledRow> batch = take();
    settler.settle(batch);
    return !batch.isEmpty();
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

  /** Finishes what is queued, then ends. */
  @Override
  public void close() {
    synchronized (queue) {
      closing = true;
    }
    duty.close();
  }
}
