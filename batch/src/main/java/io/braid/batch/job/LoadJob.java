package io.braid.batch.job;

import io.braid.batch.LoadContext;
import io.braid.batch.atomic.AtomicLoad;
import io.braid.batch.atomic.Publication;
import io.braid.batch.input.FilePlaces;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.UnreadableInputException;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.mapping.RecordMapper;
import io.braid.batch.reduce.Reducers;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.Rate;
import io.braid.batch.sink.Throttle;
import io.braid.batch.snapshot.ImportReport;
import io.braid.batch.snapshot.Reclaim;
import io.braid.batch.snapshot.SnapshotImport;
import io.braid.batch.snapshot.VeiledLoad;
import io.braid.core.store.TableSchema;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A load that can be broken off anywhere and gone on with (section 4). One process at a time works
 * on it; whoever comes next finds in its directory what is done.
 */
public final class LoadJob {
  private static final int MOST_ROUNDS = 20;

  private final LoadContext context;
  private final JobDirectory directory;
  private final JobSpec spec;

  private LoadJob(LoadContext context, JobDirectory directory, JobSpec spec) {
    this.context = context;
    this.directory = directory;
    this.spec = spec;
  }

  /**
   * Makes a job; nothing is written to the table yet.
   *
   * @param jobs the directory of all jobs
   * @param id names the job for good
   * @throws IllegalArgumentException when something does not fit together
   * @throws JobException when there is a job of this id
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
    requireFamilies(context, table, mapping);
    List<String> paths = new ArrayList<>();
    for (InputFile file : look(inputs)) {
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
    requireReducer(options, mapping);
    Planning.Plan plan = new Planning(context, options, jobs).plan(look(inputs));
    if (plan.options().usesSnapshots()) {
      boolean wins = options.conflicts() == Conflicts.LOAD;
      VeiledLoad.requireIndexes(context.loadable(), table, Timestamp.MAX, wins);
    }
    Files.createDirectories(directory.path());
    JobFiles.replace(directory.timingFile(), plan.timing());
    try (JobDirectory.Lock lock = directory.lock();
        Snapshot begin = context.transactions().snapshot()) {
      if (directory.exists()) {
        throw new JobException("There is a job " + id + " already: another process made it.");
      }
      JobSpec spec =
          new JobSpec(
              id,
              table,
              paths,
              mapping,
              plan.options(),
              begin.timestamp(),
              context.seams().wallMillis());
      Optional<String> left = directory.pin();
      left.ifPresent(context.transactions()::unpin);
      directory.writePin(spec.pin());
      context.transactions().pin(spec.pin(), spec.start());
      directory.write(spec);
      return new LoadJob(context, directory, spec);
    }
  }

  private static void requireReducer(LoadOptions options, Mapping mapping) {
    if (options.duplicates() == Duplicates.REDUCE) {
      Reducers.parse(options.reducer(), mapping);
    }
  }

  /** A job that was made before. */
  public static LoadJob open(LoadContext context, Path jobs, String id) throws IOException {
    JobDirectory directory = JobDirectory.of(jobs, id);
    return new LoadJob(context, directory, directory.spec());
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

  /** Reads and maps everything and writes nothing. */
  public static DryRun dryRun(
      LoadContext context, String table, List<Path> inputs, Mapping mapping, LoadOptions options)
      throws IOException {
    requireFamilies(context, table, mapping);
    requireReducer(options, mapping);
    return new Rehearsal(context, table, mapping, options).run(look(inputs));
  }

  private static void requireFamilies(LoadContext context, String table, Mapping mapping) {
    context.loadable().require(table);
    TableSchema schema =
        context
            .store()
            .table(table)
            .orElseThrow(
                () ->
                    new UnknownTableException("There is no table " + table + ": create it first."));
    Set<String> families =
        schema.families().stream().map(TableSchema.FamilySchema::name).collect(Collectors.toSet());
    for (String family : mapping.families()) {
      if (!families.contains(family)) {
        throw new UnknownTableException(
            "Table " + table + " has no family " + family + ": create it first.");
      }
    }
  }

  static List<InputFile> look(List<Path> paths) throws IOException {
    List<InputFile> files = new ArrayList<>();
    for (Path path : paths) {
      try {
        files.add(InputFile.of(path));
      } catch (UnreadableInputException e) {
        throw new JobException(String.valueOf(e.getMessage()), e);
      } catch (IOException e) {
        throw new JobException("File " + path + " cannot be read: " + e.getMessage(), e);
      }
    }
    return files;
  }

  public JobSpec spec() {
    return spec;
  }

  public JobDirectory directory() {
    return directory;
  }

  /**
   * Runs the job, or goes on with it: passes over what is done.
   *
   * @throws JobException when it has ended, another process works on it, or its input has changed
   */
  public JobReport run(JobView view) throws IOException {
    try (JobDirectory.Lock lock = directory.lock()) {
      JobState state = directory.state();
      requireOpen(state);
      if (state.phase() == JobState.Phase.STAGED) {
        publish(state.round(), state.books());
        return directory.report();
      }
      context.loadable().require(spec.table());
      return run(state.round(), state.books(), view);
    }
  }

  /**
   * Runs the job over what it left for retry, again and again, until what remains can never succeed
   * or nothing more does (section 4.1).
   */
  public JobReport retry(JobView view) throws IOException {
    try (JobDirectory.Lock lock = directory.lock()) {
      JobState state = directory.state();
      requireOpen(state);
      if (state.phase() == JobState.Phase.MADE || unfinished(state.round())) {
        throw new JobException(
            "Parts of the input are not done: 'braid job resume " + spec.id() + "' first.");
      }
      requireRetryable();
      JobReport report = directory.report();
      for (int n = 0; n < MOST_ROUNDS && report.state().phase() == JobState.Phase.REMAINDER; n++) {
        Books before = report.books();
        report = run(report.state().round() + 1, before, view);
        boolean progress =
            report.books().written() + report.books().kept() > before.written() + before.kept();
        if (report.books().left() == 0 || !progress) {
          break;
        }
      }
      return report;
    }
  }

  /** Records of a retry come behind those with their key that stood later in the input. */
  private void requireRetryable() {
    if (!spec.options().mayRetry()) {
      throw new JobException(
          "A retry by "
              + spec.options().snapshot().algorithm().text()
              + " would write records over later ones with their key, or over what was reduced from"
              + " it. 'braid job commit "
              + spec.id()
              + "' goes without the records that remain; or cancel the job, mend them, and load"
              + " again.");
    }
  }

  /** Whether a task is neither done nor given up as unreadable. */
  private boolean unfinished(int round) throws IOException {
    Round.State tasks = Round.state(directory.round(round));
    Optional<Division> division = directory.division(round);
    return division.isEmpty()
        || tasks.done().size() + tasks.unread().size() < division.get().tasks().size();
  }

  private static void requireOpen(JobState state) {
    if (state.ended()) {
      throw new JobException(
          state.phase() == JobState.Phase.DONE
              ? "The job is done: there is nothing left to do."
              : "The job was cancelled: make another one.");
    }
  }

  /**
   * @param before the books of the rounds before this one, or of this one so far
   */
  private JobReport run(int number, Books before, JobView view) throws IOException {
    Books earlier = number == 0 ? Books.EMPTY : books(number, before);
    boolean anew = number == 0 && Round.state(directory.round(0)).attempts() == 0;
    long begun = context.seams().nanoTime();
    directory.write(state(JobState.Phase.RUNNING, number, before, ""));
    try {
      attempt(round(number, view), view);
    } catch (Reduction.CancelledException e) {
      giveUp();
      end(JobState.Phase.CANCELLED, number, now(number, earlier), "cancelled");
      return directory.report();
    } catch (IOException | RuntimeException e) {
      directory.write(
          state(
              JobState.Phase.FAILED, number, now(number, earlier), String.valueOf(e.getMessage())));
      throw e;
    }
    settle(number, now(number, earlier));
    if (anew && directory.state().phase() == JobState.Phase.DONE) {
      ended((context.seams().nanoTime() - begun) / 1e9);
    }
    return directory.report();
  }

  private void attempt(Round round, JobView view) throws IOException {
    Writing writing = (Writing) round.writers();
    boolean whole = false;
    try {
      new Attempt(round, Round.state(round.directory())).run(view);
      whole = Round.state(round.directory()).done().size() == round.division().tasks().size();
      if (whole) {
        writing.finish();
      }
    } finally {
      if (!whole) {
        writing.abandon();
      }
    }
  }

  private void ended(double seconds) throws IOException {
    Optional<Timing> timing = directory.timing();
    if (timing.isPresent()) {
      Timing took = timing.get().took(seconds);
      JobFiles.replace(directory.timingFile(), took);
      Planning.ended(directory.jobs(), took);
    }
  }

  /** The books before a round: of a round that was begun they are kept with it. */
  private Books books(int number, Books before) throws IOException {
    Path file = directory.round(number).resolve("before.json");
    Optional<Books> kept = JobFiles.read(file, Books.class);
    if (kept.isPresent()) {
      return kept.get();
    }
    Files.createDirectories(directory.round(number));
    JobFiles.replace(file, before);
    return before;
  }

  private Books now(int number, Books earlier) throws IOException {
    Books round =
        Round.state(directory.round(number))
            .books()
            .superseded(SnapshotImport.duplicates(directory.round(number)));
    if (spec.options().duplicates() == Duplicates.REDUCE
        && directory.division(number).isPresent()) {
      round = Reduction.books(directory.round(number), round);
    }
    return number == 0 ? round : earlier.then(round);
  }

  private void settle(int number, Books books) throws IOException {
    Round.State tasks = Round.state(directory.round(number));
    int all = directory.division(number).map(division -> division.tasks().size()).orElse(0);
    int open = all - tasks.done().size();
    if (Files.exists(directory.cancelFile())) {
      giveUp();
      end(JobState.Phase.CANCELLED, number, books, "cancelled");
    } else if (open > 0) {
      directory.write(
          state(
              JobState.Phase.FAILED,
              number,
              books,
              open
                  + " of "
                  + all
                  + " tasks are not done, "
                  + tasks.unread().size()
                  + " of them cannot be read"));
    } else if (books.rejected() + books.left() > 0) {
      directory.write(state(JobState.Phase.REMAINDER, number, books, "some records remain"));
    } else if (spec.options().whole()) {
      publish(number, books);
    } else {
      end(JobState.Phase.DONE, number, books, "");
    }
  }

  private void end(JobState.Phase phase, int number, Books books, String why) throws IOException {
    directory.write(state(phase, number, books, why));
    context.transactions().unpin(spec.pin());
    for (int n = 0; n <= number; n++) {
      Reduction.removeAll(directory.round(n));
    }
  }

  private JobState state(JobState.Phase phase, int number, Books books, String why) {
    return new JobState(phase, number, books, why, context.seams().wallMillis());
  }

  private Round round(int number, JobView view) throws IOException {
    Path path = directory.round(number);
    Files.createDirectories(path);
    Division division = directory.division(number).orElse(null);
    if (division == null) {
      division = divide(number, path, view);
    } else {
      for (InputFile file : division.files()) {
        try {
          file.requireUnchanged();
        } catch (UnreadableInputException e) {
          throw new JobException(String.valueOf(e.getMessage()), e);
        }
      }
    }
    return new Round(
        context,
        spec,
        path,
        division,
        writing(path),
        new Throttle(context.seams(), Rate.parse(spec.options().rate())),
        () -> Files.exists(directory.cancelFile()));
  }

  private Writing writing(Path round) throws IOException {
    if (spec.options().usesSnapshots()) {
      VeiledLoad.requireNoFeed(context.store(), spec.table());
      VeiledLoad.requireIndexes(
          context.loadable(),
          spec.table(),
          spec.start(),
          spec.options().conflicts() == Conflicts.LOAD);
    }
    if (spec.options().whole()) {
      publication().begin();
    }
    return new Writing(context, spec, round, Round.state(round).done().keySet());
  }

  private Publication publication() {
    if (spec.options().usesSnapshots()) {
      return new VeiledLoad(
          context,
          spec.id(),
          spec.table(),
          spec.start(),
          spec.options().conflicts() == Conflicts.LOAD,
          Duration.ofMillis(spec.options().drainMillis()));
    }
    return new AtomicLoad(
        context,
        spec.id(),
        spec.table(),
        spec.start(),
        spec.options().conflicts(),
        Duration.ofMillis(spec.options().drainMillis()));
  }

  /**
   * Makes an atomic load visible although some of its records were not written. Otherwise that
   * happens by itself, once all are.
   *
   * @throws JobException when parts of the input are not done
   */
  public JobReport commit() throws IOException {
    try (JobDirectory.Lock lock = directory.lock()) {
      JobState state = directory.state();
      requireOpen(state);
      if (!spec.options().whole()) {
        throw new JobException("Job " + spec.id() + " is not atomic: its records are visible.");
      }
      if (state.phase() != JobState.Phase.REMAINDER && state.phase() != JobState.Phase.STAGED) {
        throw new JobException(
            "Parts of the input are not done: 'braid job resume " + spec.id() + "' first.");
      }
      publish(state.round(), state.books());
      return directory.report();
    }
  }

  private void publish(int number, Books books) throws IOException {
    directory.write(state(JobState.Phase.STAGED, number, books, "to be committed"));
    Publication load = publication();
    long commit = load.commit();
    notePause(number);
    directory.write(
        state(JobState.Phase.STAGED, number, books, "committed at " + commit + ", to be settled"));
    load.settle();
    end(JobState.Phase.DONE, number, books, "committed at " + commit);
    directory.removeSnapshots();
  }

  private void notePause(int number) throws IOException {
    Path round = directory.round(number);
    Optional<ImportReport> report = Writing.report(round);
    if (report.isPresent()) {
      double millis = context.store().takeLongestPause() / 1e6;
      JobFiles.replace(round.resolve(Writing.REPORT), report.get().withPause(millis));
    }
  }

  private void giveUp() throws IOException {
    if (spec.options().whole()) {
      Publication load = publication();
      load.begin();
      if (!load.abort()) {
        throw new JobException(
            "Load " + spec.id() + " has committed: 'braid job resume' takes it to its end.");
      }
      load.settle();
      if (spec.options().usesSnapshots()) {
        Reclaim reclaim = new Reclaim(context, spec.table(), spec.start());
        for (int n = 0; n <= directory.state().round(); n++) {
          reclaim.run(directory.round(n));
        }
        directory.removeSnapshots();
      }
    }
  }

  private Division divide(int number, Path path, JobView view) throws IOException {
    List<InputFile> files = look(inputs(number));
    if (spec.options().duplicates() == Duplicates.REDUCE) {
      Reduction reduction =
          new Reduction(context, spec, path, () -> Files.exists(directory.cancelFile()));
      files = look(reduction.run(files, view));
    }
    Divider divider =
        new Divider(
            spec.options(),
            seen -> view.progress(new JobView.Progress("look", seen, seen, 0, 0, 0, 0)),
            Divider.isLookNeeded(spec.options()));
    Divider.Result result = divider.divide(files, spec.mapping(), path.resolve("census"));
    Files.deleteIfExists(path.resolve("census"));
    if (spec.options().duplicates() == Duplicates.FAIL && !result.superseded().isEmpty()) {
      KeyCensus.Position first = result.superseded().get(0);
      throw new JobException(
          result.superseded().size()
              + " records have a key that comes again; the first is at "
              + first.offset()
              + " in "
              + files.get(first.file()).path()
              + ". Nothing was written. Mend the input, or say --duplicates last.");
    }
    new Superseded(path.resolve("superseded")).write(result.superseded());
    JobFiles.replace(path.resolve("division.json"), result.division());
    Reduction.removeRuns(path);
    return result.division();
  }

  private List<Path> inputs(int number) throws IOException {
    if (number == 0) {
      return spec.inputs().stream().map(FilePlaces::path).toList();
    }
    try (Stream<Path> files = Files.list(directory.round(number - 1))) {
      return files
          .filter(
              file ->
                  String.valueOf(file.getFileName())
                      .matches("retry(-input)?(-\\d+)?\\.(csv|jsonl)"))
          .sorted()
          .toList();
    }
  }

  /** Ends the job: at once if nobody works on it, else as soon as that process sees it. */
  public void cancel() throws IOException {
    if (directory.state().ended()) {
      return;
    }
    directory.askToCancel();
    if (!directory.isLocked()) {
      try (JobDirectory.Lock lock = directory.lock()) {
        JobState state = directory.state();
        giveUp();
        end(JobState.Phase.CANCELLED, state.round(), state.books(), "cancelled");
      }
    }
  }

  /** This job with another mapping, for what it has left to do. */
  public LoadJob with(Mapping mapping) throws IOException {
    requireFamilies(context, spec.table(), mapping);
    requireReducer(spec.options(), mapping);
    JobSpec changed = spec.with(mapping);
    directory.write(changed);
    return new LoadJob(context, directory, changed);
  }
}
