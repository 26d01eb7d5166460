package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.B;
import static io.braid.observers.Town.C;
import static io.braid.observers.Town.D;
import static io.braid.observers.Town.TABLE;
import static io.braid.observers.Town.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Column;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One observer is paused, in all processes and over restarts, and the others go on. */
class PausingTest {
  private final Town town = new Town();

  @AfterEach
  void close() {
    town.close();
  }

  private static ObserverBody copy(Column<String> from, Column<String> to) {
    return (tx, row) -> tx.set(row, to, tx.get(row, from).orElse("nothing"));
  }

  private Town.Process process(String name) {
    Town.Process process = town.process(name);
    process.observers.register(Observer.of("one", TABLE, A, copy(A, B)));
    process.observers.register(Observer.of("two", TABLE, A, copy(A, C)));
    process.observers.register(Observer.of("three", TABLE, C, copy(C, D)));
    return process;
  }

  @Test
  void onlyThePausedOneRests() {
    Town.Process process = process("p").start();
    process.observers.operations().pause("one");

    process.set("r", A, "v");
    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.get("r", B)).isEmpty();
    assertThat(process.get("r", D)).isEqualTo("v");
    assertThat(town.notifications()).hasSize(1);
    assertThat(process.observers.operations().list().get(0).paused()).isTrue();

    process.observers.operations().resume("one");
    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.get("r", B)).isEqualTo("v");
    assertThat(process.observers.stats().runs()).isEqualTo(3);
    assertThat(town.notifications()).isEmpty();
  }

  @Test
  void aPauseHoldsInOtherProcessesAndOverRestarts() {
    Town.Process operator = town.process("operator");
    process("before").close();
    operator.observers.operations().pause("three");

    Town.Process later = process("later").start();
    later.set("r", A, "v");
    assertThat(later.awaitIdle()).isTrue();
    assertThat(later.get("r", C)).isEqualTo("v");
    assertThat(later.get("r", D)).isEmpty();

    operator.observers.operations().resume("three");
    while (!later.get("r", D).equals("v")) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aProcessThatRunsLearnsOfThePauseWithinItsInterval() throws InterruptedException {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch first = new CountDownLatch(1);
    Town.Process process = town.process("p");
    process.observers.register(
        Observer.of(
            "busy",
            TABLE,
            A,
            (tx, row) -> {
              runs.incrementAndGet();
              first.countDown();
            }));
    process.start();
    process.set("r", A, "v");
    first.await();
    Town.Process operator = town.process("operator");
    operator.observers.operations().pause("busy");
    while (!process.observers.operations().list().get(0).paused()) {
      Thread.onSpinWait();
    }
    assertThat(process.awaitIdle()).isTrue();
    int before = runs.get();

    process.set("r", A, "w");
    assertThat(process.awaitIdle()).isTrue();
    assertThat(runs).hasValue(before);
  }

  @Test
  void aPausedWeakObserverLosesNothing() {
    Town.Process process = town.process("p");
    AtomicInteger runs = new AtomicInteger();
    process.observers.register(
        Observer.weak("weak", TABLE, A, (tx, row) -> runs.incrementAndGet()));
    process.start();
    process.observers.operations().pause("weak");
    process.transactions.run(
        tx -> {
          tx.notifyWeakly(row("r"), A);
          return true;
        });
    assertThat(process.awaitIdle()).isTrue();
    assertThat(runs).hasValue(0);

    process.observers.operations().resume("weak");
    assertThat(process.awaitIdle()).isTrue();
    assertThat(runs).hasValue(1);
  }

  @Test
  void nobodyIsPausedWhoDoesNotExist() {
    ObserverOperations operations = process("p").observers.operations();
    assertThatThrownBy(() -> operations.pause("four"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("registered are: one, three, two");
    assertThatThrownBy(() -> operations.resume("four"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
