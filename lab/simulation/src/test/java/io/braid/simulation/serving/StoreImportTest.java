package io.braid.simulation.serving;

import static io.braid.simulation.serving.ImportStories.ID;
import static io.braid.simulation.serving.ImportStories.IMPORTED;
import static io.braid.simulation.serving.ImportStories.WRITTEN;
import static io.braid.simulation.serving.ImportStories.assertImported;
import static io.braid.simulation.serving.ImportStories.assertSame;
import static io.braid.simulation.serving.ImportStories.assertTakesWrites;
import static io.braid.simulation.serving.ImportStories.in;
import static io.braid.simulation.serving.ImportStories.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Task;
import io.braid.serving.NotFinishedException;
import io.braid.serving.ServingException;
import io.braid.serving.imports.ImportStep;
import io.braid.serving.writable.Hint;
import io.braid.serving.writable.VectorClock;
import io.braid.serving.writable.VersionedValue;
import io.braid.serving.writable.WritableStore;
import io.braid.serving.writable.imports.ImportState.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Faults 44, 45 and 55: an import into a replicated store whose importer or nodes die at any step
 * is gone on with or given up, and nothing acknowledged is lost by it but what it says.
 */
class StoreImportTest {
  @Test
  void allReplicasAgreeAndHaveWhatWasImported() {
    in(
        world -> {
          Set<List<VersionedValue>> before = new HashSet<>(world.kept(WRITTEN.get(0)));
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
            } catch (NotFinishedException e) {
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

  /** Of a write that only a hint has: its replicas have lost it, or never had it. */
  @Test
  void whatOnlyAHintHasIsWrittenOverAsWell() {
    in(
        world -> {
          Bytes key = IMPORTED.get(15);
          long now = world.seams().wallMillis();
          VersionedValue missed =
              new VersionedValue(VectorClock.parse("0:1"), now, Optional.of(Bytes.of("missed")));
          Hint hint = new Hint(0, ReplicaWorld.STORE, key);
          world.network("c1").hint(world.newest().ring().node(4), hint, missed);
          world.imports().importer(ID, Long.MAX_VALUE).run(input("imported"));
          world.pushHints();
          assertSame(world, key);
          assertThat(world.client("c1").siblings(key))
              .extracting(sibling -> sibling.value().orElseThrow().toUtf8())
              .containsExactly("imported");
        });
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
          Set<VersionedValue> agreed = new HashSet<>();
          Set<VersionedValue> returned = new HashSet<>();
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
      } catch (ServingException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.WRITES_REFUSED);
        refused[0]++;
        world.seams().sleep(Duration.ofMillis(1));
      }
    }
  }

  private static Set<VersionedValue> all(ReplicaWorld world) {
    Set<VersionedValue> all = new HashSet<>();
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
}
