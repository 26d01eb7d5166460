package io.braid.simulation.serving;

import static io.braid.simulation.serving.ImportStories.ID;
import static io.braid.simulation.serving.ImportStories.IMPORTED;
import static io.braid.simulation.serving.ImportStories.WRITTEN;
import static io.braid.simulation.serving.ImportStories.assertSame;
import static io.braid.simulation.serving.ImportStories.assertTakesWrites;
import static io.braid.simulation.serving.ImportStories.in;
import static io.braid.simulation.serving.ImportStories.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Task;
import io.braid.serving.NotFinishedException;
import io.braid.serving.imports.ImportStep;
import io.braid.serving.writable.imports.ImportState;
import io.braid.serving.writable.imports.ImportState.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Faults 44, 45 and 55: an import into a replicated store is given up at any step, while its
 * importer runs or after it has died, and leaves all replicas the same.
 */
class GivenUpImportTest {
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
            } catch (NotFinishedException e) {
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
                .isInstanceOf(NotFinishedException.class);
            assertThat(imports(world)).isTrue();
            try {
              world.imports().importer(ID, died).abort(false);
            } catch (NotFinishedException e) {
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

  /** Whenever that is: as soon as one node takes writes again, none takes tuples any more. */
  @Test
  void anImportIsGivenUpWhileItsImporterRuns() {
    Set<Phase> before = new HashSet<>();
    for (ImportStep reached : List.of(ImportStep.REFUSE, ImportStep.BEGIN, ImportStep.LOCK)) {
      for (int millis = 0; millis < 8; millis++) {
        Duration after = Duration.ofMillis(millis);
        in(
            world -> {
              boolean[] there = {false};
              Task importer =
                  world.seams().start("importer", () -> importUntil(world, reached, there));
              while (!there[0]) {
                world.seams().sleep(Duration.ofNanos(100_000));
              }
              world.seams().sleep(after);
              world.imports().states().forEach(state -> before.add(state.phase()));
              List<Phase> met = new ArrayList<>();
              world
                  .imports()
                  .importer(
                      ID,
                      Long.MAX_VALUE,
                      step -> {
                        if (step == ImportStep.GIVE_UP) {
                          world.imports().states().forEach(state -> met.add(state.phase()));
                        }
                      })
                  .abort(false);
              assertThat(met).doesNotContain(Phase.IMPORTING, Phase.LOCKED);
              importer.join(Duration.ofDays(1));
              assertThat(world.imports().isAnyRunning()).isFalse();
              IMPORTED.forEach(key -> assertSame(world, key));
              assertTakesWrites(world);
            });
      }
    }
    assertThat(before).contains(Phase.REFUSING, Phase.IMPORTING, Phase.LOCKED);
  }

  private static void importUntil(ReplicaWorld world, ImportStep reached, boolean[] there) {
    try {
      world
          .imports()
          .importer(ID, Long.MAX_VALUE, step -> there[0] |= step == reached)
          .run(input("imported"));
    } catch (NotFinishedException e) {
      assertThat(e).hasMessageContaining("could not");
    }
  }

  /** Nothing is compared then, which may take long, as nothing was imported. */
  @Test
  void anImportThatHadNotBegunIsGivenUpAtOnce() {
    in(
        world -> {
          assertThatThrownBy(() -> world.imports().importer(ID, 13).run(input("imported")))
              .isInstanceOf(NotFinishedException.class);
          assertThat(world.imports().states())
              .extracting(ImportState::phase)
              .containsOnly(Phase.REFUSING)
              .hasSize(5);
          List<ImportStep> steps = new ArrayList<>();
          world.imports().importer(ID, Long.MAX_VALUE, steps::add).abort(false);
          assertThat(steps).contains(ImportStep.GIVE_UP).doesNotContain(ImportStep.AGREE);
          assertTakesWrites(world);
        });
  }

  @Test
  void aNodeThatStaysAwayCanBeLeftOutOfGivingUp() {
    in(
        world -> {
          assertThatThrownBy(() -> world.imports().importer(ID, 24).run(input("imported")))
              .isInstanceOf(NotFinishedException.class);
          world.cutOff(3, Duration.ofSeconds(20));
          assertThatThrownBy(() -> world.imports().importer(ID, 99).abort(false))
              .isInstanceOf(NotFinishedException.class);
          assertThatThrownBy(() -> world.client("c1").put(IMPORTED.get(0), Bytes.of("no")))
              .isInstanceOfSatisfying(
                  BraidException.class,
                  failed ->
                      assertThat(failed.code())
                          .isIn(ErrorCode.WRITES_REFUSED, ErrorCode.OUTCOME_UNKNOWN));
          assertThatThrownBy(() -> world.imports().importer(ID, 99).abort(true))
              .hasMessageContaining("The others take writes again.")
              .hasMessageContaining("n3");
          assertTakesWrites(world);
          world.seams().sleep(Duration.ofSeconds(30));
          assertThat(world.imports().importer(ID, 99).abort(false)).isTrue();
          assertTakesWrites(world);
        });
  }
}
