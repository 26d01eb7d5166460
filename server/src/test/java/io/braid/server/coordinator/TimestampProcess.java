package io.braid.server.coordinator;

import io.braid.core.time.TimestampUnavailableException;
import io.braid.server.coordination.zookeeper.ZooKeeperCoordination;
import java.net.InetAddress;
import java.time.Duration;

/** Takes timestamps until it is killed, and prints when it asked, what it got, and when. */
final class TimestampProcess {
  static final Duration LEASE = Duration.ofSeconds(1);
  static final Duration SESSION = Duration.ofSeconds(4);

  private TimestampProcess() {}

  public static void main(String[] args) throws InterruptedException {
    ZooKeeperCoordination coordination =
        ZooKeeperCoordination.join(args[0], args[1], SESSION, "a process of the test");
    System.out.println("token " + coordination.liveness().token());
    Participant participant =
        new Participant(
            coordination,
            new RegisterBound(coordination.register("bound")),
            new Participant.Terms(LEASE, true, InetAddress.getLoopbackAddress(), 0));
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
