package io.braid.lab;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.command.UsageException;
import io.braid.cli.command.Verb;
import io.braid.core.runtime.DurableFiles;
import io.braid.lab.model.Meetings;
import io.braid.lab.model.ModelRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares random programs with a model. */
@Command(
    name = "model",
    description = {
      "Runs random programs over all that a database offers, in a directory of its own, and"
          + " compares the answers with a model: transactions, fast path, groups, indexes, loads,"
          + " feeds, backups, observers, a client of a server, drops, crashes, wrong clocks. A"
          + " program has a random part of the features.",
      "Prints how often which feature was used after which."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every program showed what the model says",
      "1:one did not; all its steps are printed"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid model                               # five programs, a minute",
      "  braid model --seeds 1000+500 --steps 200  # many, for hours",
      "  braid model --seeds 7+1 --all-features --steps 300"
    })
public final class ModelCommand implements Verb, Callable<Integer> {
  @Option(
      names = "--seeds",
      paramLabel = "FIRST+COUNT",
      converter = SeedRange.Converter.class,
      description = "COUNT programs, from the seed FIRST on (default: five, from a random one).")
  @Nullable SeedRange seeds;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "How many steps a program has (default: ${DEFAULT-VALUE}).")
  int steps = 100;

  @Option(
      names = "--all-features",
      description = "Each program has all features, and not a random part of them.")
  boolean allFeatures;

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    if (steps < 1) {
      throw new UsageException("--steps is 1 or more.");
    }
    RunOptions.quietLogs();
    SeedRange range =
        seeds == null
            ? new SeedRange(ThreadLocalRandom.current().nextInt(1_000_000_000), 5)
            : seeds;
    Meetings met = new Meetings();
    try (Progress bar = new Progress(output.err())) {
      for (long done = 0; done < range.count(); done++) {
        long seed = range.first() + done;
        bar.show("programs", done, range.count(), "seed " + seed);
        met.addAll(run(seed));
      }
    } catch (AssertionError e) {
      output.print(Map.of("failure", String.valueOf(e.getMessage())), "WRONG\n" + e.getMessage());
      return ExitCode.FAILED;
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("first_seed", range.first());
    object.put("programs", range.count());
    object.put("steps", steps);
    object.put("meetings", met.toObject());
    String text =
        "%sPrograms of %d steps from seed %d on that showed what the model says: %d."
            .formatted(met, steps, range.first(), range.count());
    output.print(object, text);
    return ExitCode.DONE;
  }

  private Meetings run(long seed) throws IOException {
    Path directory = Files.createTempDirectory("braid-model");
    try {
      return allFeatures
          ? ModelRun.ofAll(seed, directory, steps)
          : ModelRun.of(seed, directory, steps);
    } finally {
      DurableFiles.deleteTree(directory);
    }
  }
}
