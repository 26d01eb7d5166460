package io.braid.simulation.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.serving.writable.CellEngine;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.MemoryEngine;
import io.braid.serving.writable.ObsoleteVersionException;
import io.braid.serving.writable.Siblings;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.VersionedValue;
import io.braid.serving.writable.WritableStore;
import io.braid.simulation.cluster.Fault;
import io.braid.simulation.cluster.Faults;
import io.braid.simulation.schedule.Host;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.Trace;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
  private static final int DELETIONS = 100;

  private static SimScheduler scheduler(long seed) {
    return new SimScheduler(new SimRandom(seed), new Trace(null));
  }

  private static void in(long seed, Supplier<Engine> engine, Story story) {
    SimScheduler scheduler = scheduler(seed);
    Host host = new SteadyHost();
    Faults faults =
        Faults.drawn(new SimRandom(seed + 1), List.of(Fault.values()))
            .with(Fault.REQUEST_LOST, 0.04)
            .with(Fault.REPLY_LOST, 0.04)
            .with(Fault.RESENT_LATE, 0.05)
            .with(Fault.CUT_OFF, 0.012)
            .with(Fault.PROCESS_CRASHED, 0.008);
    scheduler.run(
        host, "main", STALL, () -> story.tell(new ReplicaWorld(scheduler, faults, host, engine)));
  }

  /** What happens in a world. */
  private interface Story {
    void tell(ReplicaWorld world);
  }

  @Test
  void noAcknowledgedWriteIsLostAndReplicasConverge() {
    Seeds.each(40, seed -> in(seed, MemoryEngine::new, world -> addAndCheck(world, false, false)));
  }

  /** Fault 53: partitions move there and back meanwhile, and some moves are given up half way. */
  @Test
  void noAcknowledgedWriteIsLostWhilePartitionsMove() {
    Seeds.each(40, seed -> in(seed, MemoryEngine::new, world -> addAndCheck(world, true, false)));
  }

  /** Sets are imported meanwhile, also while partitions move, by importers that die. */
  @Test
  void noAcknowledgedWriteIsLostByAnImportThatItsWriterHadSeen() {
    Seeds.each(
        40, seed -> in(seed, MemoryEngine::new, world -> addAndCheck(world, seed % 2 == 0, true)));
  }

  @Test
  void theSameHoldsOnACellStore() {
    MemoryStore[] cells = {new MemoryStore()};
    int[] tables = {0};
    in(
        7,
        () -> new CellEngine(cells[0], "carts" + tables[0]++),
        world -> addAndCheck(world, false, false));
  }

  private static void addAndCheck(ReplicaWorld world, boolean moves, boolean imports) {
    SetWorkload workload = new SetWorkload(world, CLIENTS);
    workload.run(done -> done < ADDITIONS, moves, imports);
    assertThat(workload.wrong()).isEmpty();
    assertThat(workload.operations().get("additions-ok")).isPositive();
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
          VersionedValue first = store.put(key, VectorClock.NONE, Optional.of(Bytes.of("a")));
          assertThatThrownBy(() -> store.put(key, VectorClock.NONE, Optional.of(Bytes.of("b"))))
              .isInstanceOf(ObsoleteVersionException.class);
          VersionedValue second = store.put(key, first.clock(), Optional.of(Bytes.of("b")));
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
    VersionedValue seen = version("1:1", "x");
    VersionedValue unseen = version("0:1", "acknowledged");
    master.put(key, seen);
    assertThat(master.putFirst(key, unseen, 0)).isTrue();
    assertThat(master.putFirst(key, version("0:1,1:1", "late"), 0)).isFalse();
    assertThat(master.get(key)).containsExactlyInAnyOrder(seen, unseen);
    assertThat(master.putFirst(key, unseen, 0)).as("sent again").isTrue();
    assertThat(Siblings.basis(master.get(key))).isEqualTo(VectorClock.parse("0:1,1:1"));
  }

  /**
   * Fault 71: users put and delete on devices whose clocks are wrong by hours and jump, while
   * deletions are forgotten. What was deleted does not come back.
   */
  @Test
  void whatWasDeletedStaysDeletedWhateverTheClocksSay() {
    Seeds.each(
        30, seed -> in(seed, MemoryEngine::new, world -> deleteAndCheck(world, seed % 2 == 0)));
  }

  private static void deleteAndCheck(ReplicaWorld world, boolean moves) {
    DeletionWorkload deletions = new DeletionWorkload(world, CLIENTS);
    SetWorkload sets = new SetWorkload(world, 1);
    deletions.start(done -> done < DELETIONS);
    sets.run(done -> done < DELETIONS, moves, false);
    deletions.join();
    deletions.finish();
    assertThat(deletions.wrong()).isEmpty();
    assertThat(sets.wrong()).isEmpty();
    assertThat(deletions.operations().get("deletions-ok")).isPositive();
  }

  @Test
  void anOldHintDoesNotBringBackWhatWasDeleted() {
    Engine engine = new MemoryEngine();
    Bytes key = Bytes.of("k");
    engine.put(key, version("0:1", "old"));
    engine.put(key, new VersionedValue(VectorClock.parse("0:2"), 0, Optional.empty()));
    assertThat(engine.put(key, version("0:1", "old"))).isFalse();
    assertThat(engine.get(key)).allMatch(sibling -> sibling.value().isEmpty());
  }

  private static VersionedValue version(String clock, String value) {
    return new VersionedValue(VectorClock.parse(clock), 0, Optional.of(Bytes.of(value)));
  }
}
