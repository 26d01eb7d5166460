package io.braid.cli.loads;

import io.braid.Braid;
import io.braid.batch.JobException;
import io.braid.batch.engine.EngineWrites;
import io.braid.batch.engine.OpenLoads;
import io.braid.batch.job.JobDirectory;
import io.braid.batch.job.LoadJob;
import io.braid.batch.mapping.Mapping;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows, continues and ends loads. */
@Command(
    name = "job",
    description = "Loads that were begun: shows them, goes on with them, ends them.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid job list",
      "  braid job show nightly-7",
      "  braid job resume nightly-7     # does what is not done",
      "  braid job retry nightly-7      # tries again what failed"
    })
public final class JobCommand {
  private static final int EXAMPLES = 10;

  @Command(
      name = "list",
      description = "Lists jobs.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid job list --json")
  int list(@Mixin JobOptions.Kept jobs, @Mixin OutputOptions output) throws IOException {
    int code = ExitCode.DONE;
    Path directory = jobs.directory();
    for (String id : JobDirectory.ids(directory)) {
      try {
        JobDirectory.JobStatus look = JobDirectory.of(directory, id).look();
        JobScreen.list(output, look.report(), look.worked());
      } catch (JobException e) {
        // A damaged job hides no other.
        code = output.refused(e.code(), "job " + id + ": " + e.getMessage());
      }
    }
    output.err().flush();
    return code;
  }

  @Command(
      name = "show",
      description = "Shows a job: its record counts, what is not done, and why records failed.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid job show nightly-7 --json")
  int show(
      @Parameters(paramLabel = "ID", description = "The job.") String id,
      @Mixin JobOptions.Kept jobs,
      @Mixin OutputOptions output)
      throws IOException {
    JobDirectory directory = JobDirectory.of(jobs.directory(), id);
    JobDirectory.JobStatus look = directory.look();
    JobScreen.show(
        output,
        look.report(),
        look.worked(),
        directory.failures(EXAMPLES).stream().map(JobScreen::line).toList());
    return ExitCode.DONE;
  }

  @Command(
      name = "resume",
      description = "Goes on with a job: does the tasks that are not done, and only those.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid job resume nightly-7")
  int resume(
      @Parameters(paramLabel = "ID", description = "The job.") String id,
      @Mixin JobOptions jobs,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output)
      throws IOException {
    try (Braid db = database.openExisting();
        JobScreen screen = new JobScreen(output)) {
      return screen.report(LoadJob.open(db.loads(), jobs.directory(database.data), id).run(screen));
    }
  }

  @Command(
      name = "retry",
      description =
          "Runs a job over the records it could not write, until what remains can never succeed.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {"  braid job retry nightly-7", "  braid job retry nightly-7 --mapping mended.json"})
  int retry(
      @Parameters(paramLabel = "ID", description = "The job.") String id,
      @Option(
              names = "--mapping",
              paramLabel = "FILE",
              description = "Use this mapping from now on.")
          @Nullable Path mapping,
      @Mixin JobOptions jobs,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output)
      throws IOException {
    try (Braid db = database.openExisting();
        JobScreen screen = new JobScreen(output)) {
      LoadJob job = LoadJob.open(db.loads(), jobs.directory(database.data), id);
      if (mapping != null) {
        job = job.with(Mapping.read(mapping));
      }
      return screen.report(job.retry(screen));
    }
  }

  @Command(
      name = "commit",
      description = "Makes an atomic load visible although some of its records were not written.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid job commit nightly-7")
  int commit(
      @Parameters(paramLabel = "ID", description = "The job.") String id,
      @Mixin JobOptions jobs,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output)
      throws IOException {
    try (Braid db = database.openExisting();
        JobScreen screen = new JobScreen(output)) {
      return screen.report(LoadJob.open(db.loads(), jobs.directory(database.data), id).commit());
    }
  }

  @Command(
      name = "cancel",
      description = "Ends a job. What it has written stays.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid job cancel nightly-7")
  int cancel(
      @Parameters(paramLabel = "ID", description = "The job.") String id,
      @Mixin JobOptions jobs,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output)
      throws IOException {
    JobDirectory directory = JobDirectory.of(jobs.directory(database.data), id);
    if (directory.isLocked()) {
      directory.askToCancel();
      output.print(
          Map.of("job", id, "asked", true),
          "Job " + id + " is running: it ends as soon as it sees this.");
      return ExitCode.DONE;
    }
    try (Braid db = database.openExisting()) {
      LoadJob job = LoadJob.open(db.loads(), jobs.directory(database.data), id);
      job.cancel();
      JobScreen.list(output, directory.report(), false);
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "writes",
      description = {
        "Lists writes of Spark and MapReduce that have not ended, and loads that become visible as a"
            + " whole, wherever their jobs lie.",
        "Each holds a pin until it does. One whose driver has died, or whose job is lost, is ended by"
            + " 'braid job reclaim'."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid job writes --json")
  int writes(@Mixin DatabaseOptions database, @Mixin OutputOptions output) {
    try (Braid db = database.openExisting()) {
      EngineWrites writes = new EngineWrites(db.loads());
      List<EngineWrites.Write> all = writes.all();
      for (EngineWrites.Write each : all) {
        JobScreen.write(output, each, writes.isAlive(each));
      }
      List<OpenLoads.OpenLoad> loads = new OpenLoads(db.loads()).ofJobs();
      loads.forEach(each -> JobScreen.open(output, each));
      if (all.isEmpty() && loads.isEmpty()) {
        output.nothing("every write of Spark and MapReduce has ended, and every load.");
      }
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "reclaim",
      description = {
        "Ends a write of Spark or MapReduce whose driver has died, or a load whose job is lost, and"
            + " clears away what it left.",
        "Committed records stay. Uncommitted records were never visible."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {"  braid job reclaim spark-3f6c...", "  braid job reclaim nightly --force"})
  int reclaim(
      @Parameters(paramLabel = "ID", description = "The write, as 'braid job writes' names it.")
          String id,
      @Option(
              names = "--force",
              description =
                  "Also if the process that began it may be alive, or its job may be there: it cannot"
                      + " commit then.")
          boolean force,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output)
      throws IOException {
    try (Braid db = database.openExisting()) {
      EngineWrites writes = new EngineWrites(db.loads());
      for (EngineWrites.Write each : writes.all()) {
        if (each.id().equals(id) && writes.isAlive(each) && !force) {
          throw new JobException(
              "The process that began write "
                  + id
                  + " may be alive: end it first, or say --force.");
        }
      }
      Optional<OpenLoads.OpenLoad> load = new OpenLoads(db.loads()).find(id);
      if (load.isPresent() && !force) {
        throw new JobException(
            "Load "
                + id
                + " is that of a job: 'braid job cancel "
                + id
                + "' gives it up, where the folder of its jobs is. If that is lost, say --force.");
      }
      boolean committed =
          load.isPresent() ? new OpenLoads(db.loads()).end(load.get()) : writes.reclaim(id);
      output.print(
          Map.of("write", id, "committed", committed),
          committed
              ? "Write " + id + " had committed: it stays, and what was left of it is cleared away."
              : "Write " + id + " is given up and cleared away: no reader has seen any of it.");
      return ExitCode.DONE;
    }
  }
}
