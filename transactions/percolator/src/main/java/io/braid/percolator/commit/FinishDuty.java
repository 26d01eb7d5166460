package io.braid.percolator.commit;

import io.braid.core.protocol.Duty;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.resolution.DecidedRow;
import io.braid.percolator.resolution.RowFinisher;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Finishes the secondaries of commits in the background, off the critical path, several
 * transactions in one trip. The queue is bounded; when it is full, the commit finishes its rows
 * itself. Rows that are lost here are rolled forward by the next transaction that meets them.
 */
public final class FinishDuty implements AutoCloseable {
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final int BATCH = 512;

  private final RowFinisher finisher;
  private final int capacity;
  private final ArrayDeque<DecidedRow> queue = new ArrayDeque<>();
  private final ArrayDeque<StreamedRows> streamed = new ArrayDeque<>();
  private final Duty duty;
  private boolean closing;

  public FinishDuty(PercolatorContext around, RowFinisher finisher) {
    this.finisher = finisher;
    this.capacity = around.options().duties().finishQueue();
    this.duty = Duty.start(around.seams(), "braid-finish", IDLE, this::finishSome);
  }

  /** Queues rows, or finishes them at once if the queue is full. */
  public void finish(List<DecidedRow> rows) {
    if (rows.isEmpty()) {
      return;
    }
    if (enqueue(rows)) {
      duty.wake();
    } else {
      finisher.finish(rows);
    }
  }

  /** Queues the rows of a transaction that does not remember them. */
  void finish(StreamedRows rows) {
    synchronized (queue) {
      if (!closing && capacity > 0) {
        streamed.add(rows);
      }
    }
    if (capacity > 0) {
      duty.wake();
    } else {
      rows.finishAll();
    }
  }

  private boolean enqueue(List<DecidedRow> rows) {
    synchronized (queue) {
      if (closing || queue.size() + rows.size() > capacity) {
        return false;
      }
      return queue.addAll(rows);
    }
  }

  /** Finishes a batch; returns whether there was one. */
  public boolean finishSome() {
    List<DecidedRow> batch = take();
    finisher.finish(batch);
    return finishStreamed() || !batch.isEmpty();
  }

  /** Finishes a batch of a streamed transaction; a batch that fails stays. */
  private boolean finishStreamed() {
    StreamedRows rows;
    synchronized (queue) {
      rows = streamed.peek();
    }
    if (rows != null && !rows.finishSome()) {
      synchronized (queue) {
        streamed.remove();
      }
    }
    return rows != null;
  }

  private List<DecidedRow> take() {
    synchronized (queue) {
      List<DecidedRow> batch = new ArrayList<>(Math.min(BATCH, queue.size()));
      while (batch.size() < BATCH && !queue.isEmpty()) {
        batch.add(queue.remove());
      }
      return batch;
    }
  }

  /** Finishes the queue, then ends. */
  @Override
  public void close() {
    synchronized (queue) {
      closing = true;
    }
    duty.close();
  }
}
