package io.braid.simulation.serving;

import io.braid.core.runtime.Seams;
import io.braid.serving.ServingException;
import io.braid.serving.client.WrongNodeException;
import io.braid.serving.ring.Node;
import io.braid.simulation.cluster.Fault;
import io.braid.simulation.cluster.Faults;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * A network that loses requests and answers, sends some requests late a second time, and cuts nodes
 * off: a client of one side does not reach the other.
 */
final class ReplicaLinks {
  private final SimScheduler scheduler;
  private final Faults faults;
  private final Seams seams;
  private final SimRandom random;
  private final int nodes;

  /** The nodes that are unreachable, and when they come back. */
  private final Map<Integer, Long> downUntil = new TreeMap<>();

  /** Pairs of client and node that do not reach each other, and until when. */
  private final Map<String, Long> cutUntil = new TreeMap<>();

  private long calls;

  ReplicaLinks(SimScheduler scheduler, Faults faults, Seams seams, SimRandom random, int nodes) {
    this.scheduler = scheduler;
    this.faults = faults;
    this.seams = seams;
    this.random = random;
    this.nodes = nodes;
  }

  /** Something that happens at a node. */
  interface Effect<T> {
    T at(int node) throws IOException;
  }

  long calls() {
    return calls;
  }

  boolean isUp(int node) {
    return downUntil.getOrDefault(node, 0L) <= scheduler.now();
  }

  /** Nobody reaches a node for so long. */
  void cutOff(int node, Duration length) {
    downUntil.put(node, scheduler.now() + length.toNanos());
  }

  /** From now on nothing is lost and everybody is up. */
  void quiet() {
    faults.quiet(true);
    downUntil.clear();
    cutUntil.clear();
  }

  /** A call over the network. */
  <T> T call(String caller, Node node, Effect<T> effect) throws IOException {
    calls++;
    strike();
    travel();
    if (!reaches(caller, node) || faults.strikes(Fault.REQUEST_LOST)) {
      throw new IOException("request lost");
    }
    T answer = effect.at(node.id());
    if (faults.strikes(Fault.RESENT_LATE)) {
      seams.start("again", () -> again(node, effect));
    }
    travel();
    if (!reaches(caller, node) || faults.strikes(Fault.REPLY_LOST)) {
      throw new IOException("answer lost");
    }
    return answer;
  }

  /** Strikes between calls: nodes go down, sides lose sight of each other. */
  private void strike() {
    if (faults.strikes(Fault.PROCESS_CRASHED)) {
      downUntil.put(random.nextInt(nodes), until());
    }
    if (faults.strikes(Fault.CUT_OFF)) {
      cutUntil.put("c" + random.nextInt(nodes) + "-" + random.nextInt(nodes), until());
    }
  }

  private long until() {
    return scheduler.now() + random.nextLong(Duration.ofMillis(400).toNanos());
  }

  /** The request comes a second time, much later. */
  private <T> void again(Node node, Effect<T> effect) {
    seams.sleep(Duration.ofNanos(1 + random.nextLong(Duration.ofMillis(500).toNanos())));
    try {
      effect.at(node.id());
    } catch (IOException | WrongNodeException e) {
      return;
    } catch (ServingException e) {
      switch (e.code()) {
        case WRITES_REFUSED, IMPORT_BUSY, IMPORT_REFUSED, REFILLING -> {
          return;
        }
        default -> throw e;
      }
    }
  }

  private boolean reaches(String caller, Node node) {
    return isUp(node.id())
        && cutUntil.getOrDefault(caller + "-" + node.id(), 0L) <= scheduler.now();
  }

  private void travel() {
    scheduler.park("message", 1 + random.nextLong(2_000_000), false);
  }
}
