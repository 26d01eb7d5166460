package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.B;
import static io.braid.observers.Town.N;
import static io.braid.observers.Town.TABLE;
import static io.braid.observers.Town.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Row;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Fault 34: an observer that triggers itself is held back and reported; others are not. */
class LoopTest {
  private final Town town = new Town();
  private final AtomicBoolean over = new AtomicBoolean();

  @AfterEach
  void close() {
    over.set(true);
    town.close();
  }

  @Test
  void aLoopIsBoundedAndReportedAndTheOthersProceed() {
    Town.Process process =
        town.process("p", options -> options.bounds(new ObserverOptions.Bounds(20, 0, 1000)));
    process.observers.register(
        Observer.of(
            "loop",
            TABLE,
            N,
            (tx, row) -> {
              if (!over.get()) {
                tx.set(row, N, tx.get(row, N).orElse(0L) + 1);
              }
            }));
    process.observers.register(
        Observer.of("fine", TABLE, A, (tx, row) -> tx.set(row, B, tx.get(row, A).orElse(""))));
    process.start();
    long begin = System.nanoTime();
    process.set("r", N, 0L);
    while (process.observers.stats().loops().isEmpty()) {
      Thread.onSpinWait();
    }
    process.set("r", A, "v");
    process.set("s", A, "w");
    while (!process.get("r", B).equals("v") || !process.get("s", B).equals("w")) {
      Thread.onSpinWait();
    }

    long seconds = (System.nanoTime() - begin) / 1_000_000_000L;
    assertThat(process.number("r")).isBetween(20L, 20 * (seconds + 2));
    RunLoop loop = process.observers.stats().loops().get(0);
    assertThat(loop.observer()).isEqualTo("loop");
    assertThat(loop.row()).isEqualTo(row("r"));
    assertThat(loop.seconds()).isPositive();
    over.set(true);
    assertThat(process.awaitIdle()).isTrue();
  }

  @Test
  void aPauseStopsALoop() {
    Town.Process process = town.process("p");
    process.observers.register(
        Observer.of("loop", TABLE, N, (tx, row) -> tx.set(row, N, tx.get(row, N).orElse(0L) + 1)));
    process.start();
    process.set("r", N, 0L);
    process.observers.operations().pause("loop");

    assertThat(process.awaitIdle()).isTrue();
  }

  @Test
  void rowsAndObserversHaveBoundsOfTheirOwn() {
    Row other = row("s");
    RunRates rates = new RunRates(new ObserverOptions.Bounds(2, 5, 1), 7);
    long first =
        rates.nanosUntilAllowed("o", row("r"), 7, 1) + rates.nanosUntilAllowed("o", row("r"), 7, 1);
    assertThat(first).isZero();
    assertThat(rates.nanosUntilAllowed("o", row("r"), 7, 1)).isEqualTo(1_000_000_000L);
    assertThat(rates.loops()).singleElement().extracting(RunLoop::row).isEqualTo(row("r"));
    assertThat(rates.nanosUntilAllowed("o", other, 7, 1)).isZero();
    assertThat(rates.nanosUntilAllowed("o", other, 7, 1)).isZero();
    assertThat(rates.nanosUntilAllowed("o", row("t"), 7, 1)).isPositive();
    assertThat(rates.nanosUntilAllowed("another", row("t"), 7, 1)).isZero();

    assertThat(rates.nanosUntilAllowed("o", row("r"), 1_000_000_007L, 1)).isZero();
  }
}
