package io.braid.cli;

import io.braid.simulation.Campaign;
import io.braid.simulation.CampaignTable;
import io.braid.simulation.Scenarios;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Simulates for many hours, over several sittings. */
@Command(
    name = "campaign",
    description = {
      "Runs one seed after another of every scenario, until so many hours have been simulated.",
      "Each run is a line of the log; a campaign that was ended at any point goes on from there."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:no run failed", "1:runs failed; how to replay them is printed"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid simulate campaign --hours 100 --log campaign.jsonl",
      "  braid simulate campaign --hours 100 --log campaign.jsonl     # again: goes on",
      "  braid simulate campaign --hours 0 --log campaign.jsonl       # only tells what came of it"
    })
final class CampaignCommand implements Callable<Integer> {
  @Option(
      names = "--hours",
      paramLabel = "H",
      description =
          "How many simulated hours under load there shall be, with those in the log "
              + "(default: ${DEFAULT-VALUE}).")
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
      names = "--log",
      paramLabel = "FILE",
      description = "Where the runs are written down (default: ${DEFAULT-VALUE}).")
  Path log = Path.of("campaign.jsonl");

  @Mixin RunOptions runs = new RunOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    runs.check();
    Duration each = Duration.ofSeconds(Math.round(minutes * 60));
    if (hours < 0 || each.isNegative() || each.isZero()) {
      throw new UsageException(
          "--hours takes a number from 0 on, --minutes a time of a second or more.");
    }
    RunOptions.quietLogs();
    Campaign campaign = new Campaign();
    try (CampaignLog file = CampaignLog.open(log, campaign::add);
        Progress progress = new Progress(output.err())) {
      Work work = new Work(campaign, file, each);
      campaign.run(
          work,
          runs.jobs,
          report -> {
            file.add(report);
            heard(report, campaign, progress);
          });
    }
    output.print(result(campaign), text(campaign));
    return campaign.failures().isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private void heard(SimulationReport report, Campaign campaign, Progress progress) {
    if (!report.passed()) {
      output.err().println(report.toText());
      output.err().flush();
    }
    progress.show(
        "simulated minutes",
        campaign.load().toMinutes(),
        (long) (hours * 60),
        String.format(
            Locale.ROOT,
            "in %,d runs, %,d violations",
            campaign.runs(),
            campaign.failures().size()));
  }

  private Map<String, Object> result(Campaign campaign) {
    Map<String, Object> result = new LinkedHashMap<>(campaign.toObject());
    result.put("log", log.toString());
    return result;
  }

  private static String text(Campaign campaign) {
    StringBuilder text = new StringBuilder(CampaignTable.of(campaign));
    text.append(
        String.format(
            Locale.ROOT,
            "%n%,d runs, %.2f simulated hours under load, %,d violations",
            campaign.runs(),
            campaign.load().toMillis() / 3_600_000.0,
            campaign.failures().size()));
    campaign.failures().forEach(failed -> text.append("\n  ").append(failed.replay()));
    return text.toString();
  }

  /** What is left to run: the seeds from the first on that are not in the log. */
  private final class Work implements Iterator<SimulationOptions> {
    private final Campaign campaign;
    private final Iterator<SimulationOptions> all;

    Work(Campaign campaign, CampaignLog file, Duration each) {
      this.campaign = campaign;
      this.all =
          LongStream.iterate(firstSeed, seed -> seed + 1)
              .boxed()
              .flatMap(seed -> seed(seed, each))
              .filter(run -> !file.has(run))
              .iterator();
    }

    private Stream<SimulationOptions> seed(long seed, Duration each) {
      return Scenarios.names().stream()
          .flatMap(name -> runs.of(SimulationOptions.of(name, seed).duration(each)).stream());
    }

    @Override
    public boolean hasNext() {
      return campaign.load().toMillis() < hours * 3_600_000;
    }

    @Override
    public SimulationOptions next() {
      return all.next();
    }
  }
}
