package io.braid.cli.hbase;

import io.braid.cli.command.DatabaseOptions;
import io.braid.core.store.StoreException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which cluster a verb is about. */
final class ClusterOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The cluster lies in DIR/cluster (default: ${DEFAULT-VALUE}).")
  Path data = Path.of("braid-data");

  ClusterHome home() {
    return new ClusterHome(DatabaseOptions.clusterIn(data).toAbsolutePath().normalize());
  }

  /** A cluster that was started before. */
  ClusterHome existing() {
    ClusterHome home = home();
    if (!home.isThere()) {
      throw new StoreException(
          "There is no cluster in "
              + home.directory()
              + ". Start one with 'braid dev-cluster start', or name its directory with --data.");
    }
    return home;
  }
}
