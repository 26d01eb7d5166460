package io.braid.simulation.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Task;
import io.braid.serving.imports.ImportFailedException;
import io.braid.serving.imports.ImportInput;
import io.braid.serving.imports.ImportStep;
import io.braid.serving.writable.ImportBusyException;
import io.braid.serving.writable.ImportKeeper;
import io.braid.serving.writable.ImportRefusedException;
import io.braid.serving.writable.ImportState;
import io.braid.serving.writable.ImportState.Phase;
import io.braid.serving.writable.ImportedTuple;
import io.braid.serving.writable.MemoryEngine;
import io.braid.serving.writable.PutOutcomeUnknownException;
import io.braid.serving.writable.Siblings;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.Versioned;
import io.braid.serving.writable.WritableStore;
import io.braid.serving.writable.WriteGate;
import io.braid.serving.writable.WritesRefusedException;
import io.braid.simulation.cluster.Fault;
import io.braid.simulation.cluster.Faults;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.Trace;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Faults 44, 45 and 55: an import into a replicated store whose importer or nodes die at any step
 * is gone on with or given up, and nothing acknowledged is lost by it but what it says.
 */
class StoreImportTest {
  private static final Duration STALL = Duration.ofSeconds(30);
  private static final String ID = "nightly";

  /** Clients had written these, and the import brings the second half of them and others. */
  private static final List<Bytes> WRITTEN = keys(0, 20);

  private static final List<Bytes> IMPORTED = keys(10, 40);

  private static List<Bytes> keys(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> Bytes.of("key " + i)).toList();
  }

  private static ImportInput input(String value) {
    return ReplicaImports.input(
        IMPORTED.stream().map(key -> new ImportedTuple(key, Bytes.of(value))).toList());
  }

  /** What happens in a world. */
  private interface Story {
    void tell(ReplicaWorld world) throws IOException;
  }

  /** Nothing is lost, unless the story says so; one node lacks what clients wrote. */
  private static void in(Story story) {
    SimScheduler scheduler = new SimScheduler(new SimRandom(7), new Trace(null));
    Faults faults = Faults.drawn(new SimRandom(8), List.of(Fault.values()));
    scheduler.run(
        new SteadyHost(),
        "main",
        STALL,
        () -> {
          ReplicaWorld world =
              new ReplicaWorld(scheduler, faults, new SteadyHost(), MemoryEngine::new);
          world.quiet();
          world.cutOff(2, Duration.ofSeconds(1));
          WritableStore store = world.client("c1");
          WRITTEN.forEach(key -> store.put(key, Bytes.of("written")));
          world.seams().sleep(Duration.ofSeconds(2));
          writeAtOneReplica(world, WRITTEN.get(5));
          try {
            story.tell(world);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  /** A write that the other replicas lack, and of which no hint is kept. */
  private static void writeAtOneReplica(ReplicaWorld world, Bytes key) {
    List<List<Versioned>> kept = world.kept(key);
    int node =
        IntStream.range(0, kept.size())
            .filter(n -> !kept.get(n).isEmpty())
            .findFirst()
            .orElseThrow();
    VectorClock clock = Siblings.basis(kept.get(node)).incremented(node);
    world.engine(node).put(key, new Versioned(clock, 9, Optional.of(Bytes.of("written"))));
  }

  private static void assertImported(ReplicaWorld world) {
    WritableStore store = world.client("c1");
    for (Bytes key : keys(0, 40)) {
      assertSame(world, key);
      Bytes there = store.get(key).orElseThrow();
      assertThat(there.toUtf8()).isEqualTo(IMPORTED.contains(key) ? "imported" : "written");
    }
    assertTakesWrites(world);
  }

  /** All three replicas have it, or none, and they have the same. */
  private static void assertSame(ReplicaWorld world, Bytes key) {
    List<List<Versioned>> kept =
        world.kept(key).stream().filter(siblings -> !siblings.isEmpty()).toList();
    assertThat(new HashSet<>(kept)).as("%s: %s", key, kept).hasSizeLessThan(2);
    assertThat(kept.size()).as("replicas of %s", key).isIn(0, 3);
  }

  private static void assertTakesWrites(ReplicaWorld world) {
    WritableStore store = world.client("c1");
    for (Bytes key : keys(0, 40)) {
      store.put(key, Bytes.of("later"));
      assertThat(store.get(key)).contains(Bytes.of("later"));
    }
  }

  @Test
  void allReplicasAgreeAndHaveWhatWasImported() {
    in(
        world -> {
          Set<List<Versioned>> before = new HashSet<>(world.kept(WRITTEN.get(0)));
          assertThat(world.imports().importer(ID, Long.MAX_VALUE).run(input("imported")).before())
              .isFalse();
          assertThat(before).isNotEmpty();
          assertImported(world);
        });
  }

  /** Wherever an importer dies, the next one under its id does the rest. */
  @Test
  void anImporterThatDiesIsFollowedByAnother() {
    Map<Phase, Integer> met = new TreeMap<>();
    boolean[] through = {false};
    for (int calls = 0; !through[0]; calls++) {
      int died = calls;
      in(
          world -> {
            try {
              world.imports().importer(ID, died).run(input("imported"));
              through[0] = true;
            } catch (ImportFailedException e) {
              world.imports().states().forEach(state -> met.merge(state.phase(), 1, Integer::sum));
            }
            if (world.imports().isAnyRunning() && !through[0]) {
              assertThatThrownBy(() -> world.imports().importer("other", 99).run(input("imported")))
                  .hasMessageContaining("Import nightly of store carts has not ended");
            }
            world.imports().importer(ID, Long.MAX_VALUE).run(input("imported"));
            assertImported(world);
          });
    }
    assertThat(met.keySet()).contains(Phase.REFUSING, Phase.IMPORTING, Phase.LOCKED, Phase.DONE);
  }

  /** Wherever it dies, the import can be given up: each key has what it had, or what came. */
  @Test
  void anImportWhoseImporterDiedIsGivenUp() {
    boolean[] through = {false};
    for (int calls = 0; !through[0]; calls++) {
      int died = calls;
      in(
          world -> {
            try {
              world.imports().importer(ID, died).run(input("imported"));
              through[0] = true;
            } catch (ImportFailedException e) {
              boolean running = world.imports().isAnyRunning();
              boolean agreed = imports(world);
              assertThat(world.imports().importer(ID, Long.MAX_VALUE).abort(false))
                  .isEqualTo(running);
              assertThat(world.imports().isAnyRunning()).isFalse();
              for (Bytes key : WRITTEN) {
                if (agreed) {
                  assertSame(world, key);
                }
                assertThat(world.client("c1").get(key).orElseThrow().toUtf8())
                    .isIn(
                        IMPORTED.contains(key)
                            ? List.of("written", "imported")
                            : List.of("written"));
              }
              assertTakesWrites(world);
              world.imports().importer(ID, Long.MAX_VALUE).run(input("again"));
              assertThat(world.client("c1").get(IMPORTED.get(3))).contains(Bytes.of("again"));
            }
          });
    }
  }

  private static boolean imports(ReplicaWorld world) {
    return world.imports().states().stream().anyMatch(s -> s.phase() == Phase.IMPORTING);
  }

  /** Who gives up may die as well, and then who gives up again. */
  @Test
  void givingUpMayBreakOff() {
    for (int calls = 0; calls < 25; calls++) {
      int died = calls;
      in(
          world -> {
            assertThatThrownBy(() -> world.imports().importer(ID, 24).run(input("imported")))
                .isInstanceOf(ImportFailedException.class);
            assertThat(imports(world)).isTrue();
            try {
              world.imports().importer(ID, died).abort(false);
            } catch (ImportFailedException e) {
              assertThat(e).hasMessageContaining("could not");
            }
            if (died % 2 == 0) {
              world.imports().importer(ID, Long.MAX_VALUE).abort(false);
              assertTakesWrites(world);
            }
            world.imports().importer(ID, Long.MAX_VALUE).run(input("imported"));
            IMPORTED.forEach(key -> assertSame(world, key));
            assertThat(world.client("c1").get(IMPORTED.get(0))).contains(Bytes.of("imported"));
            assertTakesWrites(world);
          });
    }
  }

  @Test
  void aDeadNodeKeepsAnImportFromBeginning() {
    in(
        world -> {
          world.cutOff(3, Duration.ofSeconds(20));
          assertThatThrownBy(() -> world.imports().importer(ID, 99).run(input("imported")))
              .hasMessageContaining("n3")
              .hasMessageContaining("An import needs all nodes. Nothing was changed");
          assertTakesWrites(world);
        });
  }

  /** A node that dies after it was asked how far it is: the others take writes again. */
  @Test
  void aNodeThatDiesBeforeTheImportEndsIt() {
    in(
        world -> {
          boolean[] first = {true};
          assertThatThrownBy(
                  () ->
                      world
                          .imports()
                          .importer(
                              ID,
                              Long.MAX_VALUE,
                              step -> {
                                if (step == ImportStep.AGREE && first[0]) {
                                  first[0] = false;
                                  world.cutOff(3, Duration.ofSeconds(20));
                                }
                              })
                          .run(input("imported")))
              .hasMessageContaining("Nothing was imported")
              .hasMessageContaining("may go on refusing writes");
          assertTakesWrites(world);
          world.seams().sleep(Duration.ofSeconds(30));
          assertThat(world.imports().importer(ID, Long.MAX_VALUE).abort(false)).isTrue();
          world.imports().importer(ID, Long.MAX_VALUE).run(input("imported"));
          assertThat(world.client("c1").get(IMPORTED.get(3))).contains(Bytes.of("imported"));
        });
  }

  @Test
  void aNodeThatStaysAwayCanBeLeftOutOfGivingUp() {
    in(
        world -> {
          assertThatThrownBy(() -> world.imports().importer(ID, 24).run(input("imported")))
              .isInstanceOf(ImportFailedException.class);
          world.cutOff(3, Duration.ofSeconds(20));
          assertThatThrownBy(() -> world.imports().importer(ID, 99).abort(false))
              .isInstanceOf(ImportFailedException.class);
          assertThatThrownBy(() -> world.client("c1").put(IMPORTED.get(0), Bytes.of("no")))
              .isInstanceOfAny(WritesRefusedException.class, PutOutcomeUnknownException.class);
          assertThatThrownBy(() -> world.imports().importer(ID, 99).abort(true))
              .hasMessageContaining("The others take writes again.")
              .hasMessageContaining("n3");
          assertTakesWrites(world);
          world.seams().sleep(Duration.ofSeconds(30));
          assertThat(world.imports().importer(ID, 99).abort(false)).isTrue();
          assertTakesWrites(world);
        });
  }

  /** From before the first tuple is imported until writes are taken again nothing else is new. */
  @Test
  void nothingNewIsTakenBetweenAgreementAndReturn() {
    in(
        world -> {
          boolean[] over = {false};
          Map<Bytes, Bytes> acknowledged = new TreeMap<>();
          int[] refused = {0};
          List<Task> writers = new ArrayList<>();
          for (int writer = 0; writer < 6; writer++) {
            String name = "c" + writer;
            writers.add(
                world.seams().start(name, () -> hammer(world, name, over, acknowledged, refused)));
          }
          world.seams().sleep(Duration.ofMillis(50));
          Set<Versioned> agreed = new HashSet<>();
          Set<Versioned> returned = new HashSet<>();
          world
              .imports()
              .importer(
                  ID,
                  Long.MAX_VALUE,
                  step -> {
                    if (step == ImportStep.BEGIN) {
                      agreed.addAll(all(world));
                    } else if (step == ImportStep.OPEN && returned.isEmpty()) {
                      returned.addAll(all(world));
                    }
                  })
              .run(input("imported"));
          world.seams().sleep(Duration.ofMillis(50));
          over[0] = true;
          writers.forEach(writer -> writer.join(Duration.ofDays(1)));
          returned.removeIf(version -> version.clock().imports() > 0);
          assertThat(agreed).containsAll(returned);
          assertThat(refused[0]).isPositive();
          acknowledged.forEach(
              (key, value) ->
                  assertThat(world.client("c1").get(key)).as("key %s", key).contains(value));
        });
  }

  /** Each has keys of its own, which are not imported, so that all that is acknowledged stays. */
  private static void hammer(
      ReplicaWorld world,
      String name,
      boolean[] over,
      Map<Bytes, Bytes> acknowledged,
      int[] refused) {
    WritableStore store = world.client(name);
    for (int i = 0; !over[0]; i++) {
      Bytes key = Bytes.of(name + " " + i % 5);
      Bytes value = Bytes.of(name + "." + i);
      try {
        store.put(key, value);
        acknowledged.put(key, value);
      } catch (WritesRefusedException e) {
        refused[0]++;
        world.seams().sleep(Duration.ofMillis(1));
      }
    }
  }

  private static Set<Versioned> all(ReplicaWorld world) {
    Set<Versioned> all = new HashSet<>();
    for (int writer = 0; writer < 6; writer++) {
      for (int i = 0; i < 5; i++) {
        world.kept(Bytes.of("c" + writer + " " + i)).forEach(all::addAll);
      }
    }
    return all;
  }

  @Test
  void importingAgainChangesNothing() {
    in(
        world -> {
          world.imports().importer(ID, Long.MAX_VALUE).run(input("imported"));
          world.client("c1").put(IMPORTED.get(0), Bytes.of("later"));
          assertThat(world.imports().importer(ID, Long.MAX_VALUE).run(input("imported")).before())
              .isTrue();
          assertThat(world.client("c1").get(IMPORTED.get(0))).contains(Bytes.of("later"));
          assertThatThrownBy(
                  () -> world.imports().importer(ID, Long.MAX_VALUE).run(input("others")))
              .hasMessageContaining("was begun with other tuples")
              .hasMessageContaining("choose another id");
          world.imports().importer("next", Long.MAX_VALUE).run(input("others"));
          assertThat(world.client("c1").get(IMPORTED.get(0))).contains(Bytes.of("others"));
        });
  }

  /** A node of its own, with one engine behind its gate. */
  private static ImportState ticket(long number) {
    return new ImportState(ID, number, 5, "tuples", 1, Phase.REFUSING);
  }

  @Test
  void aNodeRemembersThatItRefusesWrites() throws IOException {
    ImportKeeper kept = ImportKeeper.memory();
    WriteGate gate = new WriteGate("carts", kept);
    gate.refuse(ticket(1));
    gate.begin(ticket(1));
    gate.take(ticket(1), () -> {});
    WriteGate again = new WriteGate("carts", kept);
    assertThatThrownBy(again::refuseWhileRunning)
        .isInstanceOf(WritesRefusedException.class)
        .hasMessageContaining("takes no writes until import nightly has ended")
        .hasMessageContaining("--abort");
    assertThatThrownBy(() -> again.take(ticket(1), () -> {}))
        .isInstanceOf(ImportRefusedException.class);
    again.begin(ticket(1));
    again.take(ticket(1), () -> {});
    again.lock(ticket(1));
    again.open(ticket(1));
    new WriteGate("carts", kept).refuseWhileRunning();
  }

  @Test
  void messagesThatAreLateBeginNothing() throws IOException {
    WriteGate gate = new WriteGate("carts", ImportKeeper.memory());
    gate.refuse(ticket(3));
    gate.begin(ticket(3));
    gate.lock(ticket(3));
    assertThatThrownBy(() -> gate.take(ticket(3), () -> {}))
        .isInstanceOf(ImportRefusedException.class);
    assertThatThrownBy(() -> gate.begin(ticket(3))).isInstanceOf(ImportRefusedException.class);
    gate.open(ticket(3));
    gate.refuseWhileRunning();
    for (long number : new long[] {2, 3}) {
      assertThatThrownBy(() -> gate.refuse(ticket(number)))
          .isInstanceOf(ImportRefusedException.class);
      gate.refuseWhileRunning();
    }
    gate.end(ticket(4));
    assertThatThrownBy(() -> gate.refuse(ticket(4))).isInstanceOf(ImportRefusedException.class);
    gate.refuseWhileRunning();
  }

  @Test
  void aNodeComesToRestBeforeItChanges() throws IOException {
    WriteGate gate = new WriteGate("carts", ImportKeeper.memory());
    gate.refuse(ticket(1));
    gate.begin(ticket(1));
    gate.take(
        ticket(1),
        () -> {
          assertThatThrownBy(() -> gate.lock(ticket(1))).isInstanceOf(ImportBusyException.class);
          assertThatThrownBy(() -> gate.end(ticket(1))).isInstanceOf(ImportBusyException.class);
        });
    gate.lock(ticket(1));
    gate.end(ticket(1));
    assertThatThrownBy(() -> gate.open(ticket(1))).isInstanceOf(ImportRefusedException.class);
    assertThatThrownBy(gate::refuseWhileRunning).isInstanceOf(WritesRefusedException.class);
    gate.giveUp(ticket(1));
    gate.refuseWhileRunning();
  }
}
