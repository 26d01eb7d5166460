package io.braid.simulation.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Task;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.writable.CellEngine;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.Hint;
import io.braid.serving.writable.HintPusher;
import io.braid.serving.writable.MemoryEngine;
import io.braid.serving.writable.ObsoleteVersionException;
import io.braid.serving.writable.PutOutcomeUnknownException;
import io.braid.serving.writable.Resolver;
import io.braid.serving.writable.Siblings;
import io.braid.serving.writable.TombstonePurge;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.Versioned;
import io.braid.serving.writable.WritableStore;
import io.braid.simulation.schedule.Host;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.Trace;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Faults 55 and 56: clients add to sets while nodes crash, messages are lost, doubled and late, and
 * sides lose sight of each other. No acknowledged addition is lost, and in the end all replicas
 * have the same.
 */
class ReadWriteStoresTest {
  private static final Duration STALL = Duration.ofSeconds(30);
  private static final int CLIENTS = 3;
  private static final int ADDITIONS = 25;
  private static final int KEYS = 3;

  private static final Resolver UNION =
      siblings -> {
        Set<String> all = new TreeSet<>();
        siblings.forEach(sibling -> all.addAll(elements(sibling.value())));
        return new Versioned(VectorClock.NONE, 0, Optional.of(Bytes.of(String.join(" ", all))));
      };

  private final Map<String, Set<String>> acknowledged = new TreeMap<>();

  private static Set<String> elements(Optional<Bytes> value) {
    Set<String> elements = new TreeSet<>();
    value
        .map(Bytes::toUtf8)
        .filter(text -> !text.isEmpty())
        .ifPresent(text -> elements.addAll(Arrays.asList(text.split(" ", -1))));
    return elements;
  }

  private static SimScheduler scheduler(long seed) {
    return new SimScheduler(new SimRandom(seed), new Trace(null));
  }

  private static void in(long seed, Supplier<Engine> engine, Story story) {
    SimScheduler scheduler = scheduler(seed);
    Host host = new SteadyHost();
    scheduler.run(host, "main", STALL, () -> story.tell(new ReplicaWorld(scheduler, host, engine)));
  }

  /** What happens in a world. */
  private interface Story {
    void tell(ReplicaWorld world);
  }

  @Test
  void noAcknowledgedWriteIsLostAndReplicasConverge() {
    Seeds.each(
        40,
        seed -> {
          acknowledged.clear();
          in(seed, MemoryEngine::new, this::addAndCheck);
        });
  }

  /** Fault 53: partitions move there and back meanwhile, and some moves are given up half way. */
  @Test
  void noAcknowledgedWriteIsLostWhilePartitionsMove() {
    Seeds.each(
        40,
        seed -> {
          acknowledged.clear();
          in(
              seed,
              MemoryEngine::new,
              world -> {
                Task mover = world.seams.start("mover", () -> move(world));
                addAndCheck(world, mover);
              });
        });
  }

  /** Every node keeps one partition of its own. */
  private static void move(ReplicaWorld world) {
    for (int i = 0; i < 4; i++) {
      List<Integer> primaries = new ArrayList<>();
      for (int n = 0; n < 3; n++) {
        primaries.add(5 + world.seams.random().nextInt(5));
      }
      world.rebalance(
          primaries, world.seams.random().nextInt(5), world.seams.random().nextInt(3) == 0);
    }
  }

  @Test
  void theSameHoldsOnACellStore() {
    MemoryStore[] cells = {new MemoryStore()};
    int[] tables = {0};
    in(7, () -> new CellEngine(cells[0], "carts" + tables[0]++), this::addAndCheck);
  }

  private void addAndCheck(ReplicaWorld world) {
    addAndCheck(world, world.seams.start("nobody", () -> {}));
  }

  private void addAndCheck(ReplicaWorld world, Task mover) {
    List<Task> clients = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      int number = client;
      clients.add(world.seams.start("c" + client, () -> add(world, number)));
    }
    boolean[] over = {false};
    Task pusher =
        world.seams.start(
            "pusher",
            () -> {
              while (!over[0]) {
                world.pushHints();
                world.seams.sleep(Duration.ofMillis(50));
              }
            });
    clients.forEach(client -> assertThat(client.join(Duration.ofDays(1))).isTrue());
    assertThat(mover.join(Duration.ofDays(1))).isTrue();
    over[0] = true;
    pusher.join(Duration.ofDays(1));
    world.seams.sleep(Duration.ofSeconds(5));
    world.quiet();
    settle(world);
  }

  private void add(ReplicaWorld world, int client) {
    WritableStore store = world.client("c" + client);
    for (int i = 0; i < ADDITIONS; i++) {
      String key = "k" + world.seams.random().nextInt(KEYS);
      String element = "c" + client + "." + i;
      try {
        store.applyUpdate(
            Bytes.of(key),
            before -> {
              Set<String> all = elements(before);
              all.add(element);
              return Optional.of(Bytes.of(String.join(" ", all)));
            },
            UNION);
        acknowledged.computeIfAbsent(key, k -> new TreeSet<>()).add(element);
      } catch (PutOutcomeUnknownException
          | StoreUnavailableException
          | ObsoleteVersionException e) {
        world.seams.sleep(Duration.ofMillis(20));
      }
    }
  }

  private void settle(ReplicaWorld world) {
    while (world.hasHints()) {
      world.pushHints();
    }
    WritableStore reader = world.client("c9");
    WritableStore thorough = world.thorough("c9");
    assertThat(acknowledged).isNotEmpty();
    for (Map.Entry<String, Set<String>> key : acknowledged.entrySet()) {
      Bytes row = Bytes.of(key.getKey());
      assertThat(elements(reader.get(row, UNION))).containsAll(key.getValue());
      for (int round = 0; round < 4; round++) {
        thorough.siblings(row);
        world.seams.sleep(Duration.ofSeconds(1));
      }
      thorough.applyUpdate(row, before -> before, UNION);
      world.seams.sleep(Duration.ofSeconds(1));
      Set<List<Versioned>> states = new HashSet<>();
      world.engines.values().forEach(engine -> states.add(engine.get(row)));
      states.remove(List.<Versioned>of());
      assertThat(states).as("replicas of " + key.getKey()).hasSize(1);
      assertThat(states.iterator().next()).hasSize(1);
    }
  }

  @Test
  void ofTwoWritersWithOneClockOneIsRefused() {
    in(
        3,
        MemoryEngine::new,
        world -> {
          world.quiet();
          WritableStore store = world.client("c0");
          Bytes key = Bytes.of("k");
          Versioned first = store.put(key, VectorClock.NONE, Optional.of(Bytes.of("a")));
          assertThatThrownBy(() -> store.put(key, VectorClock.NONE, Optional.of(Bytes.of("b"))))
              .isInstanceOf(ObsoleteVersionException.class);
          Versioned second = store.put(key, first.clock(), Optional.of(Bytes.of("b")));
          assertThat(second.clock().compare(first.clock())).isEqualTo(VectorClock.Order.AFTER);
          assertThat(store.get(key)).contains(Bytes.of("b"));
          store.delete(key);
          assertThat(store.get(key)).isEmpty();
        });
  }

  /** Without the check at the master a clock seems to include what its writer never saw. */
  @Test
  void aWriterThatHasNotSeenWhatTheMasterHasIsRefusedThere() {
    Engine master = new MemoryEngine();
    Bytes key = Bytes.of("k");
    Versioned seen = version("1:1", "x");
    Versioned unseen = version("0:1", "acknowledged");
    master.put(key, seen);
    assertThat(master.putFirst(key, unseen, 0)).isTrue();
    assertThat(master.putFirst(key, version("0:1,1:1", "late"), 0)).isFalse();
    assertThat(master.get(key)).containsExactlyInAnyOrder(seen, unseen);
    assertThat(master.putFirst(key, unseen, 0)).as("sent again").isTrue();
    assertThat(Siblings.basis(master.get(key))).isEqualTo(VectorClock.parse("0:1,1:1"));
  }

  /** Fault 56: what is forgotten of deletions is forgotten after the hints that they keep out. */
  @Test
  void hintsExpireBeforeDeletionsAreForgotten() {
    Engine engine = new MemoryEngine();
    Engine slop = new MemoryEngine();
    Bytes key = Bytes.of("k");
    Duration month = Duration.ofDays(30);
    in(
        3,
        MemoryEngine::new,
        world -> {
          world.quiet();
          long begun = world.seams.wallMillis();
          Versioned deleted = new Versioned(VectorClock.parse("0:2"), begun, Optional.empty());
          Versioned kept =
              new Versioned(VectorClock.parse("0:1"), begun, Optional.of(Bytes.of("old")));
          engine.put(key, deleted);
          engine.put(Bytes.of("live"), kept);
          HintPusher.keep(slop, new Hint(1, "another", key), kept);
          HintPusher.keep(slop, new Hint(2, ReplicaWorld.STORE, key), kept);
          world.cutOff(2, Duration.ofDays(6));
          assertThat(world.push(slop)).as("of a store that is gone").isEqualTo(1);
          assertThat(slop.entries(null, 9)).as("kept for a node that is down").hasSize(1);
          world.seams.sleep(HintPusher.AGE.plusHours(1));
          assertThat(world.push(slop)).as("too old to be delivered").isZero();
          assertThat(slop.entries(null, 9)).isEmpty();
          assertThat(
                  TombstonePurge.run(engine, world.seams.wallMillis(), HintPusher.AGE.plusDays(3)))
              .isZero();
          world.seams.sleep(month);
          assertThat(
                  TombstonePurge.run(engine, world.seams.wallMillis(), HintPusher.AGE.plusDays(3)))
              .isEqualTo(1);
          assertThat(engine.entries(null, 9))
              .extracting(Engine.Entry::key)
              .containsExactly(Bytes.of("live"));
        });
  }

  @Test
  void anOldHintDoesNotBringBackWhatWasDeleted() {
    Engine engine = new MemoryEngine();
    Bytes key = Bytes.of("k");
    engine.put(key, version("0:1", "old"));
    engine.put(key, new Versioned(VectorClock.parse("0:2"), 0, Optional.empty()));
    assertThat(engine.put(key, version("0:1", "old"))).isFalse();
    assertThat(engine.get(key)).allMatch(sibling -> sibling.value().isEmpty());
  }

  private static Versioned version(String clock, String value) {
    return new Versioned(VectorClock.parse(clock), 0, Optional.of(Bytes.of(value)));
  }
}
