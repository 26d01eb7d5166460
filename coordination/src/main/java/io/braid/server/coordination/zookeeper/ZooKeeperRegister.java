package io.braid.server.coordination.zookeeper;

import io.braid.core.data.Bytes;
import io.braid.server.coordination.Register;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.data.Stat;

/**
 * A register as a node. Its revision is the id of the change that wrote it, which never repeats,
 * not even when the node is removed and made again.
 *
 * <p>The client repeats a call whose answer was lost. So when another process seems to have been
 * first, the call itself may have been. The value tells the two apart, which is why every value is
 * written once.
 */
final class ZooKeeperRegister implements Register {
  private final ZooKeeperCoordination coordination;
  private final CuratorFramework client;
  private final String path;

  ZooKeeperRegister(ZooKeeperCoordination coordination, CuratorFramework client, String path) {
    this.coordination = coordination;
    this.client = client;
    this.path = path;
  }

  @Override
  public Entry read() {
    return coordination.ask(
        () -> {
          Stat stat = new Stat();
          try {
            client.sync().forPath(path);
            byte[] value = client.getData().storingStatIn(stat).forPath(path);
            return new Entry(stat.getMzxid(), Bytes.wrap(value));
          } catch (NoNodeException e) {
            return Entry.NONE;
          }
        });
  }

  @Override
  public boolean replace(Entry expected, Bytes value) {
    return coordination.ask(() -> write(expected, value)) || read().value().equals(value);
  }

  private boolean write(Entry expected, Bytes value) throws Exception {
    try {
      if (expected.revision() < 0) {
        client
            .create()
            .creatingParentContainersIfNeeded()
            .withMode(CreateMode.PERSISTENT)
            .forPath(path, value.toArray());
        return true;
      }
      Stat stat = client.checkExists().forPath(path);
      if (stat == null || stat.getMzxid() != expected.revision()) {
        return false;
      }
      // Like the revision that was just checked, the version counts changes of this very node.
      client.setData().withVersion(stat.getVersion()).forPath(path, value.toArray());
      return true;
    } catch (NodeExistsException | BadVersionException | NoNodeException e) {
      return false;
    }
  }
}
