package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.B;
import static io.braid.observers.Town.N;
import static io.braid.observers.Town.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.SystemSeams;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fault 30: a process dies at any step of a run; another one finishes what it left, and for each
 * change exactly one run commits.
 */
@ExtendWith(SilentDeaths.class)
class DyingWorkerTest {
  private final AtomicInteger bodies = new AtomicInteger();

  private final ObserverBody counting =
      (tx, row) -> {
        bodies.incrementAndGet();
        tx.set(row, N, tx.get(row, N).orElse(0L) + 1);
        tx.set(row, B, tx.get(row, A).orElse("nothing"));
      };

  /**
   * @param bodiesRun how often the observer's code runs in both processes together: once more where
   *     the first run was lost
   */
  @ParameterizedTest
  @CsvSource({
    // One phase: before the commit, after it, between commit and removal, after removal.
    "true, false, percolator.one-phase-commit, 2",
    "true, true, percolator.one-phase-commit, 1",
    "true, false, observers.clear-notifications, 1",
    "true, true, observers.clear-notifications, 1",
    // Two phases: before and after the locks, before and after the commit point, then as above.
    "false, false, percolator.prewrite, 2",
    "false, true, percolator.prewrite, 2",
    "false, false, percolator.commit-primary, 2",
    "false, true, percolator.commit-primary, 1",
    "false, false, observers.clear-notifications, 1",
    "false, true, observers.clear-notifications, 1",
  })
  void whatADeadWorkerLeftIsFinishedOnce(
      boolean onePhase, boolean executed, String procedure, int bodiesRun)
      throws InterruptedException {
    try (Town town = new Town(onePhase)) {
      MortalStore mortal = new MortalStore(town.memory);
      Town.Process doomed =
          town.process("doomed", mortal, new SystemSeams().locks(), Town.quick().workers(1));
      Town.Process loader = town.process("loader");
      doomed.observers.register(Observer.of("counting", TABLE, A, counting));
      loader.observers.register(Observer.of("counting", TABLE, A, counting));
      if (executed) {
        mortal.dieAfter(procedure, 1);
      } else {
        mortal.dieBefore(procedure, 1);
      }

      loader.set("r", A, "v");
      doomed.start();
      mortal.awaitDeath();
      doomed.buried();
      boolean removed = executed && procedure.equals("observers.clear-notifications");
      assertThat(town.notifications().isEmpty()).isEqualTo(removed);
      loader.start();

      assertThat(loader.awaitIdle()).isTrue();
      assertThat(loader.number("r")).isEqualTo(1);
      assertThat(loader.get("r", B)).isEqualTo("v");
      assertThat(bodies).hasValue(bodiesRun);
      assertThat(town.notifications()).isEmpty();
    }
  }
}
