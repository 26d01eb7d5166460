package io.braid.connect.hbase;

import io.braid.BraidConfig;
import io.braid.Connector;
import io.braid.Setting;
import io.braid.core.cells.Families;
import io.braid.core.time.StoreTimestampBound;
import io.braid.server.coordination.Coordination;
import io.braid.server.coordination.Member;
import io.braid.server.coordination.zookeeper.ZooKeeperCoordination;
import io.braid.server.coordinator.Participant;
import io.braid.server.coordinator.Trust;
import io.braid.store.hbase.HBaseOptions;
import io.braid.store.hbase.HBaseStore;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** This process among those that share a database in HBase. */
record HBaseMember(HBaseStore store, Participant participant) {
  /** Longer than a lease lasts, so that a process is not taken for dead before its lease ends. */
  private static final Duration LEAST_SESSION = Duration.ofSeconds(10);

  static HBaseMember join(BraidConfig config) {
    Trust trust = ClusterTrust.of(config);
    Configuration site = HBaseSite.of(config.get(Setting.HBASE_SITE));
    String namespace = config.get(Setting.HBASE_NAMESPACE);
    ZooKeeperPlace place = ZooKeeperPlace.of(site, namespace);
    Participant.Terms terms =
        ListenAddress.of(config.get(Setting.CLUSTER_ADDRESS), place)
            .terms(
                config.get(Setting.CLUSTER_LEASE),
                config.get(Setting.CLUSTER_COORDINATOR) == Setting.Switch.ON,
                config.conflictCells(),
                trust);
    HBaseStore store = HBaseStore.connect(site, HBaseOptions.DEFAULT.withNamespace(namespace));
    try {
      store.ensureTable(Families.system());
      Duration lease = terms.lease().multipliedBy(2);
      Coordination coordination =
          ZooKeeperCoordination.join(
              place.servers(),
              place.root(),
              lease.compareTo(LEAST_SESSION) > 0 ? lease : LEAST_SESSION,
              description());
      requireWhole(store, coordination);
      return new HBaseMember(
          store, new Participant(coordination, new StoreTimestampBound(store), terms));
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** Again, now that a restore which begins sees this process, and is not begun. */
  private static void requireWhole(HBaseStore store, Coordination coordination) {
    try {
      store.requireWhole();
    } catch (RuntimeException e) {
      coordination.close();
      throw e;
    }
  }

  /**
   * Opens a database that no other process uses. This process joins as a member, but is no
   * candidate.
   */
  static Connector.ExclusiveDatabase vacant(BraidConfig config) {
    Configuration site = HBaseSite.of(config.get(Setting.HBASE_SITE));
    String namespace = config.get(Setting.HBASE_NAMESPACE);
    ZooKeeperPlace place = ZooKeeperPlace.of(site, namespace);
    HBaseStore store =
        HBaseStore.connectToThaw(site, HBaseOptions.DEFAULT.withNamespace(namespace));
    try {
      Coordination coordination =
          ZooKeeperCoordination.join(place.servers(), place.root(), LEAST_SESSION, description());
      return new Connector.ExclusiveDatabase(
          store, () -> others(coordination), coordination::close);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static List<String> others(Coordination coordination) {
    return coordination.members().stream()
        .filter(each -> !each.token().equals(coordination.liveness().token()))
        .map(Member::description)
        .toList();
  }

  private static String description() {
    return description(ProcessHandle.current());
  }

  /** A process of this machine, for people to read. */
  static String description(ProcessHandle process) {
    return "process "
        + process.pid()
        + " of "
        + process.info().user().orElse("somebody")
        + " on "
        + LocalHost.name();
  }
}
