package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.B;
import static io.braid.observers.Town.C;
import static io.braid.observers.Town.D;
import static io.braid.observers.Town.LONG;
import static io.braid.observers.Town.N;
import static io.braid.observers.Town.TABLE;
import static io.braid.observers.Town.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ObserversTest {
  private final Town town = new Town();
  private final Town.Process process = town.process("p");

  @AfterEach
  void close() {
    town.close();
  }

  private static ObserverBody copy(Column<String> from, Column<String> to, String suffix) {
    return (tx, row) -> tx.set(row, to, tx.get(row, from).orElse("nothing") + suffix);
  }

  private static void count(Transaction tx, Row row) {
    tx.set(row, N, tx.get(row, N).orElse(0L) + 1);
  }

  @Test
  void aChangeIsFollowedByARun() {
    process.observers.register(Observer.of("copy", TABLE, A, copy(A, B, "!")));
    process.start();

    process.set("r", A, "hello");

    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.get("r", B)).isEqualTo("hello!");
    assertThat(town.notifications()).isEmpty();
  }

  @Test
  void aDeletionIsAChange() {
    process.observers.register(Observer.of("copy", TABLE, A, copy(A, B, "!")));
    process.start();
    process.set("r", A, "hello");
    assertThat(process.awaitIdle()).isTrue();

    process.transactions.run(
        tx -> {
          tx.delete(row("r"), A);
          return true;
        });

    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.get("r", B)).isEqualTo("nothing!");
  }

  @Test
  void otherColumnsAndLocksAreNoChanges() {
    process.observers.register(Observer.of("count", TABLE, A, ObserversTest::count));
    process.start();

    process.set("r", B, "x");
    process.transactions.run(
        tx -> {
          tx.lock(row("r"), A);
          return true;
        });

    assertThat(town.notifications()).isEmpty();
    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.number("r")).isZero();
  }

  @Test
  void aChainOfThreeObserversRunsToItsEnd() {
    process.observers.register(Observer.of("one", TABLE, A, copy(A, B, "1")));
    process.observers.register(Observer.of("two", TABLE, B, copy(B, C, "2")));
    process.observers.register(Observer.of("three", TABLE, C, copy(C, D, "3")));
    process.start();

    for (int i = 0; i < 50; i++) {
      process.set("r" + i, A, "v" + i + "-");
    }

    assertThat(process.awaitIdle()).isTrue();
    for (int i = 0; i < 50; i++) {
      assertThat(process.get("r" + i, D)).isEqualTo("v" + i + "-123");
    }
    assertThat(process.observers.stats().runs()).isEqualTo(150);
    assertThat(process.observers.stats().lag().count()).isEqualTo(150);
  }

  @Test
  void anObserverThatChangesItsOwnColumnRunsAgainUntilItStops() {
    process.observers.register(
        Observer.of(
            "countdown",
            TABLE,
            N,
            (tx, row) -> {
              long n = tx.get(row, N).orElse(0L);
              if (n > 0) {
                tx.set(row, N, n - 1);
              }
            }));
    process.start();

    process.set("r", N, 10L);

    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.number("r")).isZero();
    assertThat(process.observers.stats().runs()).isEqualTo(11);
  }

  @Test
  void manyChangesCollapseIntoOneRun() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    process.observers.register(
        Observer.of(
            "slow",
            TABLE,
            A,
            (tx, row) -> {
              tx.set(row, B, tx.get(row, A).orElse(""));
              entered.countDown();
              go.await();
            }));
    process.start();
    process.set("r", A, "0");
    entered.await();

    for (int i = 1; i <= 100; i++) {
      process.set("r", A, Integer.toString(i));
    }
    go.countDown();

    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.get("r", B)).isEqualTo("100");
    assertThat(process.observers.stats().runs()).isEqualTo(2);
    assertThat(process.observers.stats().collapsed()).isBetween(99L, 100L);
  }

  @Test
  void severalObserversOfOneColumnEachRunOnceForAChange() {
    process.observers.register(Observer.of("one", TABLE, A, copy(A, B, "1")));
    process.observers.register(Observer.of("two", TABLE, A, copy(A, C, "2")));
    process.observers.register(Observer.of("three", TABLE, A, copy(A, D, "3")));
    process.start();

    process.set("r", A, "v");

    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.get("r", B) + process.get("r", C) + process.get("r", D)).isEqualTo("v1v2v3");
    assertThat(process.observers.stats().runs()).isEqualTo(3);
    assertThat(town.notifications()).isEmpty();
  }

  @Test
  void changesMadeBeforeTheStartAreFoundByScanning() {
    process.observers.register(Observer.of("copy", TABLE, A, copy(A, B, "!")));
    for (int i = 0; i < 200; i++) {
      process.set("r" + i, A, "v");
    }
    assertThat(process.observers.awaitIdle(Duration.ZERO)).isFalse();

    process.start();

    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.observers.stats().runs()).isEqualTo(200);
  }

  @Test
  void hintsThatFindNoRoomAreFoundByScanning() {
    Town.Process small = town.process("small", options -> options.hintQueueCapacity(1).workers(1));
    CountDownLatch go = new CountDownLatch(1);
    small.observers.register(
        Observer.of(
            "copy",
            TABLE,
            A,
            (tx, row) -> {
              go.await();
              count(tx, row);
            }));
    small.start();

    for (int i = 0; i < 100; i++) {
      small.set("r" + i, A, "v");
    }
    go.countDown();

    assertThat(small.awaitIdle()).isTrue();
    assertThat(small.observers.stats().hintsDropped()).isPositive();
    assertThat(small.observers.stats().runs()).isEqualTo(100);
  }

  @Test
  void aProcessWithoutTheCodeNotifiesToo() {
    process.observers.register(Observer.of("copy", TABLE, A, copy(A, B, "!")));
    process.start();
    Town.Process loader = town.process("loader");

    loader.set("r", A, "hello");

    assertThat(loader.awaitIdle()).isTrue();
    assertThat(loader.get("r", B)).isEqualTo("hello!");
  }

  @Test
  void aProcessLearnsOfObserversRegisteredElsewhereLater() {
    Town.Process loader = town.process("loader");
    process.observers.register(Observer.of("copy", TABLE, A, copy(A, B, "!")));

    while (!loader.observers.isObserved(TABLE, A.name())) {
      Thread.onSpinWait();
    }
    loader.set("r", A, "v");
    assertThat(town.notifications()).hasSize(1);
  }

  @Test
  void aNameStandsForOneColumn() {
    process.observers.register(Observer.of("copy", TABLE, A, copy(A, B, "!")));
    process.observers.register(Observer.of("copy", TABLE, A, copy(A, C, "!")));

    assertThatThrownBy(
            () -> process.observers.register(Observer.of("copy", TABLE, B, copy(B, C, ""))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("observer copy of t/f:a");
    assertThatThrownBy(() -> Observer.of("a/b", TABLE, A, copy(A, B, "")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anUnregisteredObserverIsNotifiedNoMore() {
    process.observers.register(Observer.of("copy", TABLE, A, copy(A, B, "!")));
    process.observers.unregister("copy");

    process.set("r", A, "v");

    assertThat(town.notifications()).isEmpty();
    process.observers.register(Observer.of("copy", TABLE, C, copy(C, D, "!")));
  }

  @Test
  void anObserverThatThrewIsTriedAgainAndSucceeds() {
    AtomicInteger attempts = new AtomicInteger();
    process.observers.register(
        Observer.of(
            "shaky",
            TABLE,
            A,
            (tx, row) -> {
              count(tx, row);
              if (attempts.incrementAndGet() < 4) {
                throw new java.io.IOException("not now");
              }
            }));
    process.start();

    process.set("r", A, "v");

    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.number("r")).isEqualTo(1);
    assertThat(process.observers.stats().failures()).isEqualTo(3);
    assertThat(process.observers.stats().latestDeadLetters()).isEmpty();
    assertThat(process.observers.stats().retrying()).isZero();
  }

  @Test
  void anObserverMayNotEndItsTransaction() {
    Town.Process patient = town.process("patient", options -> options.attempts(1));
    patient.observers.register(Observer.of("eager", TABLE, A, (tx, row) -> tx.commit()));
    patient.start();

    patient.set("r", A, "v");
    assertThat(patient.awaitIdle()).isTrue();
    assertThat(patient.observers.stats().latestDeadLetters().get(0).reason())
        .contains("return to commit");
    assertThat(patient.observers.stats().runs()).isZero();
  }

  @Test
  void whatConflictsIsTriedAgain() throws InterruptedException {
    AtomicInteger attempts = new AtomicInteger();
    process.observers.register(
        Observer.of(
            "counted",
            TABLE,
            A,
            (tx, row) -> {
              tx.set(row, B, "mine");
              if (attempts.incrementAndGet() == 1) {
                process.set("r", B, "theirs");
              }
            }));
    process.start();

    process.set("r", A, "v");

    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.get("r", B)).isEqualTo("mine");
    assertThat(process.observers.stats().conflicts()).isEqualTo(1);
    assertThat(process.observers.stats().runs()).isEqualTo(1);
  }

  @Test
  void aTableThatIsDroppedLeavesNothingToDo() {
    process.observers.register(Observer.of("count", TABLE, A, ObserversTest::count));
    process.set("r", A, "v");
    town.memory.dropTable(TABLE);
    process.start();

    process.observers.changed(row("s"), A.name(), 1, 2);

    assertThat(process.awaitIdle()).isTrue();
  }

  @Test
  void nothingRunsAfterTheClose() {
    process.observers.register(Observer.of("count", TABLE, A, ObserversTest::count));
    process.start();
    process.set("r", A, "v");
    assertThat(process.awaitIdle()).isTrue();

    process.observers.close();
    process.set("r", A, "w");

    assertThat(process.observers.awaitIdle(Duration.ofMillis(50))).isFalse();
    assertThat(process.number("r")).isEqualTo(1);
    assertThat(town.notifications()).hasSize(1);
  }

  @Test
  void badOptionsAreRefused() {
    for (Runnable bad :
        List.<Runnable>of(
            () -> ObserverOptions.defaults().workers(0),
            () -> ObserverOptions.defaults().scanners(-1),
            () -> ObserverOptions.defaults().scanInterval(Duration.ZERO),
            () -> ObserverOptions.defaults().hintQueueCapacity(0),
            () -> ObserverOptions.defaults().attempts(0),
            () -> ObserverOptions.defaults().backoff(LONG, Duration.ZERO))) {
      assertThatThrownBy(bad::run).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
