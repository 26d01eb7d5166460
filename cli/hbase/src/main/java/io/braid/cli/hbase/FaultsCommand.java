package io.braid.cli.hbase;

import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.cli.data.ProtocolName;
import io.braid.testkit.checker.HistoryChecker;
import io.braid.testkit.checker.Verdict;
import io.braid.testkit.history.HistoryEntry.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lets clients work while a schedule of faults runs, and judges their history. */
@Command(
    name = "faults",
    description = {
      "Lets several processes work on the cluster while its parts are killed, paused, moved and"
          + " split, and judges what they saw.",
      "One of the processes is the coordinator, until it is killed or paused for longer than its"
          + " lease. Everything is started again at the end."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid dev-cluster start --servers 3",
      "  braid dev-cluster faults --for 3min",
      "  braid dev-cluster faults --for 3min --protocol omid",
      "  braid dev-cluster faults --kinds kill_server --most 1 --for 1min --plot loss.svg",
      "  braid dev-cluster faults --kinds kill_master,kill_server --every 15s",
      "  braid dev-cluster faults --kinds pause_coordinator --every 20s",
      "  braid dev-cluster faults --kinds move,split,merge --every 2s --timeline t.jsonl"
    })
final class FaultsCommand implements Callable<Integer> {
  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How long clients work (default: 2min).")
  Duration time = Duration.ofMinutes(2);

  @Option(
      names = "--every",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "The pause between two faults (default: 10s).")
  Duration every = Duration.ofSeconds(10);

  @Option(
      names = "--kinds",
      split = ",",
      paramLabel = "KIND",
      description = "What may happen: ${COMPLETION-CANDIDATES} (default: all).")
  Set<FaultKind> kinds = EnumSet.allOf(FaultKind.class);

  @Option(names = "--most", paramLabel = "N", description = "So many faults at most.")
  int most = Integer.MAX_VALUE;

  @Option(
      names = "--protocol",
      paramLabel = "NAME",
      description = "Whose transactions: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  ProtocolName protocol = ProtocolName.percolator;

  @Option(
      names = "--processes",
      paramLabel = "N",
      description = "Processes of clients (default: ${DEFAULT-VALUE}).")
  int processes = 3;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "Clients in each of them (default: ${DEFAULT-VALUE}).")
  int clients = 4;

  @Option(
      names = "--keys",
      paramLabel = "K",
      description = "How many lists they append to (default: ${DEFAULT-VALUE}).")
  int keys = 100;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Chooses the faults (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where to write the history (default: ${DEFAULT-VALUE}).")
  Path out = Path.of("history.jsonl");

  @Option(
      names = "--timeline",
      paramLabel = "FILE",
      description = "Where to write commits of each second, and the faults, as JSON lines.")
  @Nullable Path timeline;

  @Option(names = "--plot", paramLabel = "FILE", description = "Where to draw the same (SVG).")
  @Nullable Path plot;

  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    if (processes < 1 || clients < 1 || keys < 1 || most < 0 || kinds.isEmpty()) {
      throw new UsageException("--processes, --clients and --keys take numbers from 1 on.");
    }
    ClusterHome home = cluster.existing();
    Timeline commits = new Timeline();
    Map<Type, Long> counts;
    int restarts;
    Map<String, Long> kindsBrought = new LinkedHashMap<>();
    try (FaultedRun run =
            new FaultedRun(cluster.data, protocol.protocol, clients, keys, seed, out, commits);
        Faults faults = new Faults(home, run, seed, this::say)) {
      run.begin(processes);
      commits.begin();
      long end = System.nanoTime() + time.toNanos();
      for (int count = 0; System.nanoTime() < end; count++) {
        ClusterAdmin.pause(Math.min(every.toNanos(), end - System.nanoTime()));
        run.restartEnded();
        if (count < most && System.nanoTime() < end) {
          commits.mark(faults.next(kinds));
        }
      }
      faults.brought().forEach((kind, times) -> kindsBrought.put(kind.name(), times));
      faults.mend();
      say("all is started again; reading everything ...");
      counts = run.end();
      restarts = run.restarts();
    }
    Verdict verdict = HistoryChecker.check(out);
    commits.write(timeline, plot);
    report(verdict, counts, restarts, commits, kindsBrought);
    return verdict.valid() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private void say(String text) {
    output.err().println("braid: " + text);
    output.err().flush();
  }

  private void report(
      Verdict verdict,
      Map<Type, Long> counts,
      int restarts,
      Timeline commits,
      Map<String, Long> kindsBrought) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("valid", verdict.valid());
    result.put("ok", counts.getOrDefault(Type.OK, 0L));
    result.put("fail", counts.getOrDefault(Type.FAIL, 0L));
    result.put("info", counts.getOrDefault(Type.INFO, 0L));
    result.put("faults", commits.marks());
    result.put("kinds", kindsBrought);
    result.put("client_restarts", restarts);
    result.put("longest_silence_s", commits.longestSilence());
    result.put("out", out.toString());
    result.put("seed", seed);
    output.print(
        result,
        String.format(
            "%,d transactions committed, %,d failed, %,d ended unknown; %d faults, clients started"
                + " again %d times, no commit for %d s at most.%n%s",
            counts.getOrDefault(Type.OK, 0L),
            counts.getOrDefault(Type.FAIL, 0L),
            counts.getOrDefault(Type.INFO, 0L),
            commits.marks(),
            restarts,
            commits.longestSilence(),
            verdict.toText()));
  }
}
