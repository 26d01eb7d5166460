package io.braid.connect.hbase;

import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.server.coordination.Member;
import io.braid.server.coordinator.ManagerFigure;
import java.util.Map;
import java.util.Optional;

/**
 * A process that only gives out timestamps and finds conflicts, for all other processes on a
 * database in HBase, while it is the leader. Otherwise it is a standby, and ready to take over
 * (Omid, section 3.2.1).
 */
public final class ManagerNode implements AutoCloseable {
  private final HBaseMember member;

  private ManagerNode(HBaseMember member) {
    this.member = member;
  }

  /**
   * Becomes the leader whenever there is none, from now on.
   *
   * @throws io.braid.ConfigurationException when the configuration names no cluster
   * @throws io.braid.core.store.StoreException when the cluster does not answer, or the port of
   *     {@code cluster.address} is taken
   */
  public static ManagerNode start(BraidConfig config) {
    return new ManagerNode(HBaseMember.join(config.with(Setting.CLUSTER_COORDINATOR, "on")));
  }

  /** Only asks; never becomes the leader. */
  public static ManagerNode watch(BraidConfig config) {
    return new ManagerNode(HBaseMember.join(config.with(Setting.CLUSTER_COORDINATOR, "off")));
  }

  /** Whether this process is the leader now. */
  public boolean leads() {
    return member.participant().isCoordinator();
  }

  /** The port where it is asked. */
  public int port() {
    return member.participant().port();
  }

  /** How many processes share the database, this one included. */
  public int members() {
    return member.participant().members().size();
  }

  /** The process that is the leader, as people can tell it; empty when none is. */
  public Optional<String> holder() {
    return member.participant().holder().map(Member::description);
  }

  /** A process of this machine, as {@link #holder} tells it. */
  public static String description(ProcessHandle process) {
    return HBaseMember.description(process);
  }

  /**
   * Returns the figures of the coordinator since it became the leader, in whichever process it is.
   *
   * @throws io.braid.core.time.TimestampUnavailableException when there is no coordinator
   */
  public Map<ManagerFigure, Long> figures() {
    return member.participant().figures();
  }

  @Override
  public void close() {
    member.participant().close();
    member.store().close();
  }
}
