package io.braid.batch.job;

import io.braid.batch.JobException;
import io.braid.batch.log.JobFiles;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.OwnedFile;
import io.braid.core.runtime.Seams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of one job: all that is needed to continue it, here or on another machine that has
 * the same input.
 *
 * <pre>
 * job.json  state.json  timing.json  kept.json  pin.json  lock  cancel
 * round-0/  division.json  superseded  retry.csv  detailed.jsonl
 *   attempt-1/  attempt.json  checkpoint.jsonl  short-circuit.jsonl  unread.jsonl  retry.csv
 *     detailed.jsonl
 *     task-00001.retry  task-00001.detailed.jsonl
 *   tablets.json  snapshots.jsonl  imported.jsonl  import.json  snapshots/
 *   reduce/  retry-input.csv  detailed-input.jsonl
 * round-1/  ...
 * </pre>
 */
@API(status = API.Status.EXPERIMENTAL)
public final class JobDirectory {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}");

  private static final Duration LOOK = Duration.ofMillis(5);
  private static final Logger LOG = LoggerFactory.getLogger(JobDirectory.class);
  private static final int LOOKS = 40;

  private final Path path;
  private volatile @Nullable OwnedFile held;

  private JobDirectory(Path path) {
    this.path = path;
  }

  /**
   * @param jobs the directory of all jobs
   * @throws IllegalArgumentException when the id is not valid
   */
  public static JobDirectory of(Path jobs, String id) {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "'" + id + "' is no id of a job: use letters, digits, '_', '-', '.', at most 64.");
    }
    return new JobDirectory(jobs.resolve(id));
  }

  /** The ids of all jobs, in order. */
  public static List<String> ids(Path jobs) throws IOException {
    if (!Files.isDirectory(jobs)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(jobs)) {
      List<String> ids = new ArrayList<>();
      all.filter(job -> Files.exists(job.resolve("job.json")))
          .forEach(job -> ids.add(String.valueOf(job.getFileName())));
      ids.sort(null);
      return ids;
    }
  }

  public Path path() {
    return path;
  }

  public Path round(int number) {
    return path.resolve("round-" + number);
  }

  /** The directory of all jobs. */
  Path jobs() {
    return java.util.Objects.requireNonNull(path.toAbsolutePath().getParent());
  }

  Path timingFile() {
    return path.resolve("timing.json");
  }

  /**
   * Returns how long things took. No decision depends on these times, so nothing fails when the
   * file is damaged.
   */
  Optional<Timing> timing() throws IOException {
    try {
      return JobFiles.read(timingFile(), Timing.class);
    } catch (JobException e) {
      LOG.warn("It is not known how long things took: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /** The job has ended: its snapshots are of no use any more. */
  void removeSnapshots() throws IOException {
    for (int n = 0; n <= state().round(); n++) {
      Path snapshots = round(n).resolve("snapshots");
      if (Files.isDirectory(snapshots)) {
        try (Stream<Path> all = Files.list(snapshots)) {
          for (Path file : all.toList()) {
            Files.delete(file);
          }
        }
        Files.delete(snapshots);
      }
    }
  }

  Path cancelFile() {
    return path.resolve("cancel");
  }

  public boolean exists() {
    return Files.exists(path.resolve("job.json"));
  }

  /**
   * @throws JobException when there is no such job
   */
  public JobSpec spec() throws IOException {
    return JobFiles.read(path.resolve("job.json"), JobSpec.class)
        .orElseThrow(
            () ->
                new JobException("There is no job in " + path + ": 'braid job list' shows them."));
  }

  /** The pin of a job that was being made here, and perhaps was not made. */
  Optional<String> pin() throws IOException {
    return JobFiles.read(path.resolve("pin.json"), String.class);
  }

  void writePin(String name) throws IOException {
    JobFiles.replace(path.resolve("pin.json"), name);
  }

  void write(JobSpec spec) throws IOException {
    JobFiles.replace(path.resolve("job.json"), spec);
  }

  public JobState state() throws IOException {
    return JobFiles.read(path.resolve("state.json"), JobState.class)
        .orElse(
            new JobState(JobState.Phase.MADE, 0, RecordCounts.EMPTY, "", spec().createdMillis()));
  }

  void write(JobState state) throws IOException {
    requireHeld();
    JobFiles.replace(path.resolve("state.json"), state);
  }

  Optional<Division> division(int round) throws IOException {
    return JobFiles.read(divisionFile(round), Division.class).map(each -> each.foundIn(path));
  }

  void write(int round, Division division) throws IOException {
    JobFiles.replace(divisionFile(round), division.keptIn(path));
  }

  private Path divisionFile(int round) {
    return round(round).resolve("division.json");
  }

  /** Returns the state of the job, from the files on the disk. */
  public JobReport report() throws IOException {
    JobState state = state();
    Path directory = round(state.round());
    Round.State tasks = Round.state(directory);
    int all = division(state.round()).map(division -> division.tasks().size()).orElse(0);
    List<ShortCircuit> shortCircuits =
        JobFiles.readLog(
            directory.resolve("attempt-" + tasks.attempts()).resolve(Round.SHORT_CIRCUITS),
            ShortCircuit.class);
    return new JobReport(
        spec(),
        state,
        shortCircuits,
        List.copyOf(tasks.unread().values()),
        all,
        all - tasks.done().size(),
        tasks.attempts(),
        timing(),
        LoadWriters.report(directory));
  }

  /**
   * The state of a job, and whether a process works on it. If none does, the report was read no
   * earlier than that was found out.
   */
  public record JobStatus(JobReport report, boolean worked) {}

  /** Looks at the job. */
  public JobStatus look() throws IOException {
    JobReport seen = report();
    boolean worked = !seen.state().ended() && isLocked();
    return new JobStatus(worked || seen.state().ended() ? seen : report(), worked);
  }

  /** Some of the records that the round before or this one could not write. */
  public List<FailureEntry> failures(int most) throws IOException {
    List<FailureEntry> some = new ArrayList<>();
    Path round = round(state().round());
    for (String name : List.of("detailed-input.jsonl", "detailed.jsonl")) {
      Path log = round.resolve(name);
      if (Files.exists(log)) {
        some.addAll(JobFiles.readLog(log, FailureEntry.class, most - some.size()));
      }
    }
    return some;
  }

  /** Asks the process that works on the job to end it. */
  public void askToCancel() throws IOException {
    Files.writeString(cancelFile(), "");
  }

  /** Returns whether a process works on the job now. */
  public boolean isLocked() throws IOException {
    return Files.isDirectory(path) && OwnedFile.isOwned(lockFile());
  }

  private Path lockFile() {
    return path.resolve("lock");
  }

  /** Returns the logs of the attempts and of the failures. */
  public JobLogs logs() {
    return new JobLogs(this);
  }

  /**
   * Returns whether a process works on the job; a process that only asks the same does not count.
   */
  public boolean isLocked(Seams seams) throws IOException {
    Backoff backoff = new Backoff(seams, LOOK, LOOK);
    boolean locked = isLocked();
    while (locked && backoff.pauses() < LOOKS && backoff.pause()) {
      locked = isLocked();
    }
    return locked;
  }

  /**
   * @throws JobException when a process works on the job
   */
  Lock lock(Seams seams) throws IOException {
    DurableFiles.createPrivateDirectories(path);
    Lock lock = tryLock(seams);
    if (lock == null) {
      throw new JobException(
          "Another process works on job "
              + path.getFileName()
              + ": wait for it, or end it with 'braid job cancel'.");
    }
    return lock;
  }

  /**
   * Returns null when another process works on the job. Waits for a process that only checks
   * whether any process works on the job.
   */
  @Nullable Lock tryLock(Seams seams) throws IOException {
    Backoff backoff = new Backoff(seams, LOOK, LOOK);
    Lock lock = tryLock();
    while (lock == null && backoff.pauses() < LOOKS && backoff.pause()) {
      lock = tryLock();
    }
    return lock;
  }

  private @Nullable Lock tryLock() throws IOException {
    OwnedFile owned = OwnedFile.tryOwn(lockFile());
    if (owned == null) {
      return null;
    }
    held = owned;
    return new Lock(this, owned);
  }

  /** Stops a process that was held up so long that another one works on the job now. */
  void requireHeld() {
    OwnedFile owned = held;
    if (owned != null && !owned.isOurs()) {
      throw new JobException(owned.whyNot() + " 'braid job show' shows the state of the job.");
    }
  }

  /** Held while a process works on the job; gone with it. */
  record Lock(JobDirectory of, OwnedFile owned) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      of.held = null;
      owned.close();
    }
  }
}
