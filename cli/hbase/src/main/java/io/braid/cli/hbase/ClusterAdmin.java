package io.braid.cli.hbase;

import io.braid.core.data.Bytes;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.store.hbase.wire.HBaseNames;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;

/** Sends questions and commands to HBase's master. */
final class ClusterAdmin implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(6);
  private static final Duration REPAIR = Duration.ofSeconds(40);
  private static final int PAUSE_MILLIS = 200;

  private final Connection connection;
  private final Admin admin;

  private ClusterAdmin(Connection connection, Admin admin) {
    this.connection = connection;
    this.admin = admin;
  }

  static ClusterAdmin connect(ClusterHome home) {
    if (home.zooKeeper().find().isEmpty() || home.master().find().isEmpty()) {
      throw new TabletUnavailableException(
          "The cluster does not run: start it with 'braid dev-cluster start'.");
    }
    Configuration configuration = home.configuration();
    configuration.setInt("hbase.client.retries.number", 4);
    configuration.setInt("hbase.client.pause", PAUSE_MILLIS);
    try {
      Connection connection = ConnectionFactory.createConnection(configuration);
      return new ClusterAdmin(connection, connection.getAdmin());
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** HBase's messages carry the trace of the server behind their first line. */
  private static StoreException failure(IOException e) {
    String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return new TabletUnavailableException("HBase does not do it: " + first, e);
  }

  /** Waits until the cluster has a master and at least so many region servers. */
  static void awaitServers(ClusterHome home, int servers) {
    long end = System.nanoTime() + START.toNanos();
    long repair = System.nanoTime() + REPAIR.toNanos();
    String last = "";
    while (System.nanoTime() < end) {
      requireRunning(home);
      try (ClusterAdmin admin = connect(home)) {
        if (admin.regionCounts().size() >= servers) {
          if (System.nanoTime() > repair) {
            repair = System.nanoTime() + REPAIR.toNanos();
            admin.recoverUnknownServers();
          }
          if (admin.isInitialized()) {
            return;
          }
        }
        last = "not all region servers are there";
      } catch (StoreException e) {
        last = String.valueOf(e.getMessage());
      }
      pause();
    }
    throw new TabletUnavailableException(
        "The cluster has not come up within "
            + START.toMinutes()
            + " minutes ("
            + last
            + "): see the logs in "
            + home.directory().resolve("logs")
            + ".");
  }

  /**
   * Has regions opened elsewhere that belong, by HBase's notes, to servers that HBase no longer
   * knows. A master that begins while servers die may find such regions, and then waits for them.
   */
  private void recoverUnknownServers() {
    try (Hbck repair = connection.getHbck()) {
      List<Long> unused = repair.scheduleSCPsForUnknownServers();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private static void requireRunning(ClusterHome home) {
    for (ClusterProcess process : home.processes()) {
      if (process.find().isEmpty()) {
        throw new StoreException(
            "The process " + process.name() + " has ended: see " + process.log() + ".");
      }
    }
  }

  /** Only a master that has come up answers this. */
  private boolean isInitialized() {
    try {
      return admin.listNamespaces().length > 0;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  static void pause() {
    pause(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
  }

  static void pause(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(Math.max(0, nanos));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted.", e);
    }
  }

  /** How many regions each live region server has, by its port. */
  Map<Integer, Integer> regionCounts() {
    try {
      Map<Integer, Integer> counts = new HashMap<>();
      admin
          .getClusterMetrics()
          .getLiveServerMetrics()
          .forEach(
              (server, metrics) -> counts.put(server.getPort(), metrics.getRegionMetrics().size()));
      return counts;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Asks the cluster to end in order. */
  void shutdown() {
    try {
      admin.shutdown();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Moves the region that holds a key. */
  void move(String table, Bytes key, ClusterProcess to) {
    try {
      RegionInfo region = locate(table, key).getRegion();
      admin.move(region.getEncodedNameAsBytes(), live(to));
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Moves one of the regions of a table, chosen by a number, to one of the servers. */
  void moveSome(String table, int region, ClusterProcess to) {
    try {
      List<RegionInfo> regions = regions(table);
      ServerName server = live(to);
      admin.move(regions.get(region % regions.size()).getEncodedNameAsBytes(), server);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Makes one region of two neighbours, chosen by a number; false when there is but one. */
  boolean mergeSome(String table, int region) {
    try {
      List<RegionInfo> regions = regions(table);
      if (regions.size() < 2) {
        return false;
      }
      int at = region % (regions.size() - 1);
      admin.mergeRegionsAsync(
          new byte[][] {
            regions.get(at).getEncodedNameAsBytes(), regions.get(at + 1).getEncodedNameAsBytes()
          },
          false);
      return true;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Returns the regions in the order of their keys. */
  private List<RegionInfo> regions(String table) throws IOException {
    return admin.getRegions(TableName.valueOf("braid", HBaseNames.table(table))).stream()
        .sorted(RegionInfo.COMPARATOR)
        .toList();
  }

  private ServerName live(ClusterProcess process) throws IOException {
    return admin.getClusterMetrics().getLiveServerMetrics().keySet().stream()
        .filter(each -> each.getPort() == process.port())
        .findFirst()
        .orElseThrow(
            () -> new StoreException("The region server " + process.name() + " is not live."));
  }

  /** The port of the region server that has a key, if any has. */
  Optional<Integer> portOf(String table, Bytes key) {
    try {
      return Optional.ofNullable(locate(table, key).getServerName()).map(ServerName::getPort);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private HRegionLocation locate(String table, Bytes key) throws IOException {
    TableName name = TableName.valueOf("braid", HBaseNames.table(table));
    if (!admin.tableExists(name)) {
      throw new StoreException("There is no table " + table + " in the cluster.");
    }
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      return locator.getRegionLocation(HBaseNames.key(key), true);
    }
  }

  @Override
  public void close() {
    try {
      admin.close();
      connection.close();
    } catch (IOException e) {
      throw failure(e);
    }
  }
}
