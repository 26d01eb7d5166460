package io.braid.batch.job;

import io.braid.batch.JobException;
import io.braid.batch.Workers;
import io.braid.batch.log.JobFiles;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One run of a round. Tasks that left a checkpoint in an earlier attempt are skipped; all others
 * run, several at a time, each from its beginning. Every task ends with an entry in one of three
 * logs: checkpoint, short-circuit, unread. An interrupted attempt leaves tasks without an entry.
 */
final class Attempt {
  private static final Duration LOOK = Duration.ofMillis(200);

  private final Round round;
  private final Round.State before;
  private final Path directory;
  private final Deque<InputTask> waiting = new ArrayDeque<>();
  private final Map<Integer, AtomicLong> reading = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong tasksDone = new AtomicLong();
  private final Object logs = new Object();

  /**
   * The highest number of read records that was reported. A task that starts over does not lower
   * this number.
   */
  private long told;

  Attempt(Round round, Round.State before) {
    this.round = round;
    this.before = before;
    this.directory = round.attempt(before.attempts() + 1);
  }

  void run(JobView view) throws IOException {
    Files.createDirectories(directory);
    AttemptNote.begin(directory, round.context().seams());
    DurableFiles.syncDirectory(round.directory());
    for (InputTask task : round.division().tasks()) {
      Checkpoint checkpoint = before.done().get(task.number());
      if (checkpoint == null) {
        waiting.add(task);
      } else {
        done.addAndGet(checkpoint.counts().read());
        tasksDone.incrementAndGet();
      }
    }
    long earlier = done.get();
    Seams seams = round.context().seams();
    List<Task> runners = new ArrayList<>();
    int most = Math.min(round.spec().options().parallel(), waiting.size());
    for (int i = 0; i < most; i++) {
      runners.add(seams.start("braid-load-" + i, this::runTasks));
    }
    long begun = seams.nanoTime();
    try {
      for (Task runner : runners) {
        while (!runner.join(LOOK)) {
          view.progress(progress(earlier, seams.nanoTime() - begun));
          if (Backoff.interrupted()) {
            throw new JobException("The job was interrupted: resume it.");
          }
        }
      }
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
      // The attempt must write no more notes when the job is given up to others.
      Workers.stop(runners);
      throw e;
    }
    view.progress(progress(earlier, seams.nanoTime() - begun));
    rethrow();
    merge();
  }

  /** Notes how it ended, when all that follows from it is done as well. */
  void ended() throws IOException {
    Round.State now = Round.state(round.directory());
    int all = round.division().tasks().size();
    int open = all - now.done().size();
    if (open == 0) {
      note(AttemptReport.End.DONE, "");
    } else if (round.isCancelled()) {
      note(AttemptReport.End.CANCELLED, "The job was cancelled.");
    } else {
      note(AttemptReport.End.INCOMPLETE, open + " of " + all + " tasks are not done" + why());
    }
  }

  /** Returns one example of each kind of failure. */
  private String why() throws IOException {
    List<ShortCircuit> ended =
        JobFiles.readLog(directory.resolve(Round.SHORT_CIRCUITS), ShortCircuit.class);
    List<UnreadPart> unread = JobFiles.readLog(directory.resolve(Round.UNREAD), UnreadPart.class);
    return (ended.isEmpty()
            ? ""
            : "; " + ended.size() + " ended early, the first for: " + ended.get(0).why())
        + (unread.isEmpty()
            ? ""
            : "; " + unread.size() + " cannot be read, the first for: " + unread.get(0).why());
  }

  /** Notes that it was broken off, if that can be. */
  void failed(Exception failure) {
    try {
      note(AttemptReport.End.FAILED, String.valueOf(failure.getMessage()));
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void note(AttemptReport.End end, String why) throws IOException {
    AttemptNote.end(directory, round.context().seams(), end, why);
  }

  private JobView.Progress progress(long earlier, long nanos) {
    long now = done.get() - earlier;
    for (AtomicLong each : reading.values()) {
      now += each.get();
    }
    told = Math.max(told, now);
    JobView.Progress reading =
        new JobView.Progress(
            "load",
            Math.max(0, round.division().records() - earlier),
            told,
            failed.get(),
            round.division().tasks().size(),
            tasksDone.intValue(),
            nanos);
    double left = reading.secondsLeft();
    return left < 0
        ? reading
        : reading.followedBy(
            round.writers().after((double) told / reading.records(), nanos / 1e9 + left));
  }

  private void rethrow() throws IOException {
    Throwable thrown = failure.get();
    if (thrown instanceof UncheckedIOException io) {
      throw new JobException("The job's directory cannot be written: " + io.getCause(), io);
    }
    if (thrown instanceof IOException io) {
      throw io;
    }
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
  }

  private void runTasks() {
    try {
      for (InputTask task = next(); task != null; task = next()) {
        run(task);
      }
    } catch (IOException | RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  private @Nullable InputTask next() {
    if (failure.get() != null || round.isCancelled()) {
      return null;
    }
    synchronized (waiting) {
      return waiting.poll();
    }
  }

  /** Tries a task again while its input cannot be read (section 4: tasks fail and are retried). */
  private void run(InputTask task) throws IOException {
    String file = round.division().file(task).path();
    int tries = round.spec().options().inputTries();
    for (int n = 1; ; n++) {
      AtomicLong read = new AtomicLong();
      reading.put(task.number(), read);
      TaskRun.Result result = new TaskRun(round, task, directory, read).run();
      RecordCounts counts = result.counts();
      if (result.end() == TaskRun.End.UNREADABLE && n < tries) {
        continue;
      }
      reading.remove(task.number());
      switch (result.end()) {
        case DONE -> {
          done.addAndGet(counts.read());
          append(
              Round.CHECKPOINTS,
              new Checkpoint(task.number(), file, task.from(), task.to(), counts));
        }
        case SHORT_CIRCUITED -> {
          done.addAndGet(counts.read());
          append(
              Round.SHORT_CIRCUITS,
              new ShortCircuit(
                  task.number(), file, task.from(), task.to(), counts.read(), result.why()));
        }
        case UNREADABLE -> {
          done.addAndGet(counts.read());
          append(
              Round.UNREAD,
              new UnreadPart(
                  task.number(),
                  file,
                  task.from(),
                  task.to(),
                  result.at(),
                  n,
                  result.why(),
                  counts));
        }
        case CANCELLED -> {
          return;
        }
      }
      failed.addAndGet(counts.rejected() + counts.left());
      tasksDone.incrementAndGet();
      return;
    }
  }

  private void append(String log, Object entry) throws IOException {
    synchronized (logs) {
      JobFiles.append(directory.resolve(log), entry);
    }
  }

  /** Puts together the logs of this attempt, and those that count of all attempts. */
  private void merge() throws IOException {
    Round.State now = Round.state(round.directory());
    Map<Integer, Path> here = new TreeMap<>();
    Map<Integer, Path> all = new TreeMap<>();
    now.attemptOf()
        .forEach(
            (task, attempt) -> {
              all.put(task, round.attempt(attempt));
              if (attempt == now.attempts()) {
                here.put(task, round.attempt(attempt));
              }
            });
    MergedLogs logsOf = new MergedLogs(round.division());
    logsOf.write(directory, "", here);
    logsOf.write(round.directory(), "", all);
  }
}
