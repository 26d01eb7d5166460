package io.braid.cli.hbase;

import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.cli.command.AwaitStop;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Verb;
import io.braid.connect.hbase.ManagerNode;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.TimestampUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The transaction manager as a process of its own. */
@Command(
    name = "tm",
    description = {
      "Gives out timestamps and finds conflicts for all processes on a database in HBase, until it"
          + " is stopped.",
      "Run two: one of them is the leader, the other a standby, which takes over when the leader"
          + " dies. Every process on a database does so unless it is configured with"
          + " cluster.coordinator = off."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid tm --listen 10.0.0.7:7810 --config braid.conf",
      "  braid tm --listen 127.0.0.1:0 --every 10s --json",
      "  braid tm --listen 127.0.0.1:7810 --metrics 127.0.0.1:9464",
      "  braid tm --status"
    })
public final class TmCommand implements Verb, Callable<Integer> {
  private static final Duration LOOK = Duration.ofMillis(100);

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description =
          "Where others reach it; port 0 takes any that is free (default: as cluster.address"
              + " says).")
  @Nullable String listen;

  @Option(
      names = "--status",
      description = "Say what the leader has done since it became the leader, and start nothing.")
  boolean status;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Print a line of figures so often while it is the leader, such as 10s.")
  @Nullable Duration every;

  @Option(
      names = "--metrics",
      paramLabel = "HOST:PORT",
      description = "Where Prometheus finds the figures, at /metrics.")
  @Nullable String metrics;

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    BraidConfig config = database.shared();
    if (listen != null) {
      config = config.with(Setting.CLUSTER_ADDRESS, listen);
    }
    return status ? tell(config) : serve(config);
  }

  private int tell(BraidConfig config) {
    try (ManagerNode node = ManagerNode.watch(config)) {
      ManagerReport report = ManagerReport.of(node.figures());
      String holder = node.holder().orElse("a process that is gone");
      Map<String, Object> told = report.toMap();
      told.put("leader", holder);
      output.print(told, "Leader: " + holder + ". " + report.toText());
      return ExitCode.DONE;
    } catch (TimestampUnavailableException e) {
      throw new TabletUnavailableException(
          "No transaction manager is the leader: start one with 'braid tm', or any process on the"
              + " database.",
          e);
    }
  }

  private int serve(BraidConfig config) throws IOException {
    try (AwaitStop stop = new AwaitStop();
        ManagerNode node = ManagerNode.start(config);
        MetricsPage page = MetricsPage.open(metrics, node)) {
      Map<String, Object> started = new LinkedHashMap<>();
      started.put("event", "started");
      started.put("port", node.port());
      page.port().ifPresent(port -> started.put("metrics_port", port));
      started.put("pid", ProcessHandle.current().pid());
      output.print(
          started, "The transaction manager listens at port " + node.port() + ". Ctrl-C ends it.");
      watch(node, stop);
      return stop.ended(ExitCode.DONE);
    }
  }

  private void watch(ManagerNode node, AwaitStop stop) {
    boolean leader = false;
    long printed = System.nanoTime();
    while (!stop.await(LOOK)) {
      if (node.leads() != leader) {
        leader = !leader;
        output.print(
            Map.of("event", leader ? "leader" : "standby"),
            leader ? "It is the leader now." : "It is a standby now.");
      }
      Duration interval = every;
      long now = System.nanoTime();
      if (leader && interval != null && now - printed >= interval.toNanos()) {
        printed = now;
        print(node);
      }
    }
  }

  private void print(ManagerNode node) {
    try {
      ManagerReport report = ManagerReport.of(node.figures());
      output.print(report.toMap(), report.toText());
    } catch (TimestampUnavailableException e) {
      // The manager has just been replaced; the next look reports the replacement.
    }
  }
}
