package io.braid.simulation.cluster;

import io.braid.core.data.Bytes;
import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;
import io.braid.groups.leader.GroupLeader;
import io.braid.groups.protocol.Envelope;
import io.braid.groups.protocol.ProtocolNode;
import io.braid.omid.manager.TransactionManager;
import io.braid.serving.client.NodeNetwork;
import io.braid.serving.net.MissedPushes;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.push.PushNode;
import io.braid.serving.writable.Engine;
import io.braid.testkit.MemoryStore;
import java.io.IOException;

/**
 * Puts something between a process and what it uses. So tests plant bugs without a switch in the
 * code under test.
 */
@FunctionalInterface
public interface Tampering {
  /** The store and the oracle that a process uses. */
  record Surroundings(CellStore store, TimestampOracle oracle) {}

  /** Called for each process when it starts. */
  Surroundings tamper(Surroundings honest);

  /** Called for each transaction manager when it starts, after {@code before} others. */
  default TransactionManager manager(TransactionManager honest, int before) {
    return honest;
  }

  /** Moves a tablet, by its first key, to where its clock is cold. */
  default void move(MemoryStore store, String table, Bytes key) {
    store.moveTablet(table, key);
  }

  /** Makes a tablet, by its first key, a part of the one before it. */
  default void merge(MemoryStore store, String table, Bytes key) {
    store.mergeTablet(table, key);
  }

  /** Called for each group node when it starts. */
  default GroupLeader.Base groups(GroupLeader.Base honest) {
    return honest;
  }

  /**
   * Returns whether a group node with a broken log is ended, and started again after a while, as
   * the exit code of its process requests.
   */
  default boolean restartsBrokenNodes() {
    return false;
  }

  /** Called for each message of the grouping protocol when it arrives. */
  default Envelope message(Envelope honest, ProtocolNode receiver) {
    return honest;
  }

  /** Called for the engine of each node that has a read-write store. */
  default Engine engine(Engine honest) {
    return honest;
  }

  /** Called for each node that serves built stores when it starts: its end of pushes. */
  default PushNode pushNode(PushNode honest) {
    return honest;
  }

  /** Called for each client of built stores: how it reaches the nodes. */
  default NodeNetwork nodes(NodeNetwork honest) {
    return honest;
  }

  /** Called for each node that serves built stores when it starts: how it asks the others. */
  default MissedPushes missedPushes(MissedPushes honest) {
    return honest;
  }

  /** Called with the directory of a node that serves built stores before it opens them. */
  default void beforeStores(NodeDirectory directory) throws IOException {}

  /** Leaves everything as it is. */
  Tampering NONE = honest -> honest;
}
