package io.braid.lab.campaign;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Keeps the results of campaigns, and adds them up. */
@Command(
    name = "keep",
    description = {
      "Keeps what campaigns came to, one file for each commit that they were run on, and writes the"
          + " page that adds up all that is kept.",
      "A run that is kept already is not counted again: begin each campaign with seeds of its own"
          + " (--first-seed). What is kept of a campaign that has gone on since is replaced."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:kept", "2:wrong usage; nothing was written"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid campaign keep campaign            # a campaign that may still be at work",
      "  braid campaign keep                     # only writes the page anew"
    })
final class KeepCommand implements Callable<Integer> {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  @Parameters(
      arity = "0..*",
      paramLabel = "DIR",
      description = "Directories of campaigns, each with its runs.jsonl.")
  List<Path> campaigns = new ArrayList<>();

  @Option(
      names = "--into",
      paramLabel = "DIR",
      description = "Where all of it is kept (default: ${DEFAULT-VALUE}).")
  Path into = Path.of("docs/results/campaign");

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    Map<String, KeptRuns> kept = kept();
    List<KeptRuns> changed = new ArrayList<>();
    for (Path campaign : campaigns) {
      for (KeptRuns runs : read(campaign, kept)) {
        kept.put(runs.fileName(), runs);
        changed.add(runs);
      }
    }
    Files.createDirectories(into);
    for (KeptRuns runs : changed) {
      Files.writeString(into.resolve(runs.fileName()), JSON.writeValueAsString(runs) + "\n");
    }
    KeptSum sum = new KeptSum(List.copyOf(kept.values()));
    Files.writeString(into.resolve("README.md"), sum.page());
    output.print(sum.toObject(), sum.page());
    return ExitCode.DONE;
  }

  /** Reads the kept runs, by the name of their file. */
  private Map<String, KeptRuns> kept() throws IOException {
    Map<String, KeptRuns> kept = new TreeMap<>();
    if (!Files.exists(into)) {
      return kept;
    }
    if (!Files.isDirectory(into)) {
      throw new UsageException(into + " is no directory: name another with --into.");
    }
    try (Stream<Path> files = Files.list(into)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".json")).toList()) {
        try {
          KeptRuns runs = JSON.readValue(file.toFile(), KeptRuns.class);
          long unused = runs.runs();
          kept.put(file.getFileName().toString(), runs);
        } catch (JsonProcessingException | IllegalArgumentException e) {
          throw new UsageException(
              file + " is not what a campaign came to: move it away, or name another --into.");
        }
      }
    }
    return kept;
  }

  /** Reads the results of a campaign, without the runs that others have brought. */
  private List<KeptRuns> read(Path campaign, Map<String, KeptRuns> kept) throws IOException {
    Path log = campaign.resolve("runs.jsonl");
    if (!Files.isRegularFile(log)) {
      throw new UsageException("There is no campaign in " + campaign + ": " + log + " is missing.");
    }
    RunsByCode own = new RunsByCode(Set.of());
    CampaignLog.read(log, own);
    Set<String> names = new HashSet<>();
    own.kept().forEach(runs -> names.add(runs.fileName()));
    Set<String> counted = new HashSet<>();
    kept.forEach(
        (name, runs) -> {
          if (!names.contains(name)) {
            runs.replays().forEach(counted::add);
          }
        });
    RunsByCode rest = new RunsByCode(counted);
    CampaignLog.read(log, rest);
    if (rest.leftOut() > 0) {
      output
          .err()
          .println(
              rest.leftOut() + " runs of " + campaign + " are left out: they are kept already.");
      output.err().flush();
    }
    return rest.kept();
  }
}
