package io.braid.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.braid.simulation.Campaign;
import io.braid.simulation.Scenarios;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Simulates a cluster that misbehaves. */
@Command(
    name = "simulate",
    description = {
      "Runs the real protocol code in a simulated cluster in which everything goes wrong that can,",
      "and judges what came of it. The same seed gives the same run."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid simulate percolator --seed 7 --minutes 2",
      "  braid simulate percolator --seeds 1..1000",
      "  braid simulate observers --seeds 1..100 --one-phase on",
      "  braid simulate percolator --seed 7 --one-phase off --trace events.txt"
    })
final class SimulateCommand implements Callable<Integer> {
  /** With one-phase commit, without, or one run of each. */
  enum OnePhase {
    ON,
    OFF,
    BOTH
  }

  @Parameters(
      index = "0",
      paramLabel = "SCENARIO",
      defaultValue = Scenarios.PERCOLATOR,
      description = "What the cluster does: percolator (default) or observers.")
  String scenario = Scenarios.PERCOLATOR;

  @Option(names = "--seed", paramLabel = "N", description = "The seed (default: a random one).")
  @Nullable Long seed;

  @Option(names = "--seeds", paramLabel = "A..B", description = "All seeds from A to B.")
  @Nullable String seeds;

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
      names = "--one-phase",
      paramLabel = "on|off|both",
      description = "Whether transactions commit in one step where they can (default: both).")
  OnePhase onePhase = OnePhase.BOTH;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Writes every event to FILE; for a single run.")
  @Nullable Path trace;

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    if (!Scenarios.names().contains(scenario)) {
      throw new UsageException(
          "There is no scenario '" + scenario + "': use one of " + Scenarios.names() + ".");
    }
    quietLogs();
    long[] range = seeds();
    Campaign campaign = trace == null ? run(range, null) : traced(range, trace);
    if (range[0] != range[1]) {
      output.print(campaign.toObject(), campaign.toText());
    }
    return campaign.failures().isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private Campaign traced(long[] range, Path file) {
    if (range[0] != range[1] || onePhase == OnePhase.BOTH) {
      throw new UsageException("--trace is for one run: give --seed and --one-phase on or off.");
    }
    try (PrintWriter to = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
      return run(range, to::println);
    } catch (IOException e) {
      throw new UncheckedIOException("The trace cannot be written to " + file + ".", e);
    }
  }

  private Campaign run(long[] range, @Nullable Consumer<String> printer) {
    return Campaign.run(
        range[0], range[1], number -> options(number, printer), report -> show(report, range));
  }

  private void show(SimulationReport report, long[] range) {
    if (range[0] == range[1] || !report.passed() || output.json()) {
      output.print(report.toObject(), report.toText());
    } else {
      output.print(report.toObject(), report.toLine());
    }
  }

  private List<SimulationOptions> options(long number, @Nullable Consumer<String> printer) {
    Duration duration =
        seconds != null
            ? Duration.ofSeconds(seconds)
            : Duration.ofMillis((long) (minutes * 60_000));
    SimulationOptions off = new SimulationOptions(scenario, number, duration, false, printer);
    return switch (onePhase) {
      case OFF -> List.of(off);
      case ON -> List.of(off.onePhase(true));
      case BOTH -> List.of(off, off.onePhase(true));
    };
  }

  private long[] seeds() {
    if (seeds == null) {
      long one = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000_000) : seed;
      return new long[] {one, one};
    }
    int dots = seeds.indexOf("..");
    try {
      long first = Long.parseLong(seeds.substring(0, Math.max(0, dots)));
      long last = Long.parseLong(seeds.substring(dots + 2));
      if (seed == null && first <= last) {
        return new long[] {first, last};
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new UsageException("--seeds takes A..B with A at most B, and no --seed beside it.");
  }

  /** The code under test warns of what the simulation does to it all the time. */
  private static void quietLogs() {
    if (System.getenv("BRAID_LOG") == null
        && LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
      root.setLevel(Level.OFF);
    }
  }
}
