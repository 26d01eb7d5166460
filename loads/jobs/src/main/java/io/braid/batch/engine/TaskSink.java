package io.braid.batch.engine;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.input.RawRecord;
import io.braid.batch.sink.Rate;
import io.braid.batch.sink.RecordSink;
import io.braid.batch.sink.RecordWriter;
import io.braid.batch.sink.SinkOptions;
import io.braid.batch.sink.SinkRecord;
import io.braid.batch.sink.SuccessWindow;
import io.braid.batch.sink.Throttle;
import io.braid.core.cells.CellWrite;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The sink of a task of an engine: a queue and threads that write in batches (section 3: {@code
 * PNUTSThreadedOutputFormat}). A record that cannot be written fails the task, which the engine
 * runs again; nothing is left out silently. For one thread at a time.
 */
public final class TaskSink implements AutoCloseable {
  private static final int BATCH = 200;
  private static final int RETRIES = 10;
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final LoadContext database;
  private final String table;
  private final RecordSink sink;
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
  private long records;
  private boolean ended;

  TaskSink(LoadContext database, String name, String table, int workers, RecordWriter writer) {
    this.database = database;
    this.table = table;
    this.sink =
        new RecordSink(
            name,
            database.seams(),
            writer,
            new SinkOptions(workers, BATCH, RETRIES, PAUSE),
            new Throttle(database.seams(), Rate.parse("none")),
            new SuccessWindow(database.seams(), WINDOW, 0.9),
            (record, code, attempts, detail) ->
                failure.compareAndSet(null, code + " after " + attempts + " attempts: " + detail));
  }

  /**
   * Queues a row; null deletes a column.
   *
   * @throws JobException when the row cannot be written, or an earlier one was not
   * @throws IllegalArgumentException when key or values are too large
   */
  public void put(Bytes key, Map<ColumnName, @Nullable Bytes> values) {
    put(key, database.cells(new Row(table, key), values, true));
  }

  /** Queues a row whose cells already exist. */
  void put(Bytes key, List<CellWrite> cells) {
    boolean open =
        sink.put(new SinkRecord(new RawRecord(records++, Bytes.EMPTY), new Row(table, key), cells));
    if (!open || failure.get() != null) {
      throw failed();
    }
  }

  private JobException failed() {
    return new JobException("A record was not written to table " + table + ": " + failure.get());
  }

  /**
   * Waits until all that was put is written.
   *
   * @return how many rows that were
   * @throws JobException when some were not
   */
  public long finish() {
    ended = true;
    RecordSink.Tally tally = sink.finish();
    if (failure.get() != null || tally.rejected() + tally.left() > 0) {
      throw failed();
    }
    return records;
  }

  /** Drops the rows that are not written yet, unless the sink was finished. */
  @Override
  public void close() {
    if (!ended) {
      ended = true;
      sink.abandon();
    }
  }
}
