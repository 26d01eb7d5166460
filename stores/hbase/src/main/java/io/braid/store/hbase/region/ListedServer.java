package io.braid.store.hbase.region;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.zookeeper.ZNodePaths;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;

/**
 * The ephemeral node by which the master knows a region server, on the server's own session.
 *
 * <p>A member of ZooKeeper that was cut off from its leader still has the node of a session that
 * the leader has expired. So it is made to catch up with the leader first, and asked then.
 *
 * @param session the requests of one session
 * @param node the path of the server's node
 */
record ListedServer(Supplier<Requests> session, String node) implements ServerLease.Session {
  /** The requests to ZooKeeper on one session, which the servers receive in this order. */
  interface Requests {
    Duration timeout();

    void sync(String path, VoidCallback done);

    void exists(String path, StatCallback done);
  }

  static ListedServer of(RegionServerServices server) {
    ZNodePaths paths = server.getZooKeeper().getZNodePaths();
    return new ListedServer(
        () -> requests(server.getZooKeeper().getRecoverableZooKeeper().getZooKeeper()),
        ZNodePaths.joinZNode(paths.rsZNode, server.getServerName().toString()));
  }

  private static Requests requests(ZooKeeper zooKeeper) {
    return new Requests() {
      @Override
      public Duration timeout() {
        return Duration.ofMillis(zooKeeper.getSessionTimeout());
      }

      @Override
      public void sync(String path, VoidCallback done) {
        zooKeeper.sync(path, done, null);
      }

      @Override
      public void exists(String path, StatCallback done) {
        zooKeeper.exists(path, false, done, null);
      }
    };
  }

  @Override
  public Duration timeout() {
    return session.get().timeout();
  }

  @Override
  public CompletableFuture<Boolean> isListed() {
    CompletableFuture<Boolean> listed = new CompletableFuture<>();
    Requests requests = session.get();
    requests.sync(
        node,
        (code, path, context) -> {
          if (code == Code.OK.intValue()) {
            requests.exists(node, (found, at, again, stat) -> answer(found, listed));
          } else {
            listed.completeExceptionally(KeeperException.create(Code.get(code), path));
          }
        });
    return listed;
  }

  private static void answer(int code, CompletableFuture<Boolean> listed) {
    switch (Code.get(code)) {
      case OK -> listed.complete(true);
      case NONODE -> listed.complete(false);
      default -> listed.completeExceptionally(KeeperException.create(Code.get(code)));
    }
  }
}
