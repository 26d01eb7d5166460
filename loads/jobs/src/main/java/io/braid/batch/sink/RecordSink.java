package io.braid.batch.sink;

import io.braid.batch.FailureCode;
import io.braid.batch.Workers;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.core.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Queues records and has a pool of workers write them (section 3: {@code
 * PNUTSThreadedOutputFormat}). Each record is tried a number of times separately; then it is logged
 * and left (4.1). When too many fail, the sink reports that and takes no more (4.2).
 */
public final class RecordSink {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final Seams seams;
  private final RecordWriter writer;
  private final SinkOptions options;
  private final Throttle throttle;
  private final SuccessWindow window;
  private final FailureLog log;
  private final BatchQueue queue;
  private final List<Task> workers = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Object counting = new Object();
  private Tally tally = new Tally(0, 0, 0, 0);
  private List<SinkRecord> batch = new ArrayList<>();
  private long batchBytes;

  /**
   * The outcome of records.
   *
   * @param kept left as others wrote them
   * @param rejected failed for good
   * @param left failed, and may yet succeed
   */
  public record Tally(long written, long kept, long rejected, long left) {
    Tally plus(Tally more) {
      return new Tally(
          written + more.written, kept + more.kept, rejected + more.rejected, left + more.left);
    }
  }

  /**
   * @param name shows in the names of its workers
   */
  public RecordSink(
      String name,
      Seams seams,
      RecordWriter writer,
      SinkOptions options,
      Throttle throttle,
      SuccessWindow window,
      FailureLog log) {
    this.seams = seams;
    this.writer = writer;
    this.options = options;
    this.throttle = throttle;
    this.window = window;
    this.log = log;
    this.queue = new BatchQueue(seams, options.workers() * 2);
    for (int i = 0; i < options.workers(); i++) {
      workers.add(seams.start(name + "-writer-" + i, this::work));
    }
  }

  /** Takes a record over; false when the sink takes no more. */
  public boolean put(SinkRecord record) {
    batch.add(record);
    batchBytes += record.bytes();
    return batch.size() < options.batchRecords() && batchBytes < SinkOptions.BATCH_BYTES
        ? isOpen()
        : flush();
  }

  /** Counts a record that was rejected before it came here; false when the sink takes no more. */
  public boolean rejected() {
    count(new Tally(0, 0, 1, 0));
    return isOpen();
  }

  private boolean isOpen() {
    return !window.isTripped() && failure.get() == null;
  }

  private boolean flush() {
    if (batch.isEmpty()) {
      return isOpen();
    }
    throttle.acquire(batch.size(), batchBytes);
    List<SinkRecord> full = batch;
    batch = new ArrayList<>(options.batchRecords());
    batchBytes = 0;
    return isOpen() && queue.put(full) && isOpen();
  }

  /**
   * Writes all records that were put, and ends the sink.
   *
   * @throws StoreException when the thread was interrupted: which records are written is not known
   *     then
   */
  public Tally finish() {
    flush();
    if (!close()) {
      queue.clear();
      throw new StoreException("The load was interrupted: resume it.");
    }
    return settled();
  }

  /** Drops the records that are not written yet. */
  public Tally abandon() {
    queue.clear();
    close();
    return settled();
  }

  /** Returns whether all workers have ended; not when the thread was interrupted. */
  private boolean close() {
    queue.close();
    return Workers.haveEnded(workers);
  }

  private Tally settled() {
    Throwable failed = failure.get();
    if (failed instanceof RuntimeException e) {
      throw e;
    }
    if (failed instanceof Error e) {
      throw e;
    }
    return tally();
  }

  /** Returns the outcome of the records so far. */
  public Tally tally() {
    synchronized (counting) {
      return tally;
    }
  }

  private void work() {
    try {
      for (List<SinkRecord> each = queue.take(); each != null; each = queue.take()) {
        if (!window.isTripped()) {
          write(each);
        }
      }
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      queue.clear();
      queue.close();
    }
  }

  private void write(List<SinkRecord> records) {
    Backoff backoff = new Backoff(seams, options.pause(), LONGEST_PAUSE);
    List<SinkRecord> pending = records;
    for (int attempt = 1; !pending.isEmpty(); attempt++) {
      long begun = seams.nanoTime();
      List<WriteResult> results = writer.write(pending);
      throttle.observe(pending.size(), seams.nanoTime() - begun);
      boolean last = attempt > options.retries() || window.isTripped();
      pending = settle(pending, results, attempt, last);
      if (!pending.isEmpty() && !backoff.pause()) {
        throw new StoreException("The load was interrupted: resume it.");
      }
    }
  }

  /** Counts and logs settled records; returns the records to try again. */
  private List<SinkRecord> settle(
      List<SinkRecord> records, List<WriteResult> results, int attempt, boolean last) {
    List<SinkRecord> again = new ArrayList<>(0);
    Tally settled = new Tally(0, 0, 0, 0);
    for (int i = 0; i < records.size(); i++) {
      if (results.get(i) instanceof WriteResult.Failed failed) {
        FailureCode code = failed.code();
        if (!code.permanent() && !last) {
          again.add(records.get(i));
          continue;
        }
        log.failed(records.get(i).raw(), code, attempt, failed.detail());
        settled = settled.plus(code.permanent() ? new Tally(0, 0, 1, 0) : new Tally(0, 0, 0, 1));
      } else {
        boolean kept = results.get(i) instanceof WriteResult.Written written && written.kept();
        settled = settled.plus(kept ? new Tally(0, 1, 0, 0) : new Tally(1, 0, 0, 0));
      }
    }
    count(settled);
    return again;
  }

  private void count(Tally more) {
    synchronized (counting) {
      tally = tally.plus(more);
    }
    window.count(more.written + more.kept, more.rejected, more.left);
  }
}
