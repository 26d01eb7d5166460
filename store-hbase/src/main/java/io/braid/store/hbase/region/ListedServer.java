package io.braid.store.hbase.region;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.zookeeper.RecoverableZooKeeper;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.hadoop.hbase.zookeeper.ZNodePaths;
import org.apache.zookeeper.KeeperException;

/** The ephemeral node by which the master knows a region server, on the server's own session. */
record ListedServer(RegionServerServices server) implements ServerLease.Session {
  @Override
  public Duration timeout() {
    return Duration.ofMillis(zooKeeper().getZooKeeper().getSessionTimeout());
  }

  private RecoverableZooKeeper zooKeeper() {
    ZKWatcher watcher = server.getZooKeeper();
    return watcher.getRecoverableZooKeeper();
  }

  @Override
  public boolean isListed() throws IOException {
    String servers = server.getZooKeeper().getZNodePaths().rsZNode;
    String own = ZNodePaths.joinZNode(servers, server.getServerName().toString());
    try {
      return zooKeeper().exists(own, false) != null;
    } catch (KeeperException e) {
      throw new IOException("ZooKeeper was not reached.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("The region server stops.", e);
    }
  }
}
