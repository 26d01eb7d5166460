package io.braid.simulation;

import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;
import io.braid.groups.LocalGroups;
import io.braid.groups.protocol.Envelope;
import io.braid.groups.protocol.ProtocolNode;
import io.braid.omid.manager.TransactionManager;
import io.braid.serving.writable.Engine;

/**
 * Puts something between a process and what it uses. So tests plant bugs without a switch in the
 * code under test.
 */
@FunctionalInterface
public interface Tampering {
  /** What a process uses. */
  record Surroundings(CellStore store, TimestampOracle oracle) {}

  /** Called for each process when it starts. */
  Surroundings tamper(Surroundings honest);

  /** Called for each transaction manager when it starts, after {@code before} others. */
  default TransactionManager manager(TransactionManager honest, int before) {
    return honest;
  }

  /** Called for each group node when it starts. */
  default LocalGroups.Base groups(LocalGroups.Base honest) {
    return honest;
  }

  /**
   * Whether a group node whose log is broken is ended, and started again after a while: as the exit
   * code of its process asks for.
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

  /** Leaves everything as it is. */
  Tampering NONE = honest -> honest;
}
