package io.braid.benchmarks;

import io.braid.core.time.StoreTimestampBound;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.server.coordination.InProcessCoordination;
import io.braid.server.coordinator.Participant;
import io.braid.testkit.MemoryStore;
import java.net.InetAddress;
import java.time.Duration;

/** Participants of a database in one process that talk to their coordinator over loopback. */
public final class Loopback {
  private Loopback() {}

  /**
   * Joins a participant.
   *
   * @param candidate whether the participant may be the leader
   */
  public static Participant join(
      InProcessCoordination.Place place, MemoryStore store, String name, boolean candidate) {
    return new Participant(
        new InProcessCoordination(place, name),
        new StoreTimestampBound(store),
        new Participant.Terms(
            Duration.ofSeconds(20),
            candidate,
            InetAddress.getLoopbackAddress(),
            0,
            LocalTransactionManager.DEFAULT_CELLS));
  }
}
