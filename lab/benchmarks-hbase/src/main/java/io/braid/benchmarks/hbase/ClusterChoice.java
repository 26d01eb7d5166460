package io.braid.benchmarks.hbase;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The choice of the HBase that a benchmark runs on. */
final class ClusterChoice {
  @Option(names = "--servers", description = "Region servers of the cluster that is started.")
  int servers = 2;

  @Option(
      names = "--site",
      paramLabel = "FILE",
      description =
          "The hbase-site.xml of a cluster to use; it must have Braid's jar. What is created there"
              + " is removed at the end.")
  @Nullable Path site;

  BenchCluster open() throws IOException {
    return BenchCluster.of(site, servers);
  }
}
