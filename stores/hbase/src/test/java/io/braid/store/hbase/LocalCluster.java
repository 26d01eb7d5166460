package io.braid.store.hbase;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.metrics2.impl.JmxCacheBuster;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A real HBase in this process: ZooKeeper, a master and a region server, one for all tests. */
final class LocalCluster {
  private static final LocalCluster CLUSTER = start();

  private final Configuration configuration;

  private LocalCluster(Configuration configuration) {
    this.configuration = configuration;
  }

  static Configuration configuration() {
    return new Configuration(CLUSTER.configuration);
  }

  private static LocalCluster start() {
    try {
      Path directory = Files.createTempDirectory("braid-hbase");
      ZooKeeperServer zooKeeper =
          new ZooKeeperServer(
              directory.resolve("zk-snap").toFile(), directory.resolve("zk-log").toFile(), 1000);
      NIOServerCnxnFactory door = new NIOServerCnxnFactory();
      door.configure(new InetSocketAddress("127.0.0.1", 0), 100);
      door.startup(zooKeeper);
      Configuration configuration = HBaseConfiguration.create();
      configuration.set("hbase.rootdir", directory.resolve("root").toUri().toString());
      configuration.set("hbase.tmp.dir", directory.resolve("tmp").toString());
      configuration.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
      configuration.setBoolean("hbase.unsafe.stream.capability.enforce", false);
      configuration.set("hbase.wal.provider", "filesystem");
      configuration.setBoolean("hbase.cluster.distributed", true);
      configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
      configuration.setInt("hbase.zookeeper.property.clientPort", door.getLocalPort());
      // A chunk of 2 MB for each family of each region would fill the memory of the tests.
      configuration.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
      configuration.setInt("hbase.master.port", 0);
      configuration.setInt("hbase.regionserver.port", 0);
      configuration.setInt("hbase.master.info.port", -1);
      configuration.setInt("hbase.regionserver.info.port", -1);
      configuration.setInt("hbase.master.wait.on.regionservers.timeout", 500);
      configuration.setInt("hbase.regionserver.handler.count", 30);
      // Nobody waits for a cluster that nobody will use again.
      configuration.setBoolean("hbase.shutdown.hook", false);
      configuration.setInt("hbase.regionserver.thread.compaction.small", 2);
      // A region can be cut again when its compacted files are gone; they go this often.
      configuration.setInt("hbase.hfile.compaction.discharger.interval", 50);
      // Tests open and cut hundreds of regions; HBase collects such work to do more of it at once.
      configuration.setInt("hbase.assignment.dispatch.wait.msec", 1);
      configuration.setInt("hbase.procedure.remote.dispatcher.delay.msec", 1);
      for (String host : new String[] {"hbase.master", "hbase.regionserver"}) {
        configuration.set(host + ".hostname", "localhost");
        configuration.set(host + ".ipc.address", "127.0.0.1");
      }
      // After each change of a table it would compute the metrics of all of them anew.
      JmxCacheBuster.clearJmxCache();
      JmxCacheBuster.stop();
      LocalHBaseCluster cluster =
          new LocalHBaseCluster(configuration, 1, 1, HMaster.class, HRegionServer.class);
      cluster.startup();
      return new LocalCluster(configuration);
    } catch (IOException e) {
      throw new IllegalStateException("The cluster does not start.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The cluster does not start.", e);
    }
  }
}
