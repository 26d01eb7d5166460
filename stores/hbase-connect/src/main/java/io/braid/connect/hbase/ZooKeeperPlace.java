package io.braid.connect.hbase;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;

/**
 * Where processes on a database meet: in HBase's ZooKeeper, beside HBase's own nodes.
 *
 * @param servers as ZooKeeper's clients take them
 * @param root the path of Braid's nodes for one database
 */
record ZooKeeperPlace(String servers, String root) {
  static ZooKeeperPlace of(Configuration site, String namespace) {
    String parent =
        site.get(HConstants.ZOOKEEPER_ZNODE_PARENT, HConstants.DEFAULT_ZOOKEEPER_ZNODE_PARENT);
    return new ZooKeeperPlace(
        ZKConfig.getZKQuorumServersString(site), "/braid" + parent + "/" + namespace);
  }

  /** One of the servers: host and port. */
  String[] first() {
    String server = servers.split(",", 2)[0];
    int colon = server.lastIndexOf(':');
    return new String[] {server.substring(0, colon), server.substring(colon + 1)};
  }
}
