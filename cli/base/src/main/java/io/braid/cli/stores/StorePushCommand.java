package io.braid.cli.stores;

import io.braid.cli.command.Amount;
import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.command.UsageException;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.StoreNames;
import io.braid.serving.net.HttpNode;
import io.braid.serving.node.CanaryPlan;
import io.braid.serving.push.Push;
import io.braid.serving.push.PushPlan;
import io.braid.serving.push.PushResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Brings a version to several nodes. */
@Command(
    name = "push",
    description =
        "Has nodes fetch what was built for them, and when all of them are ready, swap it in: on"
            + " all of them or on none.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store push people --from /tmp/people --to http://127.0.0.1:7811",
      "  braid store push people --from http://files:8000/people \\",
      "      --cluster http://one:7811 --id nightly-17 --tolerate 1 --token-file token",
      "  braid store push people --from /tmp/people --cluster http://one:7811 --canary 5"
    })
final class StorePushCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  String store = "";

  @Option(
      names = "--from",
      required = true,
      paramLabel = "WHERE",
      description =
          "What was built: a directory that the nodes can read, or an address: http, or what"
              + " Hadoop's client reads, as hdfs, if the nodes have it.")
  String from = "";

  @Option(names = "--number", paramLabel = "N", description = "The version (default: the next).")
  @Nullable String number;

  @Option(
      names = "--force",
      description = "Also when it has suspiciously few keys, or was rolled back.")
  boolean force;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description =
          "Names this push: pushing again with the id of one that went through changes nothing"
              + " (default: a new one).")
  @Nullable String id;

  @Option(
      names = "--tolerate",
      paramLabel = "N",
      description =
          "So many nodes of a cluster may be dead; they refuse reads until they have caught up"
              + " (default: ${DEFAULT-VALUE}).")
  int tolerated;

  @Option(
      names = "--defer",
      description = "Stop before the swap, which 'store swap STORE N' then does.")
  boolean deferred;

  @Option(
      names = "--peer-copy",
      description =
          "Bring one copy of each chunk into each zone; its other nodes copy it from there. For"
              + " nodes of a cluster.")
  boolean peers;

  @Option(
      names = "--canary",
      paramLabel = "PERCENT",
      description =
          "Before the swap, repeat so many percent of the reads in the new version, and refuse it"
              + " when more than 1 %% of the keys are missing, or values or reads are far from what"
              + " they were (default: off).")
  @Nullable Double canary;

  @Option(
      names = "--canary-reads",
      paramLabel = "N",
      description = "Reads to compare on each node (default: ${DEFAULT-VALUE}).")
  int canaryReads = 1000;

  @Option(
      names = "--canary-time",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How long to wait for them (default: 1min).")
  Duration canaryTime = Duration.ofMinutes(1);

  @Mixin RemoteOptions remote = new RemoteOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    StoreNames.store(store);
    if (!remote.isRemote()) {
      throw new UsageException("Name the nodes with --to, or one of their cluster with --cluster.");
    }
    if (tolerated > 0 && !remote.isCluster()) {
      throw new UsageException(
          "Name the nodes by --cluster with --tolerate: only those of a cluster tell each other what"
              + " one of them missed.");
    }
    List<HttpNode> nodes = remote.nodes();
    String base =
        from.contains("://") ? from : Path.of(from).toAbsolutePath().normalize().toString();
    PushPlan plan =
        PushPlan.of(store, id == null ? UUID.randomUUID().toString() : id, base)
            .version(number == null ? 0 : StoreNames.version(number))
            .forced(force)
            .tolerating(tolerated)
            .deferred(deferred)
            .peers(peers);
    if (canary != null) {
      plan = plan.canary(CanaryPlan.of(canary / 100, canaryReads, canaryTime));
    }
    push(nodes, plan);
    return ExitCode.DONE;
  }

  private void push(List<HttpNode> nodes, PushPlan plan) {
    try (Progress progress = new Progress(output.err())) {
      Push push =
          new Push(
              new SystemSeams(),
              nodes,
              plan,
              (step, done, total) -> progress.show(step, done, Math.max(done, total), ""));
      print(push.run(), nodes.size());
    }
  }

  private void print(PushResult pushed, int nodes) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("store", store);
    object.put("version", pushed.version());
    if (!deferred && !pushed.before()) {
      object.put("live", pushed.version());
    }
    object.put("nodes", nodes);
    object.put("before", pushed.before());
    object.put("deferred", deferred);
    object.put("missed", pushed.missed());
    object.put("swapMillis", pushed.swapMillis());
    String version = "Version " + pushed.version() + " of " + store;
    String text =
        pushed.before()
            ? version + " was pushed with this id before; nothing was changed."
            : deferred
                ? version + " is ready on all nodes. Make it live with 'store swap'."
                : String.format(
                    Locale.ROOT,
                    "%s is live on %s; swapped in %.1f ms.",
                    version,
                    Amount.of(nodes - pushed.missed().size(), "node"),
                    pushed.swapMillis());
    output.print(object, text);
    if (!pushed.missed().isEmpty()) {
      output.err().println("braid: " + pushed.missed() + missed(pushed));
    }
  }

  private String missed(PushResult pushed) {
    return pushed.before()
        ? " could not be asked."
        : " missed it, and will fetch it from " + from + ". Leave it there until then.";
  }
}
