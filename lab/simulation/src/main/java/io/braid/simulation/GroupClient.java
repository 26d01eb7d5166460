package io.braid.simulation;

import io.braid.core.data.Row;
import io.braid.groups.protocol.GroupId;
import io.braid.groups.protocol.Mode;
import io.braid.groups.protocol.ProtocolGroup;
import io.braid.simulation.schedule.SimRandom;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates groups of arbitrary keys and deletes them after a while, some before they are formed.
 * Repeats every request that gets no answer.
 */
final class GroupClient {
  private static final Duration PATIENCE = Duration.ofSeconds(8);
  private static final Duration PAUSE = Duration.ofMillis(25);

  private final World world;
  private final String name;
  private final SimRandom random;
  private final List<Row> keys;
  private final GroupScenario machines;
  private int groups;
  private long formed;
  private long failed;
  private long given;
  private boolean idle = true;

  GroupClient(World world, String name, List<Row> keys, GroupScenario machines) {
    this.world = world;
    this.name = name;
    this.random = world.random().split();
    this.keys = keys;
    this.machines = machines;
  }

  /** Works until the machines are stopping. Runs in a task of its own. */
  void work() {
    while (!machines.isStopping()) {
      pause(PAUSE);
      idle = false;
      game();
      idle = true;
    }
  }

  private void game() {
    String request = name + "/" + ++groups;
    Set<Row> members = new LinkedHashSet<>();
    int size = 1 + random.nextInt(6);
    while (members.size() < size) {
      members.add(keys.get(random.nextInt(keys.size())));
    }
    Row leader = List.copyOf(members).get(random.nextInt(size));
    Mode mode = random.nextBoolean() ? Mode.ATOMIC : Mode.BEST_EFFORT;
    GroupMachine machine = machines.of(leader);
    GroupId id = null;
    while (id == null) {
      id = create(machine, request, leader, members, mode);
      pause(PAUSE);
    }
    if (random.nextInt(4) > 0) {
      await(machine, id);
      pause(Duration.ofMillis(random.nextInt(300)));
    } else {
      given++;
    }
    while (!machine.isUp() || machine.node().led(id).isPresent()) {
      GroupId gone = id;
      machine.perform(actions -> machine.node().delete(gone, actions));
      pause(PAUSE);
    }
  }

  private static @Nullable GroupId create(
      GroupMachine machine, String request, Row leader, Set<Row> members, Mode mode) {
    GroupId[] id = new GroupId[1];
    machine.perform(
        actions -> id[0] = machine.node().create(request, leader, members, mode, actions));
    // A machine that died before its answer never answered.
    return machine.isUp() ? id[0] : null;
  }

  private void await(GroupMachine machine, GroupId id) {
    long deadline = world.scheduler().now() + PATIENCE.toNanos();
    while (world.scheduler().now() < deadline) {
      Optional<ProtocolGroup> group = machine.node().led(id);
      if (group.isEmpty() || group.get().isDeleting()) {
        failed++;
        return;
      } else if (group.get().isLive()) {
        formed++;
        return;
      }
      pause(PAUSE);
    }
    given++;
  }

  private void pause(Duration mean) {
    world
        .cluster()
        .keeper()
        .seams()
        .sleep(Duration.ofNanos(1_000_000 + random.around(mean.toNanos())));
  }

  boolean isIdle() {
    return idle;
  }

  long formed() {
    return formed;
  }

  long failed() {
    return failed;
  }

  /** Groups that it gave up before they were formed. */
  long givenUp() {
    return given;
  }
}
