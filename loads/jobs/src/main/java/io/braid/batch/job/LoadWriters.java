package io.braid.batch.job;

import io.braid.batch.LoadContext;
import io.braid.batch.atomic.StageWriter;
import io.braid.batch.log.JobFiles;
import io.braid.batch.sink.IndexedWriter;
import io.braid.batch.sink.RecordWriter;
import io.braid.batch.sink.TableWriter;
import io.braid.batch.snapshot.ImportReport;
import io.braid.batch.snapshot.SnapshotImport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the records of a round: one by one, staged, or in snapshots. */
final class LoadWriters implements Round.TaskWriters {
  static final String REPORT = "import.json";

  /** A load of a few records spends almost only a fixed time after reading. */
  private static final double MOST_SHARE = 0.95;

  private final LoadContext context;
  private final Path directory;
  private final double share;
  private double expected;
  private final @Nullable RecordWriter shared;
  private final @Nullable SnapshotImport snapshots;

  /**
   * @param directory of the round
   * @param done its tasks that left a checkpoint
   * @param share of the work after reading in the whole load, as expected
   */
  LoadWriters(
      LoadContext context, JobSpec spec, Path directory, Set<Integer> done, OptionalDouble share)
      throws IOException {
    this.context = context;
    this.share = Math.min(MOST_SHARE, share.orElse(measured(spec.options())));
    this.directory = directory;
    LoadOptions options = spec.options();
    if (options.usesSnapshots()) {
      shared = null;
      snapshots =
          new SnapshotImport(
              context, directory, spec.table(), spec.start(), options.snapshot(), done, this.share);
    } else {
      snapshots = null;
      shared =
          options.atomic()
              ? new StageWriter(context, spec.id(), spec.start(), options.conflicts())
              : new TableWriter(context, spec.start(), options.conflicts());
    }
  }

  @Override
  public RecordWriter of(InputTask task) {
    SnapshotImport into = snapshots;
    return into == null
        ? java.util.Objects.requireNonNull(shared)
        : new IndexedWriter(context, into.writer(task.number(), task.file()));
  }

  /** On two cores: imports, index rows, syncs and the commit. */
  private static double measured(LoadOptions options) {
    if (!options.usesSnapshots()) {
      return options.atomic() ? 0.45 : 0;
    }
    return switch (options.snapshot().algorithm()) {
      case HADOOP_SORT -> 0.35;
      case IMPORT_SORT -> 0.3;
      default -> 0.2;
    };
  }

  @Override
  public double after(double read, double reading) {
    expected = snapshots == null ? reading * share / (1 - share) : snapshots.after(read, reading);
    return expected;
  }

  /**
   * Called when all tasks are done: waits until their output is in the store.
   *
   * @param records that were read
   */
  void finish(long records, JobView view) throws IOException {
    if (snapshots != null) {
      long from = context.seams().nanoTime();
      snapshots.finish(
          expected,
          (done, left) ->
              view.progress(
                  new JobView.Progress(
                      JobView.IMPORT,
                      records,
                      Math.round(done * records),
                      0,
                      1,
                      0,
                      context.seams().nanoTime() - from,
                      left)));
      JobFiles.replace(directory.resolve(REPORT), snapshots.report());
    }
  }

  /** Begins no more work; the next run continues it. */
  void abandon() {
    if (snapshots != null) {
      snapshots.abandon();
    }
  }

  static Optional<ImportReport> report(Path round) throws IOException {
    return JobFiles.read(round.resolve(REPORT), ImportReport.class);
  }
}
