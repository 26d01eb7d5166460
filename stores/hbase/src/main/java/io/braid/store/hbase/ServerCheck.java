package io.braid.store.hbase;

import io.braid.core.store.StoreException;
import io.braid.store.hbase.wire.ReleaseProbe;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Looks whether every region server has Braid's jars, before a table is created: one without them
 * would stop when it opens a region of the table. Servers without any region cannot be asked.
 */
final class ServerCheck {
  private final AsyncConnection connection;
  private final AsyncAdmin admin;
  private final HBaseOptions options;

  ServerCheck(AsyncConnection connection, AsyncAdmin admin, HBaseOptions options) {
    this.connection = connection;
    this.admin = admin;
    this.options = options;
  }

  /**
   * @throws StoreException when a server lacks the jars, or has those of another release
   */
  void requireJars() {
    String doing = "Looking at the region servers";
    for (ServerName server :
        Futures.await(admin.getRegionServers(true), options.patience(), doing)) {
      List<RegionInfo> regions = Futures.await(admin.getRegions(server), options.patience(), doing);
      if (!regions.isEmpty()) {
        ask(server, regions.get(0));
      }
    }
  }

  private void ask(ServerName server, RegionInfo region) {
    byte[] start = region.getStartKey();
    Get get = new Get(start.length == 0 ? new byte[] {0} : start).setFilter(new ReleaseProbe());
    try {
      Futures.await(
          connection.getTable(region.getTable()).get(get),
          options.patience(),
          "Asking region server " + server.getHostname());
    } catch (StoreException e) {
      throw explain(server, e);
    }
  }

  static StoreException explain(ServerName server, StoreException e) {
    String text = String.valueOf(e.getMessage());
    boolean missing = text.contains("ClassNotFoundException") || text.contains("NoClassDefFound");
    boolean other = text.contains("DeserializationException");
    if (!missing && !other) {
      return e;
    }
    return new StoreException(
        "Region server "
            + server.getHostname()
            + ":"
            + server.getPort()
            + (missing
                ? " does not have Braid's jar. It would stop when it opens a table of Braid, so"
                    + " nothing was created: put braid-region-server.jar"
                : " has Braid's jar of another release. Put braid-region-server.jar of this one")
            + " on the class path of the master and of all region servers, restart them one after"
            + " another, and try again.",
        e);
  }
}
