package io.braid.lab;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.command.UsageException;
import io.braid.cli.command.Verb;
import io.braid.simulation.Scenarios;
import io.braid.simulation.Simulation;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import io.braid.simulation.campaign.Campaign;
import io.braid.simulation.campaign.CampaignTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Simulates a cluster that misbehaves. */
@Command(
    name = "simulate",
    description = {
      "Runs the real protocol code in a simulated cluster full of faults, and judges the result.",
      "The same seed gives the same run."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:nothing is wrong", "1:a run failed; how to replay it is printed"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid simulate percolator --seed 7 --minutes 2",
      "  braid simulate percolator --seeds 1+1000 --jobs 2",
      "  braid simulate observers --seeds 1+100 --one-phase on --json",
      "  braid simulate groups --seeds 1+100",
      "  braid simulate group-nodes --seeds 1+100",
      "  braid simulate omid --seeds 1+100",
      "  braid simulate serving --seeds 1+100",
      "  braid simulate percolator --seed 7 --one-phase off --trace events.txt",
      "  braid campaign --hours 100                  # all of them, real processes besides"
    })
public final class SimulateCommand implements Verb, Callable<Integer> {
  private final BiFunction<SimulationOptions, LongConsumer, SimulationReport> simulation;

  @Parameters(
      index = "0",
      paramLabel = "SCENARIO",
      arity = "0..1",
      defaultValue = Scenarios.PERCOLATOR,
      description =
          "What the cluster does: percolator (default), garbage, streamed, observers, operated,"
              + " groups, group-nodes, omid, changes, loads, indexes, serving, pushes, tablets or"
              + " together; docs/simulation.md tells of each.")
  String scenario = Scenarios.PERCOLATOR;

  @Option(names = "--seed", paramLabel = "N", description = "The seed (default: a random one).")
  @Nullable Long seed;

  @Option(
      names = "--seeds",
      paramLabel = "FIRST+COUNT",
      converter = SeedRange.Converter.class,
      description = "Many seeds instead: COUNT of them, from FIRST on.")
  @Nullable SeedRange seeds;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description = "How many simulated minutes the clients work (default: 1).")
  double minutes = 1;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "The same in seconds, instead of --minutes.")
  @Nullable Long seconds;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Writes every event to FILE; for a single run.")
  @Nullable Path trace;

  @Mixin RunOptions runs = new RunOptions();
  @Mixin OutputOptions output = new OutputOptions();

  public SimulateCommand() {
    this(Simulation::watched);
  }

  /** A simulation of which the outcome is known. */
  SimulateCommand(BiFunction<SimulationOptions, LongConsumer, SimulationReport> simulation) {
    this.simulation = simulation;
  }

  @Override
  public Integer call() {
    if (!Scenarios.names().contains(scenario)) {
      throw new UsageException(
          "There is no scenario '" + scenario + "': use one of " + Scenarios.names() + ".");
    }
    runs.check();
    RunOptions.quietLogs();
    SeedRange range = range();
    Campaign campaign = trace == null ? run(range, null) : traced(range, trace);
    if (range.count() > 1) {
      output.print(campaign.toObject(), CampaignTable.of(campaign).stripTrailing());
    }
    return campaign.failures().isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private SeedRange range() {
    if (seeds != null) {
      if (seed != null) {
        throw new UsageException("Give --seed or --seeds, not both.");
      }
      return seeds;
    }
    return new SeedRange(
        seed == null ? ThreadLocalRandom.current().nextInt(1_000_000_000) : seed, 1);
  }

  private Campaign traced(SeedRange range, Path file) {
    if (range.count() > 1 || runs.both()) {
      throw new UsageException("--trace is for one run: give --seed and --one-phase on or off.");
    }
    try (PrintWriter to = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
      return run(range, to::println);
    } catch (IOException e) {
      throw new UncheckedIOException("The trace cannot be written to " + file + ".", e);
    }
  }

  private Campaign run(SeedRange range, @Nullable Consumer<String> printer) {
    List<SimulationOptions> work = new ArrayList<>();
    for (long i = 0; i < range.count(); i++) {
      SimulationOptions one =
          new SimulationOptions(scenario, range.first() + i, duration(), false, printer);
      work.addAll(runs.of(one));
    }
    Progress bar = new Progress(output.err());
    try (SimulationProgress progress =
        new SimulationProgress(bar, work.size(), duration().toSeconds())) {
      Campaign campaign = new Campaign(one -> simulation.apply(one, progress.clockOf(one)));
      progress.begin();
      campaign.run(
          work.iterator(),
          runs.jobs(),
          report -> progress.ended(report.options(), () -> show(report, range)));
      return campaign;
    }
  }

  private void show(SimulationReport report, SeedRange range) {
    boolean whole = range.count() == 1 || !report.passed();
    output.print(report.toObject(), whole ? report.toText() : report.toLine());
  }

  private Duration duration() {
    Duration asked = Duration.ofSeconds(seconds != null ? seconds : Math.round(minutes * 60));
    if (asked.isNegative() || asked.isZero()) {
      throw new UsageException("--minutes and --seconds take a time of a second or more.");
    }
    return asked;
  }
}
