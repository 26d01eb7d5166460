package io.braid.lab;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.command.UsageException;
import io.braid.cli.command.Verb;
import io.braid.simulation.scope.Explorer;
import io.braid.simulation.scope.SmallScope;
import io.braid.simulation.scope.SmallScopes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Explores small cases in full. */
@Command(
    name = "scopes",
    description = {
      "Runs the real protocol code through every order of steps of small cases: a few processes,"
          + " each with one transaction or key group, of which one dies, or misses an answer, at every"
          + " place. Prints how many orders there are. Where simulate draws, this leaves nothing out."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing is wrong",
      "1:an order shows what must not be, and is printed; or time was too short for all"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid scopes                       # those that take seconds",
      "  braid scopes --all --minutes 30    # all, each for half an hour at most",
      "  braid scopes --only omid --json"
    })
public final class ScopesCommand implements Verb, Callable<Integer> {
  @Option(names = "--all", description = "Also those that take many minutes each.")
  boolean all;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description = "Only those with TEXT in their names.")
  @Nullable String only;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description = "How long each is explored at most (default: 10).")
  double minutes = 10;

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    RunOptions.quietLogs();
    List<SmallScope> scopes =
        (all ? SmallScopes.all() : SmallScopes.quick())
            .stream().filter(scope -> only == null || scope.name().contains(only)).toList();
    if (scopes.isEmpty()) {
      throw new UsageException("No scope has '" + only + "' in its name.");
    }
    if (!(minutes > 0)) {
      throw new UsageException("--minutes is more than 0.");
    }
    boolean wrong = false;
    try (Progress bar = new Progress(output.err())) {
      for (SmallScope scope : scopes) {
        wrong |= explore(scope, bar);
      }
    }
    return wrong ? ExitCode.FAILED : ExitCode.DONE;
  }

  private boolean explore(SmallScope scope, Progress bar) {
    long begun = System.nanoTime();
    long most = (long) (minutes * Duration.ofMinutes(1).toNanos());
    AtomicLong runs = new AtomicLong();
    Explorer.Report report =
        new Explorer(scope)
            .explore(
                () -> {
                  bar.show(scope.name(), runs.incrementAndGet(), "runs");
                  return System.nanoTime() - begun > most;
                });
    double seconds = (System.nanoTime() - begun) / 1e9;
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("scope", report.scope());
    object.put("complete", report.isComplete());
    object.put("orders", report.orders());
    object.put("states", report.states());
    object.put("runs", report.runs());
    object.put("seconds", seconds);
    String failure = report.failure();
    if (failure != null) {
      object.put("failure", failure);
    }
    output.print(object, line(report, seconds));
    return !report.isComplete();
  }

  private static String line(Explorer.Report report, double seconds) {
    String failure = report.failure();
    if (failure != null) {
      return report.scope() + ": WRONG\n" + failure;
    }
    return String.format(
        Locale.ROOT,
        "%s: %s, %,d states, %,d runs, %.1f s",
        report.scope(),
        report.isComplete()
            ? String.format(Locale.ROOT, "all %,d orders", report.orders())
            : "not all orders in this time",
        report.states(),
        report.runs(),
        seconds);
  }
}
