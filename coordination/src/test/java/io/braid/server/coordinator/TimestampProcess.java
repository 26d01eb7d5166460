package io.braid.server.coordinator;

import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.omid.OmidOptions;
import io.braid.omid.OmidTransactions;
import io.braid.server.coordination.Coordination;
import io.braid.server.coordination.zookeeper.ZooKeeperCoordination;
import java.net.InetAddress;
import java.time.Duration;

/** Takes timestamps until it is killed, and prints when it asked, what it got, and when. */
final class TimestampProcess {
  static final Duration LEASE = Duration.ofSeconds(1);
  static final Duration SESSION = Duration.ofSeconds(4);

  private TimestampProcess() {}

  private static Participant participant(Coordination coordination, boolean candidate) {
    return new Participant(
        coordination,
        new RegisterBound(coordination.register("bound")),
        new Participant.Terms(LEASE, candidate, InetAddress.getLoopbackAddress(), 0, 1 << 12));
  }

  /** One that only asks. */
  static Participant client(Coordination coordination) {
    return participant(coordination, false);
  }

  static OmidTransactions transactions(CellStore store, Participant participant) {
    return new OmidTransactions(
        store,
        participant.manager(),
        participant.oracle(),
        participant.seams(),
        OmidOptions.defaults());
  }

  public static void main(String[] args) throws InterruptedException {
    ZooKeeperCoordination coordination =
        ZooKeeperCoordination.join(args[0], args[1], SESSION, "a process of the test");
    System.out.println("token " + coordination.liveness().token());
    Participant participant = participant(coordination, true);
    while (true) {
      long before = System.nanoTime();
      try {
        long first = participant.oracle().next();
        System.out.println(before + " " + first + " " + System.nanoTime());
      } catch (TimestampUnavailableException e) {
        System.out.println("none " + e.getMessage());
      }
      Thread.sleep(1);
    }
  }
}
