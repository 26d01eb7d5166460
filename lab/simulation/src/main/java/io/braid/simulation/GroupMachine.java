package io.braid.simulation;

import io.braid.groups.protocol.Actions;
import io.braid.groups.protocol.Envelope;
import io.braid.groups.protocol.KeyOwners;
import io.braid.groups.protocol.Messaging;
import io.braid.groups.protocol.ProtocolNode;
import io.braid.groups.protocol.ProtocolOptions;
import io.braid.groups.protocol.Transition;
import io.braid.simulation.cluster.Fault;
import io.braid.simulation.schedule.SimRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A machine with a node of the grouping protocol and its log. It dies at any step: before the log
 * is written, with a part of it, between log and messages, in the middle of these; and it comes
 * back with what the log says.
 */
final class GroupMachine {
  private static final long MEAN_DOWN_NANOS = Duration.ofMillis(900).toNanos();
  private static final long TICK_NANOS = Duration.ofMillis(20).toNanos();
  private static final int CHECKPOINT_AT = 200;

  private final World world;
  private final String name;
  private final KeyOwners owners;
  private final ProtocolOptions options;
  private final Consumer<Envelope> network;
  private final SimRandom random;
  private List<Transition> log = new ArrayList<>();
  private ProtocolNode node;
  private boolean up = true;
  private long crashes;

  GroupMachine(
      World world,
      String name,
      KeyOwners owners,
      ProtocolOptions options,
      Consumer<Envelope> network) {
    this.world = world;
    this.name = name;
    this.owners = owners;
    this.options = options;
    this.network = network;
    this.random = world.random().split();
    this.node = new ProtocolNode(name, owners, options);
    scheduleTick();
  }

  private void scheduleTick() {
    world
        .scheduler()
        .after(
            TICK_NANOS + random.around(TICK_NANOS),
            () -> {
              perform(actions -> node.tick(world.scheduler().now(), actions));
              scheduleTick();
            });
  }

  /** Does something on the node; nothing when the machine is down. */
  void perform(Consumer<Actions> work) {
    if (!up) {
      return;
    }
    Actions actions = ProtocolNode.actions();
    work.accept(actions);
    boolean dies =
        options.messaging() == Messaging.UNRELIABLE
            && !(actions.log().isEmpty() && actions.send().isEmpty())
            && world.faults().strikes(Fault.PROCESS_CRASHED);
    int logged = dies ? random.nextInt(actions.log().size() + 1) : actions.log().size();
    actions.log().subList(0, logged).forEach(t -> log.add(Transition.decode(t.encode())));
    if (logged == actions.log().size()) {
      int sent = dies ? random.nextInt(actions.send().size() + 1) : actions.send().size();
      actions.send().subList(0, sent).forEach(network);
    }
    if (dies) {
      die();
    } else if (log.size() > CHECKPOINT_AT) {
      log = new ArrayList<>(node.checkpoint());
    }
  }

  void receive(Envelope envelope) {
    perform(actions -> node.receive(world.tampering().message(envelope, node), actions));
  }

  /** From now on the node is what its log says, and does nothing until it is up again. */
  private void die() {
    crashes++;
    up = false;
    world.scheduler().trace().add(world.scheduler().now(), name, "crashes", log.size());
    node = new ProtocolNode(name, owners, options);
    node.recover(log, ProtocolNode.actions());
    world.scheduler().after(random.around(MEAN_DOWN_NANOS), this::comeBack);
  }

  private void comeBack() {
    up = true;
    perform(
        actions -> {
          node = new ProtocolNode(name, owners, options);
          node.recover(log, actions);
        });
  }

  ProtocolNode node() {
    return node;
  }

  boolean isUp() {
    return up;
  }

  long crashes() {
    return crashes;
  }
}
