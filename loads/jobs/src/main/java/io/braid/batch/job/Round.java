package io.braid.batch.job;

import io.braid.batch.LoadContext;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RecordFormat;
import io.braid.batch.log.JobFiles;
import io.braid.batch.sink.FailureLog;
import io.braid.batch.sink.RecordSink;
import io.braid.batch.sink.RecordWriter;
import io.braid.batch.sink.SuccessWindow;
import io.braid.batch.sink.Throttle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * One pass over an input: the files of the job, or the records that the previous round left for
 * retry. Its directory holds the division and a directory for each attempt, whose logs say which
 * tasks are done.
 *
 * @param cancelled whether the end of the job was requested
 */
record Round(
    LoadContext context,
    JobSpec spec,
    Path directory,
    Division division,
    TaskWriters writers,
    Throttle throttle,
    BooleanSupplier cancelled) {
  static final String CHECKPOINTS = "checkpoint.jsonl";
  static final String SHORT_CIRCUITS = "short-circuit.jsonl";
  static final String UNREAD = "unread.jsonl";

  /** The known state of the tasks, over all attempts: the last report on each task counts. */
  record State(
      Map<Integer, Checkpoint> done,
      Map<Integer, UnreadPart> unread,
      Map<Integer, Integer> attemptOf,
      int attempts) {
    RecordCounts counts() {
      RecordCounts counts = RecordCounts.EMPTY;
      for (Checkpoint each : done.values()) {
        counts = counts.plus(each.counts());
      }
      for (UnreadPart each : unread.values()) {
        counts = counts.plus(each.counts());
      }
      return counts;
    }
  }

  /** Provides the writers for the records of tasks. */
  interface TaskWriters {
    RecordWriter of(InputTask task);

    /**
     * Returns the expected seconds of the work after reading.
     *
     * @param share of the records that are read
     * @param reading seconds that all of it is expected to take
     */
    default double after(double share, double reading) {
      return 0;
    }
  }

  /**
   * Returns whether the round reads records that an earlier round left: then most of them may be
   * wrong for good.
   */
  boolean isRetry() {
    return isRetry(directory);
  }

  static boolean isRetry(Path round) {
    return !round.endsWith("round-0");
  }

  RecordSink sink(InputTask task, RecordWriter writer, SuccessWindow window, FailureLog log) {
    return new RecordSink(
        "braid-load-" + task.name(),
        context.seams(),
        writer,
        spec.options().sink(),
        throttle,
        window,
        log);
  }

  Set<Long> superseded(InputTask task) throws IOException {
    return new SupersededFile(directory.resolve("superseded")).of(task);
  }

  boolean isCancelled() {
    return cancelled.getAsBoolean();
  }

  Path attempt(int number) {
    return directory.resolve("attempt-" + number);
  }

  /** Reads the logs of all attempts. */
  static State state(Path directory) throws IOException {
    Map<Integer, Checkpoint> done = new TreeMap<>();
    Map<Integer, UnreadPart> unread = new TreeMap<>();
    Map<Integer, Integer> attemptOf = new TreeMap<>();
    int attempts = 0;
    while (java.nio.file.Files.isDirectory(directory.resolve("attempt-" + (attempts + 1)))) {
      attempts++;
      Path attempt = directory.resolve("attempt-" + attempts);
      for (UnreadPart each : JobFiles.readLog(attempt.resolve(UNREAD), UnreadPart.class)) {
        unread.put(each.task(), each);
        attemptOf.put(each.task(), attempts);
      }
      for (Checkpoint each : JobFiles.readLog(attempt.resolve(CHECKPOINTS), Checkpoint.class)) {
        done.put(each.task(), each);
        unread.remove(each.task());
        attemptOf.put(each.task(), attempts);
      }
    }
    return new State(done, unread, attemptOf, attempts);
  }

  /**
   * Returns groups of files whose records go to one retry log, in the form of these files. Files
   * that are not text have a schema each, hence a log each.
   */
  static List<List<Integer>> groups(Division division) {
    Map<List<Object>, List<Integer>> groups = new LinkedHashMap<>();
    for (int i = 0; i < division.files().size(); i++) {
      InputFile file = division.files().get(i);
      RecordFormat format = file.format();
      List<Object> kind =
          format.isText()
              ? List.of(format, format == RecordFormat.CSV ? file.header() : List.of())
              : List.of(format, i);
      groups.computeIfAbsent(kind, k -> new ArrayList<>()).add(i);
    }
    return List.copyOf(groups.values());
  }
}
