package io.braid.batch.job;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.Parallel;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordReader;
import io.braid.batch.input.UnreadableInputException;
import io.braid.batch.log.JobFiles;
import io.braid.batch.mapping.RecordMapper;
import io.braid.batch.mapping.RejectedException;
import io.braid.batch.reduce.MergedRuns;
import io.braid.batch.reduce.RecordReducer;
import io.braid.batch.reduce.Reducers;
import io.braid.batch.reduce.RunSorter;
import io.braid.batch.sink.SuccessWindow;
import io.braid.core.runtime.DurableFiles;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes one record of all that have the same key, before a round writes anything. Tasks sort their
 * part of the input into runs. Each partition of the keys is merged, reduced, and written to a file
 * of JSON Lines, which the round then loads. Finished tasks and partitions leave a checkpoint
 * (section 4.3), and the next attempt does only the others.
 *
 * <pre>
 * round-0/reduce/  plan.json  mapped.jsonl  reduced.jsonl  task-00001.1.p0.run  part-00000.jsonl
 * </pre>
 */
final class Reduction {
  private static final String MAPPED = "mapped.jsonl";
  private static final String REDUCED = "reduced.jsonl";
  private static final String PLAN = "plan.json";
  private static final String LOGS = "-input";
  private static final long PARTITION_BYTES = 256L << 20;
  private static final int MOST_PARTITIONS = 64;
  private static final int FAN_IN = 64;
  private static final long LOOK_EVERY = 0x3FF;

  private final LoadContext context;
  private final JobSpec spec;
  private final Path round;
  private final Path directory;
  private final boolean retry;
  private final BooleanSupplier cancelled;
  private final AtomicLong seen = new AtomicLong();
  private final Object logs = new Object();

  /** The division of the input; made once. */
  record Plan(Division division, int partitions) {}

  /** A task has sorted its records. */
  record MapResult(int task, long read, long rejected, List<String> runs) {
    MapResult {
      runs = List.copyOf(runs);
    }
  }

  /**
   * A partition is reduced.
   *
   * @param records that it had
   * @param keys that these had, each a record of its file; of none there is no file
   */
  record ReduceResult(int partition, long records, long keys) {}

  /** The end of the job was requested. */
  static final class CancelledException extends RuntimeException {
    CancelledException() {
      super("The job was cancelled.");
    }
  }

  Reduction(LoadContext context, JobSpec spec, Path round, BooleanSupplier cancelled) {
    this.context = context;
    this.spec = spec;
    this.round = round;
    this.directory = directory(round);
    this.retry = Round.isRetry(round);
    this.cancelled = cancelled;
  }

  private static Path directory(Path round) {
    return round.resolve("reduce");
  }

  /**
   * Reduces, or continues an earlier run.
   *
   * @return the files of reduced records
   * @throws JobException when input cannot be read, or too much of it is wrong: nothing is written
   */
  List<Path> run(List<InputFile> files, JobView view) throws IOException {
    DurableFiles.createDirectories(directory);
    Plan plan = plan(files);
    Runnable watcher =
        () -> view.progress(new JobView.Progress("reduce", seen.get(), seen.get(), 0, 0, 0, 0));
    map(plan, watcher);
    mergeLogs(plan);
    reduce(plan, watcher);
    return parts();
  }

  private Plan plan(List<InputFile> files) throws IOException {
    Optional<Plan> before = JobFiles.read(directory.resolve(PLAN), Plan.class);
    if (before.isPresent()) {
      Division found = before.get().division.foundIn(job());
      return new Plan(found.requireUnchanged(), before.get().partitions);
    }
    Divider divider = new Divider(spec.options(), seen -> {}, false);
    Path census = directory.resolve("census");
    Division division = divider.divide(files, spec.mapping(), census).division();
    Files.deleteIfExists(census);
    long most = Math.min(MOST_PARTITIONS, 1 + division.bytes() / PARTITION_BYTES);
    Plan plan = new Plan(division, (int) Math.max(most, spec.options().parallel()));
    JobFiles.replace(directory.resolve(PLAN), new Plan(division.keptIn(job()), plan.partitions));
    return plan;
  }

  private Path job() {
    return java.util.Objects.requireNonNull(round.getParent());
  }

  private List<MapResult> mapped() throws IOException {
    return JobFiles.readLog(directory.resolve(MAPPED), MapResult.class);
  }

  private static List<ReduceResult> reduced(Path round) throws IOException {
    return JobFiles.readLog(directory(round).resolve(REDUCED), ReduceResult.class);
  }

  private void append(String log, Object entry) throws IOException {
    synchronized (logs) {
      JobFiles.append(directory.resolve(log), entry);
    }
  }

  private void map(Plan plan, Runnable watcher) throws IOException {
    Set<Integer> done = mapped().stream().map(MapResult::task).collect(Collectors.toSet());
    List<Parallel.Piece> pieces = new ArrayList<>();
    for (InputTask task : plan.division.tasks()) {
      if (!done.contains(task.number())) {
        pieces.add(() -> map(plan, task));
      }
    }
    Parallel.run(context.seams(), "braid-shuffle", spec.options().parallel(), pieces, watcher);
  }

  /** Tries a task again while its input cannot be read. */
  private void map(Plan plan, InputTask task) throws IOException {
    InputFile file = plan.division.file(task);
    for (int n = 1; ; n++) {
      try {
        append(MAPPED, mapOnce(plan, task, file));
        return;
      } catch (UnreadableInputException e) {
        if (n == spec.options().inputTries()) {
          throw new JobException(
              "The input cannot be read, so its records cannot be reduced, and nothing was written:"
                  + " "
                  + e.getMessage()
                  + " Mend it and resume the job, or cancel it.",
              e);
        }
      }
    }
  }

  private MapResult mapOnce(Plan plan, InputTask task, InputFile file) throws IOException {
    LoadOptions options = spec.options();
    RecordMapper mapper = new RecordMapper(spec.mapping(), file);
    RecordReducer reducer = Reducers.parse(options.reducer(), spec.mapping());
    RunSorter sorter =
        new RunSorter(
            directory,
            task.name(),
            spec.table(),
            plan.partitions,
            options.snapshot().memoryBytes());
    SuccessWindow window =
        new SuccessWindow(
            context.seams(),
            Duration.ofMillis(options.windowMillis()),
            options.leastSuccess(),
            retry);
    long read = 0;
    long rejected = 0;
    try (TaskLogs failures = new TaskLogs(directory, task, file);
        RecordReader reader = open(file, task)) {
      for (RawRecord record = next(reader); record != null; record = next(reader)) {
        read++;
        seen.incrementAndGet();
        boolean good = sort(record, task, mapper, reducer, sorter, failures);
        rejected += good ? 0 : 1;
        if (window.count(good ? 1 : 0, good ? 0 : 1, 0)) {
          throw new JobException(
              "Too much of the input is wrong, and nothing was written: "
                  + window.why()
                  + ". The first failures are in "
                  + directory
                  + ".");
        }
        if ((read & LOOK_EVERY) == 0 && cancelled.getAsBoolean()) {
          throw new CancelledException();
        }
      }
      return new MapResult(task.number(), read, rejected, sorter.finish());
    }
  }

  private static RecordReader open(InputFile file, InputTask task) throws IOException {
    try {
      return file.read(task.from(), task.to(), task.at());
    } catch (UnreadableInputException e) {
      throw e;
    } catch (IOException e) {
      throw new UnreadableInputException(file.path() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads a record. The kind of an exception tells errors of the input from those of the job's
   * directory.
   */
  private static @org.jspecify.annotations.Nullable RawRecord next(RecordReader reader)
      throws IOException {
    try {
      return reader.next();
    } catch (UnreadableInputException e) {
      throw e;
    } catch (IOException e) {
      throw new UnreadableInputException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns whether the record may be reduced. */
  private boolean sort(
      RawRecord record,
      InputTask task,
      RecordMapper mapper,
      RecordReducer reducer,
      RunSorter sorter,
      TaskLogs failures)
      throws IOException {
    try {
      Map<String, String> fields = mapper.fields(record);
      mapper.map(record, context, spec.table(), spec.options().observe());
      reducer.check(fields);
      sorter.add(mapper.key(record), task.file(), record.offset(), fields);
      return true;
    } catch (RejectedException e) {
      failures.failed(record, e.code(), 0, e.detail());
      return false;
    }
  }

  private void mergeLogs(Plan plan) throws IOException {
    Map<Integer, Path> all = new TreeMap<>();
    plan.division.tasks().forEach(task -> all.put(task.number(), directory));
    new MergedLogs(plan.division).write(round, LOGS, all);
  }

  private void reduce(Plan plan, Runnable watcher) throws IOException {
    Set<Integer> done =
        reduced(round).stream().map(ReduceResult::partition).collect(Collectors.toSet());
    Map<Integer, List<Path>> runs = new HashMap<>();
    for (MapResult task : mapped()) {
      for (String run : task.runs) {
        for (int p = 0; p < plan.partitions; p++) {
          if (RunSorter.isOf(run, p)) {
            runs.computeIfAbsent(p, x -> new ArrayList<>()).add(directory.resolve(run));
          }
        }
      }
    }
    List<Parallel.Piece> pieces = new ArrayList<>();
    for (int p = 0; p < plan.partitions; p++) {
      int partition = p;
      if (!done.contains(p) && runs.containsKey(p)) {
        pieces.add(
            () -> append(REDUCED, reduce(partition, runs.getOrDefault(partition, List.of()))));
      }
    }
    Parallel.run(context.seams(), "braid-reduce", spec.options().parallel(), pieces, watcher);
  }

  private ReduceResult reduce(int partition, List<Path> runs) throws IOException {
    RecordReducer reducer = Reducers.parse(spec.options().reducer(), spec.mapping());
    RecordMapper mapper = new RecordMapper(spec.mapping());
    Path part =
        directory.resolve(String.format(java.util.Locale.ROOT, "part-%05d.jsonl", partition));
    Path fresh = part.resolveSibling(part.getFileName() + ".new");
    long keys = 0;
    long records;
    try (MergedRuns merged = new MergedRuns(runs, spec.table(), FAN_IN);
        OutputStream out = new BufferedOutputStream(Files.newOutputStream(fresh), 1 << 16)) {
      for (MergedRuns.ReducedRecord each = merged.next(reducer);
          each != null;
          each = merged.next(reducer)) {
        if (!mapper.hasKey(each.fields(), each.key())) {
          throw new JobException(
              "The reducer has changed the key of records with the key " + each.key() + ".");
        }
        out.write(JobFiles.JSON.writeValueAsBytes(each.fields()));
        out.write('\n');
        if ((++keys & LOOK_EVERY) == 0 && cancelled.getAsBoolean()) {
          throw new CancelledException();
        }
      }
      records = merged.records();
    }
    DurableFiles.sync(fresh);
    DurableFiles.move(fresh, part);
    return new ReduceResult(partition, records, keys);
  }

  private List<Path> parts() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).matches("part-\\d+\\.jsonl"))
          .sorted()
          .toList();
    }
  }

  /** The round's division is made of the reduced files: the runs are of no use any more. */
  static void removeRuns(Path round) throws IOException {
    remove(round, ".run");
  }

  /** The job has ended. */
  static void removeAll(Path round) throws IOException {
    remove(round, ".run");
    remove(round, ".jsonl");
  }

  private static void remove(Path round, String ending) throws IOException {
    if (!Files.isDirectory(directory(round))) {
      return;
    }
    try (Stream<Path> files = Files.list(directory(round))) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        if (name.endsWith(ending) && !name.equals(MAPPED) && !name.equals(REDUCED)) {
          Files.delete(file);
        }
      }
    }
  }

  /**
   * Returns the record counts of a round that loads reduced records. They include records that were
   * merged into others, or rejected before.
   */
  static RecordCounts counts(Path round, RecordCounts loaded) throws IOException {
    long read = 0;
    long rejected = 0;
    long keys = 0;
    for (MapResult each : JobFiles.readLog(directory(round).resolve(MAPPED), MapResult.class)) {
      read += each.read;
      rejected += each.rejected;
    }
    for (ReduceResult each : reduced(round)) {
      keys += each.keys;
    }
    return loaded.plus(new RecordCounts(read - keys, 0, 0, read - rejected - keys, rejected, 0));
  }
}
