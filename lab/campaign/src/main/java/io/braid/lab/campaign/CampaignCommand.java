package io.braid.lab.campaign;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.command.UsageException;
import io.braid.cli.command.Verb;
import io.braid.lab.RunOptions;
import io.braid.simulation.Scenarios;
import io.braid.simulation.Simulation;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import io.braid.simulation.campaign.Campaign;
import io.braid.simulation.campaign.OnceFailed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Everything that looks for faults, in turn, for many hours and over several sittings. */
@Command(
    name = "campaign",
    description = {
      "Looks for faults: one seed after another of every simulation, and after each of them a drill of"
          + " real processes that are killed and of garbage sent to everything that listens.",
      "Each run is a line of DIR/runs.jsonl; a campaign that was ended at any point goes on from"
          + " there. summary.json and summary.md tell what came of it, failed.txt has the seeds that"
          + " failed."
    },
    mixinStandardHelpOptions = true,
    subcommands = KeepCommand.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing failed",
      "1:runs failed, or a drill could not be made; what to do is printed",
      "2:wrong usage; nothing was run"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid campaign --hours 100",
      "  braid campaign --hours 200                        # goes on with it",
      "  braid campaign --hours 10 --with killed,fuzz,cluster   # HBase too: 4 GB, 3 minutes a seed",
      "  braid campaign --hours 10 --with none --jobs 4    # simulations alone",
      "  braid campaign --hours 0                          # only tells what came of it",
      "  braid campaign --hours 1 --again campaign/failed.txt --dir again",
      "  braid campaign keep campaign                      # adds it to those that are kept"
    })
public final class CampaignCommand implements Verb, Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofMinutes(30);
  private static final double MOST_HOURS = 1_000_000;

  private final Function<SimulationOptions, SimulationReport> simulation;
  private final @Nullable Path launcher;

  @Option(
      names = "--hours",
      paramLabel = "H",
      description =
          "How many simulated hours under load there shall be, with those in the log (default:"
              + " ${DEFAULT-VALUE}).")
  double hours = 1;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description =
          "How many simulated minutes the clients of a run work (default: ${DEFAULT-VALUE}).")
  double minutes = 3;

  @Option(
      names = "--first-seed",
      paramLabel = "N",
      description = "The first seed (default: ${DEFAULT-VALUE}).")
  long firstSeed = 1;

  @Option(
      names = "--with",
      split = ",",
      paramLabel = "PART",
      description =
          "What is done with real processes after each seed: killed (the embedded store), model"
              + " (programs over all features), fuzz (listeners), cluster (HBase); or none (default:"
              + " killed,model,fuzz).")
  List<String> with = List.of("killed", "model", "fuzz");

  @Option(
      names = "--again",
      paramLabel = "FILE",
      description = "Runs that failed once, to be run first: the failed.txt of another campaign.")
  @Nullable Path again;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where everything is kept (default: ${DEFAULT-VALUE}).")
  Path dir = Path.of("campaign");

  @Mixin RunOptions runs = new RunOptions();
  @Mixin OutputOptions output = new OutputOptions();

  /** The real ones. */
  public CampaignCommand() {
    this(Simulation::run, launcherOfThis());
  }

  /**
   * Others, of which the outcome is known.
   *
   * @param launcher the script that starts Braid, if there is one
   */
  CampaignCommand(
      Function<SimulationOptions, SimulationReport> simulation, @Nullable Path launcher) {
    this.simulation = simulation;
    this.launcher = launcher;
  }

  private static @Nullable Path launcherOfThis() {
    String path = System.getenv("BRAID_LAUNCHER");
    return path == null ? null : Path.of(path);
  }

  @Override
  public Integer call() throws IOException {
    runs.check();
    Duration each = Duration.ofSeconds(Math.round(minutes * 60));
    if (!(hours >= 0 && hours <= MOST_HOURS) || each.isNegative() || each.isZero()) {
      throw new UsageException(
          "--hours takes a number from 0 to a million, --minutes a time of a second or more.");
    }
    Set<RealPart> parts = RealPart.named(with);
    if (!parts.isEmpty() && launcher == null && hours > 0) {
      throw new UsageException(
          "Drills of real processes need the script that starts Braid: call ./braid campaign, or add"
              + " --with none.");
    }
    List<SimulationOptions> first = again();
    if (Files.exists(dir) && !Files.isDirectory(dir)) {
      throw new UsageException(dir + " is no directory: name another with --dir.");
    }
    Files.createDirectories(dir);
    RunOptions.quietLogs();
    CampaignResult result = new CampaignResult(new Campaign(simulation));
    try (CampaignLog log = CampaignLog.open(dir.resolve("runs.jsonl"), result);
        Progress progress = new Progress(output.err())) {
      try {
        new Sessions(log, result, progress, each).run(first, parts);
      } finally {
        write(result);
      }
    }
    CampaignSummary summary = new CampaignSummary(result);
    Map<String, Object> object = new LinkedHashMap<>(summary.toObject());
    object.put("dir", dir.toString());
    output.print(object, summary.page());
    return result.failures() == 0 ? ExitCode.DONE : ExitCode.FAILED;
  }

  private List<SimulationOptions> again() throws IOException {
    Path file = again;
    try {
      return file == null ? List.of() : OnceFailed.read(file);
    } catch (NoSuchFileException e) {
      throw new UsageException("There is no file " + file + ".");
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private void write(CampaignResult result) {
    CampaignSummary summary = new CampaignSummary(result);
    ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    try {
      Files.writeString(
          dir.resolve("summary.json"), json.writeValueAsString(summary.toObject()) + "\n");
      Files.writeString(dir.resolve("summary.md"), summary.page());
      Files.write(dir.resolve("failed.txt"), result.failedLines(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("The summary cannot be written into " + dir + ".", e);
    }
  }

  /** One call of the command: rotations until the hours are full. */
  private final class Sessions {
    private final CampaignLog log;
    private final CampaignResult result;
    private final Progress progress;
    private final Duration each;

    Sessions(CampaignLog log, CampaignResult result, Progress progress, Duration each) {
      this.log = log;
      this.result = result;
      this.progress = progress;
      this.each = each;
    }

    void run(List<SimulationOptions> first, Set<RealPart> parts) {
      if (!first.isEmpty() || !isFull()) {
        Sitting sitting = Sitting.now();
        log.add(sitting);
        result.add(sitting);
      }
      simulate(first.stream(), false);
      for (long seed = firstSeed; !isFull(); seed++) {
        long own = seed;
        simulate(
            Scenarios.names().stream()
                .flatMap(name -> runs.of(SimulationOptions.of(name, own).duration(each)).stream()),
            true);
        for (RealPart part : parts) {
          drill(part, seed);
        }
        write(result);
      }
    }

    private boolean isFull() {
      return result.simulated().load().toMillis() >= hours * 3_600_000;
    }

    private void simulate(Stream<SimulationOptions> options, boolean bounded) {
      Iterator<SimulationOptions> left = options.filter(run -> !log.has(run)).iterator();
      Iterator<SimulationOptions> work =
          new Iterator<>() {
            @Override
            public boolean hasNext() {
              return !(bounded && isFull()) && left.hasNext();
            }

            @Override
            public SimulationOptions next() {
              return left.next();
            }
          };
      result.simulated().run(work, runs.jobs(), this::heard);
    }

    private void heard(SimulationReport report) {
      log.add(report);
      result.heard(report);
      if (!report.passed()) {
        say(report.toText());
      }
      show(report.options().scenario());
    }

    private void drill(RealPart part, long seed) {
      Path braid = launcher;
      if (braid != null && !log.has(part, seed)) {
        show(part + " ...");
        RealRun run = new Launcher(braid, dir.resolve("work"), PATIENCE).run(part, seed);
        log.add(run);
        result.add(run);
        if (!run.passed()) {
          say(part + ", seed " + seed + ": " + run.failure() + "\nCalled was\n  " + run.replay());
        }
        show(part + ", " + Math.round(run.seconds()) + " s");
      }
    }

    private void say(String text) {
      output.err().println(text);
      output.err().flush();
    }

    private void show(String last) {
      progress.show(
          "simulated minutes",
          result.simulated().load().toMinutes(),
          (long) (hours * 60),
          String.format(
              Locale.ROOT,
              "in %,d runs, %,d failures; %s",
              result.simulated().runs(),
              result.failures(),
              last));
    }
  }
}
