package io.braid.batch.job;

import io.braid.batch.LoadContext;
import io.braid.batch.atomic.StageWriter;
import io.braid.batch.sink.IndexedWriter;
import io.braid.batch.sink.RecordWriter;
import io.braid.batch.sink.TableWriter;
import io.braid.batch.snapshot.ImportReport;
import io.braid.batch.snapshot.SnapshotImport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the records of a round are written: one by one, staged, or in snapshots. */
final class Writing implements Round.TaskWriters {
  static final String REPORT = "import.json";

  private final LoadContext context;
  private final Path directory;
  private final @Nullable RecordWriter shared;
  private final @Nullable SnapshotImport snapshots;

  /**
   * @param directory of the round
   * @param done its tasks that left a checkpoint
   */
  Writing(LoadContext context, JobSpec spec, Path directory, Set<Integer> done) throws IOException {
    this.context = context;
    this.directory = directory;
    LoadOptions options = spec.options();
    if (options.usesSnapshots()) {
      shared = null;
      snapshots =
          new SnapshotImport(
              context, directory, spec.table(), spec.start(), options.snapshot(), done);
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

  /** All tasks are done: waits until what they wrote is in the store. */
  void finish() throws IOException {
    if (snapshots != null) {
      snapshots.finish();
      JobFiles.replace(directory.resolve(REPORT), snapshots.report());
    }
  }

  /** Begins nothing more; the next run goes on. */
  void abandon() {
    if (snapshots != null) {
      snapshots.abandon();
    }
  }

  static Optional<ImportReport> report(Path round) throws IOException {
    return JobFiles.read(round.resolve(REPORT), ImportReport.class);
  }
}
