package io.braid.simulation;

import io.braid.core.store.Durability;
import io.braid.groups.GroupOptions;
import io.braid.groups.node.NodeOptions;
import io.braid.groups.node.NodeOptions.ClientGone;
import io.braid.simulation.schedule.SimRandom;
import java.time.Duration;

/**
 * The choices of a seed for group nodes.
 *
 * @param nodes how many nodes there are
 * @param keys how many rows clients want
 * @param fixedAddresses whether a restarted node keeps its address
 * @param restarts whether nodes are closed now and then, and started again
 */
record GroupNodeSettings(
    int nodes,
    int keys,
    boolean reliable,
    boolean fixedAddresses,
    boolean restarts,
    GroupOptions groups,
    NodeOptions template) {

  static GroupNodeSettings drawn(SimRandom random, Durability durability) {
    GroupOptions groups =
        GroupOptions.defaults()
            .durability(durability)
            .lease(millis(1000 + random.nextInt(4000)))
            .joinWait(millis(200 + random.nextInt(2000)))
            .shipping(
                millis(5 + random.nextInt(random.nextBoolean() ? 50 : 2000)),
                random.nextBoolean() ? 1 : 4L << 20,
                random.nextInt(3) == 0 ? 300 : 64L << 20)
            .leaders(
                // A leader that stalls for seconds may wake up with or without its lease.
                millis(800 + random.nextInt(random.nextBoolean() ? 3000 : 15_000)),
                millis(200 + random.nextInt(1000)),
                millis(500 + random.nextInt(5000)));
    boolean reliable = random.nextInt(3) == 0;
    NodeOptions template =
        new NodeOptions(
            "template",
            "simulated",
            1,
            millis(1000 + random.nextInt(20_000)),
            random.nextBoolean() ? ClientGone.KEEP : ClientGone.DELETE,
            millis(1000 + random.nextInt(8000)),
            1000);
    return new GroupNodeSettings(
        1 + random.nextInt(4),
        6 + random.nextInt(26),
        reliable,
        random.nextBoolean(),
        random.nextInt(3) == 0,
        groups,
        template);
  }

  private static Duration millis(int millis) {
    return Duration.ofMillis(millis);
  }

  /** The options of one of the nodes. */
  NodeOptions node(int number) {
    return new NodeOptions(
        name(number),
        template.host(),
        template.port(),
        template.clientPatience(),
        template.clientGone(),
        template.messagePatience(),
        template.mostConnections());
  }

  static String name(int number) {
    return "node-" + number;
  }

  /** Where clients reach a node. */
  String address(int number) {
    return name(number) + ":" + template.port();
  }

  /** Where datagrams of other nodes reach it. */
  String messages(int number, int life) {
    return name(number) + (fixedAddresses ? "" : "." + life) + ":2";
  }

  @Override
  public String toString() {
    return nodes
        + " group nodes, "
        + keys
        + " rows, messages "
        + (reliable ? "reliable" : "unreliable")
        + (fixedAddresses ? "" : ", addresses change")
        + (restarts ? ", nodes are restarted" : "")
        + ", lease of leaders "
        + groups.leaderLease().toMillis()
        + " ms, of groups "
        + groups.lease().toMillis()
        + " ms, shipped every "
        + groups.shipEvery().toMillis()
        + " ms"
        + (groups.shipBytes() == 1 ? " one by one" : "")
        + ", clients may be silent for "
        + template.clientPatience().toMillis()
        + " ms, then "
        + template.clientGone()
        + ", messages are given up after "
        + template.messagePatience().toMillis()
        + " ms";
  }
}
