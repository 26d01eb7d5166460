package io.braid.cli.hbase;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.core.store.StoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "status",
    description = {
      "Tells which processes of the cluster run, and how many regions each server has.",
      "Ends with 4 when one that was started does not run."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  braid dev-cluster status --json")
final class StatusCommand implements Callable<Integer> {
  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    ClusterHome home = cluster.existing();
    Map<Integer, Integer> regions = regions(home);
    boolean whole = true;
    for (ClusterProcess process : home.processes()) {
      Optional<ProcessHandle> handle = process.find();
      whole &= handle.isPresent();
      Integer count = process.isRegionServer() ? regions.get(process.port()) : null;
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("process", process.name());
      object.put("running", handle.isPresent());
      handle.ifPresent(each -> object.put("pid", each.pid()));
      if (count != null) {
        object.put("regions", count);
      }
      object.put("log", process.log().toString());
      output.print(
          object,
          String.format(
              "%-10s %s%s",
              process.name(),
              handle.map(each -> "runs as process " + each.pid()).orElse("does not run"),
              count == null ? "" : ", regions: " + count));
    }
    return whole ? ExitCode.DONE : ExitCode.UNAVAILABLE;
  }

  private Map<Integer, Integer> regions(ClusterHome home) {
    try (ClusterAdmin admin = ClusterAdmin.connect(home)) {
      return admin.regionCounts();
    } catch (StoreException e) {
      output.err().println("braid: " + e.getMessage());
      return Map.of();
    }
  }
}
