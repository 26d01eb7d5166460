package io.braid.batch.job;

import io.braid.batch.LoadContext;
import io.braid.batch.log.JobFiles;
import io.braid.batch.snapshot.SnapshotImport;
import io.braid.core.runtime.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Runs the rounds of a job: each from the record counts before the round to the state of the job
 * after it.
 */
final class RoundRun {
  private final LoadContext context;
  private final JobDirectory directory;
  private final JobSpec spec;
  private final JobEnding ending;
  private final RoundMaker rounds;

  RoundRun(LoadContext context, JobDirectory directory, JobSpec spec, JobEnding ending) {
    this.context = context;
    this.directory = directory;
    this.spec = spec;
    this.ending = ending;
    this.rounds = new RoundMaker(context, directory, spec, ending);
  }

  /**
   * Runs a round, or continues one.
   *
   * @param before the record counts of the rounds before this one, or of this one so far
   */
  JobReport run(int number, RecordCounts before, JobView view) throws IOException {
    RecordCounts earlier = number == 0 ? RecordCounts.EMPTY : counts(number, before);
    boolean anew = number == 0 && Round.state(directory.round(0)).attempts() == 0;
    long begun = context.seams().nanoTime();
    directory.write(ending.state(JobState.Phase.RUNNING, number, before, ""));
    long read;
    try {
      read = attempt(rounds.round(number, view), view);
    } catch (Reduction.CancelledException e) {
      ending.giveUp();
      ending.end(JobState.Phase.CANCELLED, number, now(number, earlier), "cancelled");
      return directory.report();
    } catch (IOException | RuntimeException e) {
      failed(number, earlier, e);
      throw e;
    }
    settle(number, now(number, earlier));
    if (anew && directory.state().phase() == JobState.Phase.DONE) {
      long now = context.seams().nanoTime();
      ended((now - begun) / 1e9, (now - read) / 1e9);
    }
    return directory.report();
  }

  /** Notes it, if that can be; an interrupted thread writes no file to its end. */
  private void failed(int number, RecordCounts earlier, Exception why) {
    try {
      directory.write(
          ending.state(
              JobState.Phase.FAILED,
              number,
              now(number, earlier),
              String.valueOf(why.getMessage())));
    } catch (IOException | RuntimeException e) {
      why.addSuppressed(e);
    }
  }

  /** Runs an attempt; returns the time when all was read, on the clock of the process. */
  private long attempt(Round round, JobView view) throws IOException {
    LoadWriters writers = (LoadWriters) round.writers();
    Attempt attempt = new Attempt(round, Round.state(round.directory()));
    boolean whole = false;
    try {
      attempt.run(view);
      long read = context.seams().nanoTime();
      Round.State now = Round.state(round.directory());
      if (now.done().size() == round.division().tasks().size()) {
        // If a file has changed since the division, its tasks have read nonsense.
        round.division().requireUnchanged();
        writers.finish(now.counts().read(), view);
        whole = true;
      }
      attempt.ended();
      return read;
    } catch (IOException | RuntimeException e) {
      attempt.failed(e);
      throw e;
    } finally {
      if (!whole) {
        writers.abandon();
      }
    }
  }

  private void ended(double seconds, double after) throws IOException {
    Optional<Timing> timing = directory.timing();
    if (timing.isPresent()) {
      Timing took = timing.get().took(seconds, after);
      JobFiles.replace(directory.timingFile(), took);
      LoadPlanner.ended(directory.jobs(), took);
    }
  }

  /** Returns the record counts before a round; a round that has begun keeps them with it. */
  private RecordCounts counts(int number, RecordCounts before) throws IOException {
    Path file = directory.round(number).resolve("before.json");
    Optional<RecordCounts> kept = JobFiles.read(file, RecordCounts.class);
    if (kept.isPresent()) {
      return kept.get();
    }
    DurableFiles.createDirectories(directory.round(number));
    JobFiles.replace(file, before);
    return before;
  }

  private RecordCounts now(int number, RecordCounts earlier) throws IOException {
    RecordCounts round =
        Round.state(directory.round(number))
            .counts()
            .superseded(SnapshotImport.duplicates(directory.round(number)));
    if (spec.options().duplicates() == Duplicates.REDUCE
        && directory.division(number).isPresent()) {
      round = Reduction.counts(directory.round(number), round);
    }
    return number == 0 ? round : earlier.then(round, open(number) == 0);
  }

  /** Returns how many tasks are not done; 1 if the tasks are not known. */
  private int open(int number) throws IOException {
    int all = directory.division(number).map(division -> division.tasks().size()).orElse(-1);
    return all < 0 ? 1 : all - Round.state(directory.round(number)).done().size();
  }

  private void settle(int number, RecordCounts counts) throws IOException {
    Round.State tasks = Round.state(directory.round(number));
    int all = directory.division(number).map(division -> division.tasks().size()).orElse(0);
    int open = all - tasks.done().size();
    directory.requireHeld();
    if (Files.exists(directory.cancelFile())) {
      ending.giveUp();
      ending.end(JobState.Phase.CANCELLED, number, counts, "cancelled");
    } else if (open > 0) {
      directory.write(
          ending.state(
              JobState.Phase.FAILED,
              number,
              counts,
              open
                  + " of "
                  + all
                  + " tasks are not done, "
                  + tasks.unread().size()
                  + " of them cannot be read"));
    } else if (counts.rejected() + counts.left() > 0) {
      directory.write(
          ending.state(JobState.Phase.REMAINDER, number, counts, "some records remain"));
    } else if (spec.options().whole()) {
      ending.publish(number, counts);
    } else {
      ending.end(JobState.Phase.DONE, number, counts, "");
    }
  }
}
