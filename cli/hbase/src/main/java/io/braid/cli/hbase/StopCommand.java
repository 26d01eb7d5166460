package io.braid.cli.hbase;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.core.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "stop",
    description = "Stops the cluster; its data stays.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  braid dev-cluster stop")
final class StopCommand implements Callable<Integer> {
  private static final Duration IN_ORDER = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    ClusterHome home = cluster.existing();
    List<ClusterProcess> running =
        home.processes().stream().filter(each -> each.find().isPresent()).toList();
    shutDown(home);
    for (int i = running.size() - 1; i >= 0; i--) {
      ClusterProcess process = running.get(i);
      process
          .find()
          .filter(handle -> !process.isOfHBase() || !ClusterProcess.awaitEnd(handle, IN_ORDER))
          .ifPresent(handle -> process.end(PATIENCE));
    }
    output.print(
        Map.of("stopped", running.stream().map(ClusterProcess::name).toList()),
        running.isEmpty() ? "The cluster did not run." : "The cluster is stopped.");
    return ExitCode.DONE;
  }

  /** If the master cannot be asked, the processes are ended one by one. */
  private void shutDown(ClusterHome home) {
    if (home.master().find().isEmpty() || home.zooKeeper().find().isEmpty()) {
      home.regionServers().forEach(each -> each.end(PATIENCE));
      return;
    }
    try (ClusterAdmin admin = ClusterAdmin.connect(home)) {
      admin.shutdown();
    } catch (StoreException e) {
      output.err().println("braid: " + e.getMessage() + " Its processes are ended one by one.");
      home.regionServers().forEach(each -> each.end(PATIENCE));
      home.master().end(PATIENCE);
    }
  }
}
