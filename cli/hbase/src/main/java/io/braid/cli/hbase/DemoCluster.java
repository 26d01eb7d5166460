package io.braid.cli.hbase;

import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.demo.OwnCluster;
import io.braid.core.data.Bytes;
import io.braid.core.store.StoreException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** The cluster of {@code braid dev-cluster}, for the demonstration. */
public final class DemoCluster implements OwnCluster {
  private static ClusterHome home(Path data) {
    return new ClusterHome(DatabaseOptions.clusterIn(data).toAbsolutePath().normalize());
  }

  @Override
  public void start(Path data, int servers, Consumer<String> say) {
    ClusterHome home = home(data);
    if (!isWhole(home, servers)) {
      StartCommand.start(home, servers, false, null, say);
    }
  }

  private static boolean isWhole(ClusterHome home, int servers) {
    return home.isThere()
        && home.regionServers().size() >= servers
        && home.processes().stream().allMatch(each -> each.find().isPresent());
  }

  @Override
  public String killServer(Path data, String table) {
    ClusterHome home = home(data);
    try (ClusterAdmin admin = ClusterAdmin.connect(home)) {
      int port =
          admin
              .portOf(table, Bytes.EMPTY)
              .orElseThrow(() -> new StoreException("No region server has table " + table + "."));
      ClusterProcess server =
          home.regionServers().stream()
              .filter(each -> each.port() == port)
              .findFirst()
              .orElseThrow(() -> new StoreException("No region server listens at " + port + "."));
      server.signal("KILL");
      return server.name();
    }
  }
}
