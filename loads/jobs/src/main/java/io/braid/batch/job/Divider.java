package io.braid.batch.job;

import io.braid.batch.JobException;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordReader;
import io.braid.batch.input.WholeReader;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.mapping.RecordMapper;
import io.braid.batch.mapping.RejectedException;
import io.braid.batch.snapshot.Algorithm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the input once before the load: finds where records begin, cuts tasks there, counts
 * records, and finds keys that occur more than once. A part that cannot be read is left to a task,
 * which reports the error. If keys are checked, such a part fails the division: an unseen key could
 * be the last.
 */
final class Divider {
  /** A task for less is not worth its while. */
  private static final long LEAST_TASK_BYTES = 1 << 20;

  private final LoadOptions options;
  private final LongConsumer progress;
  private final boolean check;
  private final List<InputTask> tasks = new ArrayList<>();
  private final List<InputFile> seen = new ArrayList<>();
  private long records;
  private long bytes;
  private long taskBytes;

  /** The division, and the records that later ones supersede. */
  record Result(Division division, List<KeyCensus.Position> superseded) {}

  /**
   * @param progress receives the number of records seen
   * @param check whether to find keys that occur more than once
   */
  Divider(LoadOptions options, LongConsumer progress, boolean check) {
    this.options = options;
    this.progress = progress;
    this.check = check;
  }

  /** Returns whether a load has to look for keys that come more than once before it writes. */
  static boolean isLookNeeded(LoadOptions options) {
    // A sort that sees all records of a tablet at once finds later records with the same key.
    boolean sorted = options.snapshot().algorithm() == Algorithm.HADOOP_SORT;
    return options.duplicates() == Duplicates.FAIL
        || options.duplicates() == Duplicates.LAST && !sorted;
  }

  Result divide(List<InputFile> files, Mapping mapping, Path scratch) throws IOException {
    long size = files.stream().mapToLong(InputFile::bytes).sum();
    // If the input is smaller than the tasks that may run at a time, each task has a share.
    taskBytes =
        Math.min(options.taskBytes(), Math.max(LEAST_TASK_BYTES, size / options.parallel() + 1));
    try (KeyCensus census = new KeyCensus(scratch, size)) {
      for (int i = 0; i < files.size(); i++) {
        InputFile file = files.get(i);
        long checksum = divide(i, file, new RecordMapper(mapping, file), census);
        seen.add(file.of(checksum));
      }
      List<KeyCensus.Position> superseded = check ? census.superseded() : List.of();
      return new Result(new Division(seen, tasks, records, bytes, superseded.size()), superseded);
    }
  }

  /** The checksum of the file; 0 if it could not be read to its end. */
  private long divide(int number, InputFile file, RecordMapper mapper, KeyCensus census)
      throws IOException {
    long checksum = 0;
    long from = file.begin();
    long at = from;
    long end = InputTask.END;
    try (WholeReader reader = open(file)) {
      for (RawRecord record = next(reader); record != null; record = next(reader)) {
        if (reader.cut() - at >= taskBytes) {
          tasks.add(new InputTask(tasks.size() + 1, number, from, record.offset(), at));
          from = record.offset();
          at = reader.cut();
        }
        if (check) {
          count(record, number, mapper, census);
        }
        if ((++records & 0xFFFF) == 0) {
          progress.accept(records);
        }
        end = reader.position();
      }
      end = Math.max(file.begin(), reader.position());
      bytes += file.format().isText() ? end - file.begin() : file.bytes();
      checksum = checksum(reader);
    } catch (UncheckedIOException e) {
      if (check) {
        throw new JobException(
            file.path()
                + " cannot be read behind position "
                + Math.max(file.begin(), end == InputTask.END ? 0 : end)
                + ", so it is unknown which of its keys come again: "
                + e.getMessage()
                + ". Nothing was written. Resume the job when it can be read, leave the file out,"
                + " or say --duplicates unchecked.",
            e);
      }
      end = InputTask.END;
    }
    if (end > from) {
      tasks.add(new InputTask(tasks.size() + 1, number, from, end, at));
    }
    return checksum;
  }

  private static long checksum(WholeReader reader) {
    try {
      return reader.checksum();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static WholeReader open(InputFile file) {
    try {
      return file.readWhole();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /**
   * Reads a record. The kind of an exception tells errors of the input from those of the census.
   */
  private static @Nullable RawRecord next(RecordReader reader) {
    try {
      return reader.next();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static void count(RawRecord record, int number, RecordMapper mapper, KeyCensus census)
      throws IOException {
    try {
      census.add(mapper.key(record), number, record.offset());
    } catch (RejectedException e) {
      // The task that reads it will log it.
    }
  }
}
