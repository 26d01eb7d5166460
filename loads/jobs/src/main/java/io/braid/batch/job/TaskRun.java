package io.braid.batch.job;

import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordReader;
import io.braid.batch.mapping.RecordMapper;
import io.braid.batch.mapping.RejectedException;
import io.braid.batch.sink.RecordSink;
import io.braid.batch.sink.RecordWriter;
import io.braid.batch.sink.SinkRecord;
import io.braid.batch.sink.SuccessWindow;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** One try of one task, from its first record to its last, or to the place where it had to end. */
final class TaskRun {
  private static final long LOOK_NANOS = Duration.ofMillis(500).toNanos();

  private final Round round;
  private final InputTask task;
  private final InputFile file;
  private final RecordMapper mapper;
  private final Path directory;
  private final SuccessWindow window;
  private final AtomicLong read;
  private long position;
  private long duplicates;

  /** The time of the last check for a cancelled job, by the clock of the process. */
  private long looked;

  /** The way in which a task ended. */
  enum End {
    DONE,
    SHORT_CIRCUITED,
    UNREADABLE,
    CANCELLED
  }

  /**
   * The result of a task.
   *
   * @param at the place up to which the task read
   */
  record Result(End end, RecordCounts counts, long at, String why) {}

  /**
   * @param read receives the number of records read, for watchers
   */
  TaskRun(Round round, InputTask task, Path directory, AtomicLong read) {
    this.round = round;
    this.task = task;
    this.file = round.division().file(task);
    this.mapper = new RecordMapper(round.spec().mapping(), file);
    this.directory = directory;
    this.read = read;
    LoadOptions options = round.spec().options();
    this.window =
        new SuccessWindow(
            round.context().seams(),
            Duration.ofMillis(options.windowMillis()),
            options.leastSuccess(),
            round.isRetry());
    this.position = task.from();
    this.looked = round.context().seams().nanoTime();
  }

  Result run() throws IOException {
    try (TaskLogs logs = new TaskLogs(directory, task, file)) {
      RecordWriter writer = round.writers().of(task);
      RecordSink sink = round.sink(task, writer, window, logs);
      End end = End.DONE;
      String why = "";
      try (RecordReader reader = file.read(task.from(), task.to(), task.at())) {
        end = readAll(reader, sink, logs);
      } catch (IOException e) {
        end = End.UNREADABLE;
        why = String.valueOf(e.getMessage());
      } catch (RuntimeException | Error e) {
        sink.abandon();
        throw e;
      }
      RecordSink.Tally tally =
          end == End.DONE || end == End.UNREADABLE ? sink.finish() : sink.abandon();
      if (window.isTripped()) {
        end = End.SHORT_CIRCUITED;
        why = window.why();
      }
      if (end == End.DONE || end == End.UNREADABLE) {
        writer.finish();
      }
      return new Result(end, counts(tally), position, why);
    }
  }

  private RecordCounts counts(RecordSink.Tally tally) {
    return new RecordCounts(
        read.get(), tally.written(), tally.kept(), duplicates, tally.rejected(), tally.left());
  }

  private End readAll(RecordReader reader, RecordSink sink, TaskLogs logs) throws IOException {
    Set<Long> superseded = round.superseded(task);
    for (RawRecord record = reader.next(); record != null; record = reader.next()) {
      read.incrementAndGet();
      boolean open = true;
      if (superseded.contains(record.offset())) {
        duplicates++;
      } else {
        open = put(record, sink, logs);
      }
      position = reader.position();
      if (!open) {
        return End.SHORT_CIRCUITED;
      }
      if (isTimeToLook() && round.isCancelled()) {
        return End.CANCELLED;
      }
    }
    return End.DONE;
  }

  /** Returns whether enough time has passed: at a low rate, a few records take minutes. */
  private boolean isTimeToLook() {
    long now = round.context().seams().nanoTime();
    boolean due = now - looked >= LOOK_NANOS;
    looked = due ? now : looked;
    return due;
  }

  private boolean put(RawRecord record, RecordSink sink, TaskLogs logs) {
    SinkRecord mapped;
    try {
      mapped =
          mapper.map(
              record, round.context(), round.spec().table(), round.spec().options().observe());
    } catch (RejectedException e) {
      logs.failed(record, e.code(), 0, e.detail());
      return sink.rejected();
    }
    return sink.put(mapped);
  }
}
