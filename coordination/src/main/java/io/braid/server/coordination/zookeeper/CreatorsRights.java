package io.braid.server.coordination.zookeeper;

import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;

/**
 * The rights to change Braid's nodes. Where ZooKeeper knows the user of a process (by SASL, TLS or
 * a digest), only this user may change them. The nodes above the root belong to all databases of
 * the cluster: others may make their own below them, and remove none. Where ZooKeeper knows no
 * users by name, all may do everything, as in ZooKeeper itself.
 */
final class CreatorsRights implements ACLProvider {
  private static final String ADDRESS = "ip";

  private final String root;
  private volatile boolean known;

  /**
   * @param root the path of Braid's nodes, beginning with a slash
   */
  CreatorsRights(String root) {
    this.root = root;
  }

  /**
   * Asks ZooKeeper who this process is, and takes over the nodes that an earlier, unknown process
   * left open to all.
   */
  void learn(CuratorFramework client) throws Exception {
    known =
        client.getZookeeperClient().getZooKeeper().whoAmI().stream()
            .anyMatch(identity -> !identity.getAuthScheme().equals(ADDRESS));
    if (known) {
      take(client, "/");
    }
  }

  private static void take(CuratorFramework client, String path) throws Exception {
    try {
      if (client.getACL().forPath(path).equals(Ids.OPEN_ACL_UNSAFE)) {
        client.setACL().withACL(Ids.CREATOR_ALL_ACL).forPath(path);
      }
      for (String child : client.getChildren().forPath(path)) {
        take(client, path.equals("/") ? "/" + child : path + "/" + child);
      }
    } catch (NoNodeException | KeeperException.NoAuthException e) {
      // The node is gone, or belongs to another user already.
    }
  }

  @Override
  public List<ACL> getDefaultAcl() {
    return known ? Ids.CREATOR_ALL_ACL : Ids.OPEN_ACL_UNSAFE;
  }

  @Override
  public List<ACL> getAclForPath(String path) {
    return known && root.startsWith(path + "/") ? shared() : getDefaultAcl();
  }

  private static List<ACL> shared() {
    List<ACL> rights = new ArrayList<>(Ids.CREATOR_ALL_ACL);
    rights.add(new ACL(Perms.CREATE | Perms.READ, Ids.ANYONE_ID_UNSAFE));
    return rights;
  }
}
