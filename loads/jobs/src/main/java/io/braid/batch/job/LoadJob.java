package io.braid.batch.job;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.atomic.AtomicLoad;
import io.braid.batch.input.InputFile;
import io.braid.batch.log.JobFiles;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.mapping.RecordMapper;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.snapshot.VeiledLoad;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.time.Lineage;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A load of files into a table that can be interrupted anywhere and continued (section 4). One
 * process at a time works on it; the next process finds the finished work in its directory. Begin
 * here.
 *
 * <pre>{@code
 * LoadJob job =
 *     LoadJob.create(
 *         db.loads(), Path.of("braid-jobs"), "nightly-7", "people", List.of(Path.of("people.csv")),
 *         Mapping.ofFamily(List.of("id"), "info"), LoadOptions.DEFAULT);
 * JobReport report = job.run(JobView.NONE); // after a crash: LoadJob.open(...).run(...)
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL)
public final class LoadJob {
  private static final int MOST_ROUNDS = 20;

  private final LoadContext context;
  private final JobDirectory directory;
  private final JobSpec spec;
  private final JobEnding ending;
  private final RoundRun rounds;

  private LoadJob(LoadContext context, JobDirectory directory, JobSpec spec) {
    this.context = context;
    this.directory = directory;
    this.spec = spec;
    this.ending = new JobEnding(context, directory, spec);
    this.rounds = new RoundRun(context, directory, spec, ending);
  }

  /**
   * Makes a job; nothing is written to the table yet.
   *
   * @param jobs the directory of all jobs
   * @param id names the job for good
   * @param table must exist, with the families of the mapping
   * @param inputs files; their names determine their formats, as for {@code braid load}
   * @throws IllegalArgumentException when the arguments do not fit together
   * @throws io.braid.core.store.UnknownTableException when the table, or a family that the mapping
   *     names, does not exist
   * @throws JobException when there is a job of this id, or the table cannot be loaded
   * @throws io.braid.batch.input.UnreadableInputException when a path does not exist, or is not a
   *     file
   */
  public static LoadJob create(
      LoadContext context,
      Path jobs,
      String id,
      String table,
      List<Path> inputs,
      Mapping mapping,
      LoadOptions options)
      throws IOException {
    JobDirectory directory = JobDirectory.of(jobs, id);
    JobChecks.requireFamilies(context, table, mapping);
    List<String> paths = new ArrayList<>();
    for (InputFile file : JobChecks.look(inputs)) {
      new RecordMapper(mapping, file);
      paths.add(file.path());
    }
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("Name at least one file to load.");
    }
    if (directory.exists()) {
      throw new JobException(
          "There is a job " + id + " already: resume it, or choose another id with --job.");
    }
    JobChecks.requireReducer(options, mapping);
    LoadPlanner.Plan plan =
        new LoadPlanner(context, options, jobs).plan(table, JobChecks.look(inputs));
    if (plan.options().usesSnapshots()) {
      boolean wins = options.conflicts() == Conflicts.LOAD;
      VeiledLoad.requireIndexes(context.loadable(), table, Timestamp.MAX, wins);
    }
    DurableFiles.createPrivateDirectories(directory.path());
    JobFiles.replace(directory.timingFile(), plan.timing());
    if (plan.options().whole() && options.conflicts() == Conflicts.NEWER) {
      context.store().rememberWrites(table, context.oracle()::next);
    }
    try (JobDirectory.Lock lock = directory.lock(context.seams());
        Snapshot begin = context.transactions().snapshot()) {
      if (directory.exists()) {
        throw new JobException("There is a job " + id + " already: another process made it.");
      }
      if (plan.options().whole()
          && !plan.options().usesSnapshots()
          && AtomicLoad.isTaken(context.store(), id)) {
        throw new JobException(
            "There was an atomic load " + id + " in this database before: choose another id.");
      }
      JobSpec spec =
          new JobSpec(
              id,
              table,
              paths,
              mapping,
              plan.options(),
              begin.timestamp(),
              context.seams().wallMillis(),
              lineage(context));
      Optional<String> left = directory.pin();
      left.ifPresent(context.transactions()::unpin);
      directory.writePin(spec.pin());
      context.transactions().pin(spec.pin(), spec.start());
      directory.write(spec);
      return new LoadJob(context, directory, spec);
    }
  }

  /**
   * Opens a job that was made before.
   *
   * @throws JobException when there is no job of this id, or it was made in another database
   */
  public static LoadJob open(LoadContext context, Path jobs, String id) throws IOException {
    JobDirectory directory = JobDirectory.of(jobs, id);
    return new LoadJob(context, directory, directory.spec().requireOf(lineage(context)));
  }

  private static String lineage(LoadContext context) {
    return Lineage.markOf(context.store(), context.seams().random());
  }

  /**
   * The expected result of a load.
   *
   * @param examples of records that would be rejected
   * @param unread the files that cannot be read, and why
   */
  public record DryRun(
      long read,
      long mapped,
      long duplicates,
      long rejected,
      int tasks,
      List<FailureEntry> examples,
      List<String> unread) {}

  /**
   * Reads and maps everything and writes nothing; throws the exceptions of {@link #create create}
   * about its input.
   */
  public static DryRun dryRun(
      LoadContext context, String table, List<Path> inputs, Mapping mapping, LoadOptions options)
      throws IOException {
    JobChecks.requireFamilies(context, table, mapping);
    JobChecks.requireReducer(options, mapping);
    return new Rehearsal(context, table, mapping, options).run(JobChecks.look(inputs));
  }

  /**
   * Refuses a job whose table was created after it: any rows that the job has written are gone.
   *
   * @throws JobException when the table was created after the job
   */
  public void requireSameTable() {
    JobChecks.requireSameTable(context, spec);
  }

  /** Returns the specification of the job. */
  public JobSpec spec() {
    return spec;
  }

  /** Returns the directory in which the job keeps its progress. */
  public JobDirectory directory() {
    return directory;
  }

  /**
   * Runs the job, or continues it: skips the work that is done. Returns when the job has ended, or
   * when a user has to decide: the phase of the report's state says which.
   *
   * @throws JobException when the job has ended, another process works on it, or its input has
   *     changed
   */
  public JobReport run(JobView view) throws IOException {
    try (JobDirectory.Lock lock = directory.lock(context.seams())) {
      JobState state = requireRunnable();
      if (state.phase() == JobState.Phase.STAGED) {
        ending.publish(state.round(), state.counts());
        return directory.report();
      }
      return rounds.run(state.round(), state.counts(), view);
    }
  }

  /**
   * Throws the exceptions that {@link #run run} would throw now.
   *
   * @throws JobException when there is nothing to do, or it may not be done
   */
  public JobState requireRunnable() throws IOException {
    JobState state = directory.state();
    JobChecks.requireOpen(state);
    if (state.phase() != JobState.Phase.STAGED) {
      context.loadable().require(spec.table());
      JobChecks.requireSameTable(context, spec);
      JobChecks.requireKept(context, spec);
    }
    return state;
  }

  /**
   * Throws the exceptions that {@link #retry retry} would throw now.
   *
   * @throws JobException when there is nothing to do, or it may not be done
   */
  public void requireRetryable() throws IOException {
    JobState state = directory.state();
    JobChecks.requireOpen(state);
    JobChecks.requireUndecided(spec, state);
    if (state.phase() == JobState.Phase.MADE || unfinished(state.round())) {
      throw new JobException(
          "Parts of the input are not done: 'braid job resume " + spec.id() + "' first.");
    }
    JobChecks.requireRetryable(spec);
    JobChecks.requireSameTable(context, spec);
    JobChecks.requireKept(context, spec);
  }

  /**
   * Throws the exceptions that {@link #commit} would throw before it begins.
   *
   * @throws JobException when there is nothing to commit, or not yet
   */
  public JobState requireCommittable() throws IOException {
    JobState state = directory.state();
    JobChecks.requireOpen(state);
    JobChecks.requireWhole(spec, state);
    return state;
  }

  /**
   * Runs the job over the records left for retry, repeatedly, until the remaining records can never
   * succeed or no more of them succeed (section 4.1).
   */
  public JobReport retry(JobView view) throws IOException {
    try (JobDirectory.Lock lock = directory.lock(context.seams())) {
      requireRetryable();
      JobReport report = directory.report();
      for (int n = 0; n < MOST_ROUNDS && report.state().phase() == JobState.Phase.REMAINDER; n++) {
        RecordCounts before = report.counts();
        report = rounds.run(report.state().round() + 1, before, view);
        boolean progress =
            report.counts().written() + report.counts().kept() > before.written() + before.kept();
        if (report.counts().left() == 0 || !progress) {
          break;
        }
      }
      return report;
    }
  }

  /** Returns whether a task is neither done nor given up as unreadable. */
  private boolean unfinished(int round) throws IOException {
    Round.State tasks = Round.state(directory.round(round));
    Optional<Division> division = directory.division(round);
    return division.isEmpty()
        || tasks.done().size() + tasks.unread().size() < division.get().tasks().size();
  }

  /**
   * Makes an atomic load visible although some of its records were not written. A load commits
   * without this call once all records are written.
   *
   * @throws JobException when parts of the input are not done
   */
  public JobReport commit() throws IOException {
    try (JobDirectory.Lock lock = directory.lock(context.seams())) {
      JobState state = requireCommittable();
      ending.publish(state.round(), state.counts());
      return directory.report();
    }
  }

  /**
   * Ends the job: at once if no process works on it, else as soon as that process sees the request.
   */
  public void cancel() throws IOException {
    if (directory.state().ended()) {
      return;
    }
    directory.askToCancel();
    try (JobDirectory.@Nullable Lock lock = directory.tryLock(context.seams())) {
      JobState state = directory.state();
      // The process that worked on the job may have ended it meanwhile.
      if (lock != null && !state.ended()) {
        ending.giveUp();
        ending.end(JobState.Phase.CANCELLED, state.round(), state.counts(), "cancelled");
      }
    }
  }

  /** Returns this job with another mapping, for its remaining work. */
  public LoadJob with(Mapping mapping) throws IOException {
    JobChecks.requireFamilies(context, spec.table(), mapping);
    JobChecks.requireReducer(spec.options(), mapping);
    JobSpec changed = spec.with(mapping);
    directory.write(changed);
    return new LoadJob(context, directory, changed);
  }
}
