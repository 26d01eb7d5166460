package io.braid.batch.job;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.atomic.AtomicLoad;
import io.braid.batch.atomic.Publication;
import io.braid.batch.log.JobFiles;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.snapshot.ImportReport;
import io.braid.batch.snapshot.Reclaim;
import io.braid.batch.snapshot.VeiledLoad;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.loads.LoadState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The end of a job: visible, given up, or left as it is; each step may be repeated. */
final class JobEnding {
  private final LoadContext context;
  private final JobDirectory directory;
  private final JobSpec spec;

  JobEnding(LoadContext context, JobDirectory directory, JobSpec spec) {
    this.context = context;
    this.directory = directory;
    this.spec = spec;
  }

  /** Makes a load visible that becomes so as a whole, and ends the job. */
  void publish(int number, RecordCounts counts) throws IOException {
    directory.write(state(JobState.Phase.STAGED, number, counts, "to be committed"));
    Publication load = publication();
    long commit = noting(number, counts, "The commit did not come to its end: ", load::commit);
    notePause(number);
    String committed = "committed at " + commit + ", to be settled";
    directory.write(state(JobState.Phase.STAGED, number, counts, committed));
    noting(number, counts, committed + ": ", load::settle);
    end(JobState.Phase.DONE, number, kept(counts), "committed at " + commit);
    directory.removeSnapshots();
  }

  private Path keptFile() {
    return directory.path().resolve("kept.json");
  }

  /**
   * Returns the record counts with the records that gave way to other writers' records between the
   * beginning of the load and its commit.
   */
  private RecordCounts kept(RecordCounts counts) throws IOException {
    Optional<Long> rows = JobFiles.read(keptFile(), Long.class);
    return rows.isPresent() ? counts.keeping(rows.get()) : counts;
  }

  private void noteKept(long rows) {
    try {
      JobFiles.replace(keptFile(), rows);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes a step. Writes the reason of a failure to the state, for users other than the caller. */
  private long noting(int number, RecordCounts counts, String what, LongSupplier step)
      throws IOException {
    try {
      return step.getAsLong();
    } catch (RuntimeException e) {
      try {
        directory.write(state(JobState.Phase.STAGED, number, counts, what + e.getMessage()));
      } catch (IOException | RuntimeException unwritten) {
        e.addSuppressed(unwritten);
      }
      throw e;
    }
  }

  private void notePause(int number) throws IOException {
    Path round = directory.round(number);
    Optional<ImportReport> report = LoadWriters.report(round);
    if (report.isPresent()) {
      double millis = context.store().takeLongestPause() / 1e6;
      JobFiles.replace(round.resolve(LoadWriters.REPORT), report.get().withPause(millis));
    }
  }

  /** Takes back the output of a load that becomes visible as a whole. */
  void giveUp() throws IOException {
    if (!spec.options().whole()) {
      return;
    }
    boolean files = spec.options().usesSnapshots();
    if (files ? mayBeVeiled() : mayBeStaged()) {
      Publication load = publication();
      load.begin();
      if (!load.abort()) {
        throw new JobException(
            "Load " + spec.id() + " has committed: 'braid job resume' takes it to its end.");
      }
      load.settle();
      if (files) {
        Reclaim reclaim = new Reclaim(context, spec.table(), spec.start());
        for (int n = 0; n <= directory.state().round(); n++) {
          reclaim.run(directory.round(n));
        }
      }
    }
    if (files) {
      directory.removeSnapshots();
    }
  }

  /**
   * Returns false for a table that is gone, or was created since: the table has nothing of the
   * load, and no veil is put up.
   */
  private boolean mayBeVeiled() {
    return context.store().table(spec.table()).isPresent()
        && context.store().birth(spec.table()) <= spec.start();
  }

  /** An earlier load may have had the id; then this one never began. */
  private boolean mayBeStaged() {
    LoadState stands = LoadDecisions.look(context.store(), spec.id());
    return stands == null || stands.start() == spec.start();
  }

  Publication publication() {
    if (spec.options().usesSnapshots()) {
      return new VeiledLoad(
          context,
          spec.id(),
          spec.table(),
          spec.start(),
          spec.options().conflicts() == Conflicts.LOAD,
          Duration.ofMillis(spec.options().drainMillis()),
          this::noteKept);
    }
    return new AtomicLoad(
        context,
        spec.id(),
        spec.table(),
        spec.start(),
        spec.options().conflicts(),
        Duration.ofMillis(spec.options().drainMillis()),
        this::noteKept);
  }

  void end(JobState.Phase phase, int number, RecordCounts counts, String why) throws IOException {
    directory.write(state(phase, number, counts, why));
    context.transactions().unpin(spec.pin());
    if (context.store().table(spec.table()).isPresent()) {
      context.store().forgetWrites(spec.table());
    }
    for (int n = 0; n <= number; n++) {
      Reduction.removeAll(directory.round(n));
    }
  }

  JobState state(JobState.Phase phase, int number, RecordCounts counts, String why) {
    return new JobState(phase, number, counts, why, context.seams().wallMillis());
  }
}
