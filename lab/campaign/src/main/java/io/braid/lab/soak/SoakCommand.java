package io.braid.lab.soak;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.cli.command.Verb;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.SystemSeams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Everything at once, for a long time. */
@Command(
    name = "soak",
    description = {
      "Runs everything at once on a database of its own: clients of both protocols whose histories are"
          + " judged, key groups, an observer and a change feed, loads, swaps of a served store,"
          + " garbage collection.",
      "What is refused for now, as on a machine that is too busy, is tried again and counted; where"
          + " the outcome of a commit is unknown, both are taken for possible.",
      "Fails when a history is invalid, when a load, a copy or a sum is wrong, when memory, open"
          + " files or threads do not stay flat, or when a load stands still for five minutes."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  braid soak --minutes 5", "  braid soak --minutes 60 --json"})
public final class SoakCommand implements Verb, Callable<Integer> {
  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "How long (default: ${DEFAULT-VALUE}).")
  double minutes = 60;

  @Option(
      names = "--clients",
      paramLabel = "C",
      description = "Of each history (default: ${DEFAULT-VALUE}).")
  int clients = 2;

  @Option(
      names = "--txns",
      paramLabel = "T",
      description = "Transactions of each history (default: ${DEFAULT-VALUE}).")
  long transactions = 5_000;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "A folder that is not there; removed at the end unless something was wrong.")
  Path folder = Path.of("braid-soak");

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    if (minutes <= 0 || clients < 1 || transactions < 1) {
      throw new UsageException("--minutes, --clients and --txns take numbers above zero.");
    }
    if (Files.exists(folder)) {
      throw new UsageException("There is something at " + folder + ": name another with --work.");
    }
    Files.createDirectories(folder);
    Duration time = Duration.ofMillis(Math.round(minutes * 60_000));
    Duration every = Duration.ofMillis(Math.max(100, Math.min(5_000, time.toMillis() / 30)));
    boolean right;
    SystemSeams seams = new SystemSeams();
    try (Braid db = Braid.open(folder.resolve("data"), configuration());
        Soak soak = Soak.of(seams, db, folder, clients, transactions)) {
      soak.run(
          time,
          every,
          line -> {
            output.err().println("braid: " + line);
            output.err().flush();
          });
      right = report(soak);
    }
    if (right) {
      DurableFiles.deleteTree(folder);
    }
    return right ? ExitCode.DONE : ExitCode.FAILED;
  }

  /** Old versions go while it runs, so that what is stored stays flat too. */
  private static BraidConfig configuration() {
    return BraidConfig.defaults()
        .with(Setting.STORE_MEMORY, "64 MiB")
        .with(Setting.GC_KEEP, "1 min")
        .with(Setting.GC_INTERVAL, "10 s")
        .with(Setting.MAX_AGE, "30 s");
  }

  private boolean report(Soak soak) {
    List<String> wrong = new ArrayList<>();
    soak.failures().forEach((load, what) -> wrong.add(load + ": " + what));
    wrong.addAll(soak.resources().grown());
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("minutes", minutes);
    object.put("steps", soak.steps());
    object.put("refused_and_tried_again", soak.refusals().counts());
    object.put("second_and_last_third", soak.resources().medians());
    object.put("wrong", wrong);
    StringBuilder text = new StringBuilder();
    text.append(wrong.isEmpty() ? "Nothing was wrong." : String.join("\n", wrong));
    text.append("\nSteps: ").append(soak.steps());
    if (!soak.refusals().counts().isEmpty()) {
      text.append("\nRefused and tried again: ").append(soak.refusals().counts());
    }
    text.append("\nMedians of the second and the last third: ");
    text.append(soak.resources().medians());
    output.print(object, text.toString());
    return wrong.isEmpty();
  }
}
