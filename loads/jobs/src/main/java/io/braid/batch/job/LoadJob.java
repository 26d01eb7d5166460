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
import io.braid.core.runtime.Durable;
import io.braid.core.time.Lineage;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A load of files into a table that can be broken off anywhere and gone on with (section 4). One
 * process at a time works on it; whoever comes next finds in its directory what is done. Begin
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
   * @param inputs files; what they are is told by their names, as for {@code braid load}
   * @throws IllegalArgumentException when something does not fit together
   * @throws io.braid.core.store.UnknownTableException when the table, or a family that the mapping
   *     names, is not there
   * @throws JobException when there is a job of this id, or the table cannot be loaded
   * @throws io.braid.batch.input.UnreadableInputException when a file is not there, or is none
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
    Planning.Plan plan = new Planning(context, options, jobs).plan(table, JobChecks.look(inputs));
    if (plan.options().usesSnapshots()) {
      boolean wins = options.conflicts() == Conflicts.LOAD;
      VeiledLoad.requireIndexes(context.loadable(), table, Timestamp.MAX, wins);
    }
    Durable.createDirectories(directory.path());
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
   * A job that was made before.
   *
   * @throws JobException when there is none of this id, or it was made in another database
   */
  public static LoadJob open(LoadContext context, Path jobs, String id) throws IOException {
    JobDirectory directory = JobDirectory.of(jobs, id);
    return new LoadJob(context, directory, directory.spec().requireOf(lineage(context)));
  }

  private static String lineage(LoadContext context) {
    return Lineage.markOf(context.store(), context.seams().random());
  }

  /**
   * What a load would come to.
   *
   * @param examples of records that would be rejected
   * @param unread what cannot be read, and why
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
   * Reads and maps everything and writes nothing; throws what {@link #create create} does of its
   * input.
   */
  public static DryRun dryRun(
      LoadContext context, String table, List<Path> inputs, Mapping mapping, LoadOptions options)
      throws IOException {
    JobChecks.requireFamilies(context, table, mapping);
    JobChecks.requireReducer(options, mapping);
    return new Rehearsal(context, table, mapping, options).run(JobChecks.look(inputs));
  }

  /**
   * Refuses a job whose rows, if it has written any, are gone with its table.
   *
   * @throws JobException when the table was created after the job
   */
  public void requireSameTable() {
    JobChecks.requireSameTable(context, spec);
  }

  /** What it shall do. */
  public JobSpec spec() {
    return spec;
  }

  /** Where it keeps what it has done. */
  public JobDirectory directory() {
    return directory;
  }

  /**
   * Runs the job, or goes on with it: passes over what is done. Returns when it has come to its
   * end, or to something that somebody has to decide: the phase of the report's state says which.
   *
   * @throws JobException when it has ended, another process works on it, or its input has changed
   */
  public JobReport run(JobView view) throws IOException {
    try (JobDirectory.Lock lock = directory.lock(context.seams())) {
      JobState state = requireRunnable();
      if (state.phase() == JobState.Phase.STAGED) {
        ending.publish(state.round(), state.books());
        return directory.report();
      }
      return rounds.run(state.round(), state.books(), view);
    }
  }

  /**
   * Refuses what {@link #run run} would refuse now.
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
   * Refuses what {@link #retry retry} would refuse now.
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
   * Refuses what {@link #commit} would refuse before it begins.
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
   * Runs the job over what it left for retry, again and again, until what remains can never succeed
   * or nothing more does (section 4.1).
   */
  public JobReport retry(JobView view) throws IOException {
    try (JobDirectory.Lock lock = directory.lock(context.seams())) {
      requireRetryable();
      JobReport report = directory.report();
      for (int n = 0; n < MOST_ROUNDS && report.state().phase() == JobState.Phase.REMAINDER; n++) {
        Books before = report.books();
        report = rounds.run(report.state().round() + 1, before, view);
        boolean progress =
            report.books().written() + report.books().kept() > before.written() + before.kept();
        if (report.books().left() == 0 || !progress) {
          break;
        }
      }
      return report;
    }
  }

  /** Whether a task is neither done nor given up as unreadable. */
  private boolean unfinished(int round) throws IOException {
    Round.State tasks = Round.state(directory.round(round));
    Optional<Division> division = directory.division(round);
    return division.isEmpty()
        || tasks.done().size() + tasks.unread().size() < division.get().tasks().size();
  }

  /**
   * Makes an atomic load visible although some of its records were not written. Otherwise that
   * happens by itself, once all are.
   *
   * @throws JobException when parts of the input are not done
   */
  public JobReport commit() throws IOException {
    try (JobDirectory.Lock lock = directory.lock(context.seams())) {
      JobState state = requireCommittable();
      ending.publish(state.round(), state.books());
      return directory.report();
    }
  }

  /** Ends the job: at once if nobody works on it, else as soon as that process sees it. */
  public void cancel() throws IOException {
    if (directory.state().ended()) {
      return;
    }
    directory.askToCancel();
    try (JobDirectory.@Nullable Lock lock = directory.tryLock(context.seams())) {
      JobState state = directory.state();
      // Whoever worked on it may have come to the end meanwhile.
      if (lock != null && !state.ended()) {
        ending.giveUp();
        ending.end(JobState.Phase.CANCELLED, state.round(), state.books(), "cancelled");
      }
    }
  }

  /** This job with another mapping, for what it has left to do. */
  public LoadJob with(Mapping mapping) throws IOException {
    JobChecks.requireFamilies(context, spec.table(), mapping);
    JobChecks.requireReducer(spec.options(), mapping);
    JobSpec changed = spec.with(mapping);
    directory.write(changed);
    return new LoadJob(context, directory, changed);
  }
}
