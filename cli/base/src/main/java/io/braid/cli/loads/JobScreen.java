package io.braid.cli.loads;

import io.braid.batch.engine.EngineWrites;
import io.braid.batch.engine.OpenLoads;
import io.braid.batch.job.FailureEntry;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.JobSpec;
import io.braid.batch.job.JobState;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.RecordCounts;
import io.braid.batch.job.ShortCircuit;
import io.braid.batch.job.Timing;
import io.braid.batch.job.UnreadPart;
import io.braid.batch.snapshot.ImportReport;
import io.braid.cli.command.Amount;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.core.time.Timestamp;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Shows how a job is getting on, and its record counts. */
public final class JobScreen implements JobView, AutoCloseable {
  /** A prediction of less would be shown as none. */
  private static final double LEAST_SECONDS = 0.05;

  private final OutputOptions output;
  private final io.braid.cli.command.Progress bar;

  public JobScreen(OutputOptions output) {
    this.output = output;
    this.bar = new io.braid.cli.command.Progress(output.err());
  }

  @Override
  public void progress(JobView.Progress now) {
    if (now.tasks() == 0) {
      bar.show("records seen", now.done(), "");
      return;
    }
    if (now.phase().equals(JobView.IMPORT)) {
      String toGo = String.format(Locale.ROOT, "with %.0f s to go", now.secondsLeft());
      bar.show("records imported", now.done(), now.records(), toGo);
      return;
    }
    String more =
        String.format(Locale.ROOT, "at %,.0f/s, %,d failed", now.rate(), now.failed())
            + (now.secondsLeft() < 0
                ? ""
                : String.format(Locale.ROOT, ", %.0f s to go", now.secondsLeft()));
    bar.show("records read", now.done(), now.records(), more);
  }

  /** Prints a load that has not ended, as the database knows it. */
  static void open(OutputOptions output, OpenLoads.OpenLoad load) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("load", load.id());
    object.put("table", load.table());
    object.put("begun", Timestamp.instant(load.start()).toString());
    output.print(
        object,
        load.id()
            + "  "
            + load.table()
            + "  begun "
            + Timestamp.instant(load.start())
            + "  a job's: 'braid job cancel "
            + load.id()
            + "'; if its folder is lost, 'braid job reclaim "
            + load.id()
            + " --force'");
  }

  /** Prints a write of an engine. */
  static void write(OutputOptions output, EngineWrites.Write write, boolean alive) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("write", write.id());
    object.put("table", write.table());
    object.put("begun", Instant.ofEpochMilli(write.begunMillis()).toString());
    object.put("directory", write.directory());
    object.put("alive", alive);
    output.print(
        object,
        String.format(
            Locale.ROOT,
            "%s  %s  begun %s%s  %s",
            write.id(),
            write.table(),
            Instant.ofEpochMilli(write.begunMillis()),
            write.directory().isEmpty() ? "" : "  files in " + write.directory(),
            alive
                ? "its driver may be alive"
                : "its driver has died: 'braid job reclaim " + write.id() + "'"));
  }

  /** Prints the record counts; the exit code. */
  int report(JobReport report) {
    bar.close();
    output.print(toObject(report), toText(report));
    return code(report.state().phase());
  }

  /** Prints what a dry run found; the exit code. */
  int dryRun(LoadJob.DryRun run) {
    bar.close();
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("dryRun", true);
    object.put("read", run.read());
    object.put("mapped", run.mapped());
    object.put("duplicates", run.duplicates());
    object.put("rejected", run.rejected());
    object.put("tasks", run.tasks());
    object.put("unread", run.unread());
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "Would read %s in %s and write %,d; %,d have a later one with their"
                + " key, %,d would be rejected. Nothing was written.",
            Amount.of(run.read(), "record"),
            Amount.of(run.tasks(), "task"),
            run.mapped(),
            run.duplicates(),
            run.rejected()));
    for (FailureEntry each : run.examples()) {
      text.append(String.format("%n  %s", line(each)));
    }
    run.unread().forEach(each -> text.append(String.format("%n  cannot be read: %s", each)));
    output.print(object, text.toString());
    return run.rejected() == 0 && run.unread().isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
  }

  static String line(FailureEntry entry) {
    return entry.code() + " at " + entry.offset() + " in " + entry.file() + ": " + entry.detail();
  }

  static int code(JobState.Phase phase) {
    return phase == JobState.Phase.DONE ? ExitCode.DONE : ExitCode.FAILED;
  }

  /** Lists a job in a line. */
  static void list(OutputOptions output, JobReport report, boolean running) {
    String phase = report.state().word(running);
    RecordCounts counts = report.counts();
    Map<String, Object> object = toObject(report);
    object.put("state", phase);
    output.print(
        object,
        String.format(
            Locale.ROOT,
            "%s  %s  %s  %,d read, %,d written",
            report.spec().id(),
            report.spec().table(),
            phase,
            counts.read(),
            counts.written()));
  }

  public static Map<String, Object> toObject(JobReport report) {
    JobSpec spec = report.spec();
    RecordCounts counts = report.counts();
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("job", spec.id());
    object.put("table", spec.table());
    object.put("state", report.state().word(true));
    object.put("round", report.state().round());
    object.put("attempts", report.attempts());
    object.put("tasks", report.tasks());
    object.put("tasksOpen", report.unfinished());
    object.put("read", counts.read());
    object.put("written", counts.written());
    object.put("kept", counts.kept());
    object.put("duplicates", counts.duplicates());
    object.put("rejected", counts.rejected());
    object.put("left", counts.left());
    object.put("balanced", counts.balanced());
    object.put("start", OutputOptions.timestamp(spec.start()));
    object.put("unread", report.unread());
    object.put("shortCircuits", report.shortCircuits());
    object.put("message", report.state().message());
    report.timing().ifPresent(timing -> object.put("timing", timing));
    report.imports().ifPresent(imports -> object.put("imports", imports));
    return object;
  }

  private static String toText(JobReport report) {
    RecordCounts counts = report.counts();
    String id = report.spec().id();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: read %,d = written %,d + kept %,d + duplicates %,d + rejected %,d + left %,d%s",
            id,
            counts.read(),
            counts.written(),
            counts.kept(),
            counts.duplicates(),
            counts.rejected(),
            counts.left(),
            counts.balanced() ? "" : "  THE RECORD COUNTS DO NOT ADD UP"));
    for (ShortCircuit each : report.shortCircuits()) {
      text.append(String.format("%n  task %d ended early: %s", each.task(), each.why()));
    }
    for (UnreadPart each : report.unread()) {
      text.append(
          String.format("%n  unread: %s from %d on: %s", each.file(), each.at(), each.why()));
    }
    report.imports().ifPresent(imports -> text.append(String.format("%n  %s", line(imports))));
    report
        .timing()
        .filter(timing -> timing.seconds() > 0)
        .ifPresent(timing -> text.append(String.format("%n  %s", line(timing))));
    String advice = advice(report);
    return advice.isEmpty()
        ? text.toString()
        : text.append(String.format("%n%s", advice)).toString();
  }

  private static String line(ImportReport imports) {
    return String.format(
        Locale.ROOT,
        "%s: %s in %s, up to %,d together, the first after %.1f s; others waited at most %.0f ms",
        imports.algorithm(),
        Amount.of(imports.snapshots(), "sorted file"),
        Amount.of(imports.imports(), "import"),
        imports.largestMerge(),
        imports.firstImportMillis() / 1000,
        imports.longestPauseMillis());
  }

  static String line(Timing timing) {
    String took = String.format(Locale.ROOT, "%.1f s by %s", timing.seconds(), timing.algorithm());
    return timing.predictedSeconds() < LEAST_SECONDS
        ? took
        : String.format(Locale.ROOT, "%s; %.1f s were predicted", took, timing.predictedSeconds());
  }

  /** Says which algorithm was chosen, and why. */
  void chosen(JobReport report) {
    report.timing().ifPresent(timing -> output.err().println("braid: " + choice(timing)));
  }

  static String choice(Timing timing) {
    if (timing.predictedSeconds() < LEAST_SECONDS) {
      return timing.algorithm()
          + " is chosen, by the size of the input; how long it takes is not known, as no load like"
          + " it has ended here"
          + (timing.predicted().isEmpty()
              ? "."
              : "; predicted seconds of others: " + new TreeMap<>(timing.predicted()));
    }
    return timing.algorithm()
        + " is chosen; predicted seconds: "
        + new TreeMap<>(timing.predicted());
  }

  private static String advice(JobReport report) {
    String id = report.spec().id();
    return switch (report.state().phase()) {
      case DONE -> "";
      case MADE, RUNNING -> resume(id);
      // The message says what the commit has met so far.
      case STAGED -> report.state().message() + String.format("%n") + resume(id);
      case CANCELLED -> "Cancelled: what was written stays.";
      case FAILED -> failed(report);
      case REMAINDER ->
          !report.spec().options().mayRetry()
              ? "By this algorithm they cannot be tried again: 'braid job commit "
                  + id
                  + "' goes without them; or 'braid job cancel "
                  + id
                  + "', mend them, and load again."
              : report.counts().left() > 0
                  ? "'braid job retry " + id + "' tries again what was left."
                  : "The rejected records can never be written as they are; 'braid job show "
                      + id
                      + "' says why. Mend them or the mapping and 'braid job retry "
                      + id
                      + "', or end the job with 'braid job cancel "
                      + id
                      + "'.";
    };
  }

  private static String resume(String id) {
    return "Go on with 'braid job resume " + id + "'.";
  }

  /** Why a job failed, where it did not come as far as to say how much is not done. */
  private static String failed(JobReport report) {
    String undone = report.unfinished() + " of " + report.tasks() + " tasks are not done";
    String message = report.state().message();
    String why =
        message.isEmpty() || message.startsWith(undone) ? "" : String.format("%s%n", message);
    String resume = "'braid job resume " + report.spec().id() + "'";
    return report.unfinished() > 0
        ? why + undone + ": " + resume + " does them."
        : why + resume + " goes on with it.";
  }

  /** Prints a job with all its details. */
  static void show(OutputOptions output, JobReport report, boolean running, Iterable<String> why) {
    Map<String, Object> object = toObject(report);
    object.put("state", report.state().word(running));
    object.put("created", Instant.ofEpochMilli(report.spec().createdMillis()).toString());
    object.put("inputs", report.spec().inputs());
    object.put("options", report.spec().options());
    object.put("mapping", report.spec().mapping());
    object.put("failures", why);
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "Load of %s into table %s, made %s: %s.%n",
            report.spec().inputs().stream().collect(Collectors.joining(", ")),
            report.spec().table(),
            Instant.ofEpochMilli(report.spec().createdMillis()),
            report.state().word(running)));
    text.append(toText(report));
    why.forEach(line -> text.append(String.format("%n  %s", line)));
    output.print(object, text.toString());
    PrintWriter err = output.err();
    err.flush();
  }

  @Override
  public void close() {
    bar.close();
  }
}
