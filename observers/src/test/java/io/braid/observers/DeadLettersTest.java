package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.B;
import static io.braid.observers.Town.C;
import static io.braid.observers.Town.N;
import static io.braid.observers.Town.TABLE;
import static io.braid.observers.Town.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.TableSchema;
import io.braid.core.transaction.Transaction;
import io.braid.observers.rows.DeadLetter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fault 33: an observer that keeps throwing leaves a dead letter, others proceed, it is replayed.
 */
@ExtendWith(SilentDeaths.class)
class DeadLettersTest {
  private final Town town = new Town();
  private final AtomicBoolean broken = new AtomicBoolean(true);
  private final AtomicInteger attempts = new AtomicInteger();

  @AfterEach
  void close() {
    town.close();
  }

  private void fragile(Transaction tx, Row row) {
    attempts.incrementAndGet();
    tx.set(row, N, tx.get(row, N).orElse(0L) + 1);
    if (broken.get()) {
      throw new IllegalStateException("cannot parse " + tx.get(row, A).orElse("nothing"));
    }
  }

  private Town.Process patient(String name) {
    Town.Process process = town.process(name, options -> options.attempts(3));
    return withFragile(process);
  }

  private Town.Process withFragile(Town.Process process) {
    process.observers.register(Observer.of("fragile", TABLE, A, this::fragile));
    return process;
  }

  private static List<DeadLetter> deadLetters(Town.Process process) {
    List<DeadLetter> all = new ArrayList<>();
    process.observers.operations().forEachDeadLetter(Optional.empty(), all::add);
    return all;
  }

  @Test
  void anObserverThatAlwaysThrowsLeavesADeadLetterAndTheOthersProceed() {
    Town.Process process = patient("p");
    process.observers.register(
        Observer.of("fine", TABLE, A, (tx, row) -> tx.set(row, B, tx.get(row, A).orElse(""))));
    process.start();

    process.set("r", A, "v");
    assertThat(process.awaitIdle()).isTrue();

    assertThat(attempts).hasValue(3);
    assertThat(process.get("r", B)).isEqualTo("v");
    assertThat(town.notifications()).isEmpty();
    assertThat(process.observers.stats().deadLetters()).isEqualTo(1);
    DeadLetter change = deadLetters(process).get(0);
    assertThat(change.observer()).isEqualTo("fragile");
    assertThat(change.row()).isEqualTo(row("r"));
    assertThat(change.column()).isEqualTo(A.name());
    assertThat(change.attempts()).isEqualTo(3);
    assertThat(change.reason()).contains("cannot parse v");
    assertThat(change.firstMillis()).isPositive().isLessThanOrEqualTo(change.lastMillis());
  }

  /** It would end the runs of others that share its commit, again and again. */
  @ParameterizedTest
  @ValueSource(strings = {"leaves it", "reads with it", "throws"})
  void anObserverThatInterruptsItsThreadLeavesADeadLetterAndTheOthersProceed(String how) {
    Town.Process process = town.process("p", options -> options.attempts(3));
    process.observers.register(
        Observer.of("fine", TABLE, A, (tx, row) -> tx.set(row, B, tx.get(row, A).orElse(""))));
    process.observers.register(
        Observer.of(
            "odd",
            TABLE,
            A,
            (tx, row) -> {
              if (how.equals("throws")) {
                throw new InterruptedException("of its own");
              }
              Thread.currentThread().interrupt();
              if (how.equals("reads with it")) {
                tx.get(row, C);
              }
            }));
    process.start();

    for (int i = 0; i < 20; i++) {
      process.set("r" + i, A, "v");
    }
    assertThat(process.awaitIdle()).isTrue();

    for (int i = 0; i < 20; i++) {
      assertThat(process.get("r" + i, B)).isEqualTo("v");
    }
    assertThat(deadLetters(process))
        .hasSize(20)
        .allMatch(each -> each.observer().equals("odd"))
        .allMatch(each -> each.reason().contains("interrupted its own thread"));
  }

  @Test
  void aDeadLetterStaysOverARestart() {
    Town.Process first = patient("first").start();
    first.set("r", A, "v");
    assertThat(first.awaitIdle()).isTrue();
    first.close();
    broken.set(false);

    Town.Process second = patient("second").start();
    second.set("s", A, "w");
    assertThat(second.awaitIdle()).isTrue();

    assertThat(deadLetters(second)).hasSize(1);
    assertThat(second.number("r")).isZero();
    assertThat(second.number("s")).isEqualTo(1);
  }

  @Test
  void aReplayRunsItOnceAndAFailureLeavesADeadLetterAgain() {
    Town.Process process = patient("p").start();
    ObserverOperations operations = process.observers.operations();
    process.set("r", A, "v");
    assertThat(process.awaitIdle()).isTrue();
    DeadLetter before = deadLetters(process).get(0);

    assertThat(operations.replay("fragile", Bytes.of("r"))).isTrue();
    assertThat(process.awaitIdle()).isTrue();
    assertThat(attempts).hasValue(6);
    assertThat(deadLetters(process)).hasSize(1);
    assertThat(deadLetters(process).get(0).upTo()).isGreaterThan(before.upTo());

    broken.set(false);
    assertThat(operations.replay("fragile", Bytes.of("r"))).isTrue();
    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.number("r")).isEqualTo(1);
    assertThat(deadLetters(process)).isEmpty();
    assertThat(operations.replay("fragile", Bytes.of("r"))).isFalse();
  }

  @Test
  void aReplayNeedsNoCode() {
    Town.Process process = patient("p").start();
    process.set("r", A, "v");
    process.set("s", A, "v");
    assertThat(process.awaitIdle()).isTrue();
    broken.set(false);

    Town.Process operator = town.process("operator");
    List<DeadLetter> seen = new ArrayList<>();
    assertThat(operator.observers.operations().replayAll(Optional.of("fragile"), seen::add))
        .isEqualTo(2);

    assertThat(seen).extracting(DeadLetter::row).containsExactly(row("r"), row("s"));
    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.number("r") + process.number("s")).isEqualTo(2);
    assertThatThrownBy(() -> operator.observers.operations().replay("nobody", Bytes.of("r")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("registered are: fragile");
  }

  @Test
  void aNewChangeIsTriedAndTakesTheDeadLetterAlong() {
    Town.Process process = patient("p").start();
    process.set("r", A, "v");
    assertThat(process.awaitIdle()).isTrue();

    process.set("r", A, "w");
    assertThat(process.awaitIdle()).isTrue();
    assertThat(attempts).hasValue(6);
    assertThat(deadLetters(process)).singleElement().extracting(DeadLetter::attempts).isEqualTo(6);

    broken.set(false);
    process.set("r", A, "x");
    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.number("r")).isEqualTo(1);
    assertThat(deadLetters(process)).isEmpty();
  }

  @Test
  void aWeakObserverLeavesDeadLettersToo() {
    Town.Process process = town.process("p", options -> options.attempts(2));
    process.observers.register(Observer.weak("fragile", TABLE, C, this::fragile));
    process.start();

    notifyWeakly(process, "r");
    assertThat(process.awaitIdle()).isTrue();
    assertThat(attempts).hasValue(2);
    assertThat(deadLetters(process)).hasSize(1);
    broken.set(false);
    assertThat(process.observers.operations().replay("fragile", Bytes.of("r"))).isTrue();
    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.number("r")).isEqualTo(1);

    broken.set(true);
    notifyWeakly(process, "r");
    assertThat(process.awaitIdle()).isTrue();
    broken.set(false);
    notifyWeakly(process, "r");
    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.number("r")).isEqualTo(2);
    assertThat(deadLetters(process)).isEmpty();
  }

  private static void notifyWeakly(Town.Process process, String key) {
    process.transactions.run(
        tx -> {
          tx.notifyWeakly(row(key), C);
          return true;
        });
  }

  /** Around each step of dead-lettering and of replaying a process dies; another one goes on. */
  @ParameterizedTest
  @CsvSource({
    "false, observers.park-change, 6",
    "true, observers.park-change, 3",
    "false, observers.clear-notifications, 3",
    "true, observers.clear-notifications, 3",
  })
  void aDeathLosesNeitherTheChangeNorItsRecord(
      boolean executed, String procedure, int attemptsInAll) throws InterruptedException {
    MortalStore mortal = new MortalStore(town.memory);
    ObserverOptions options = Town.quick().workers(1).attempts(3);
    Town.Process doomed =
        withFragile(town.process("doomed", mortal, new SystemSeams().locks(), options));
    Town.Process heir = patient("heir");
    if (executed) {
      mortal.dieAfter(procedure, 1);
    } else {
      mortal.dieBefore(procedure, 1);
    }
    heir.set("r", A, "v");
    doomed.start();
    mortal.awaitDeath();
    doomed.buried();
    boolean pending = !town.notifications().isEmpty();
    assertThat(pending || !deadLetters(heir).isEmpty()).isTrue();
    heir.start();

    assertThat(heir.awaitIdle()).isTrue();
    assertThat(town.notifications()).isEmpty();
    assertThat(deadLetters(heir)).hasSize(1);
    assertThat(attempts).hasValue(attemptsInAll);
    broken.set(false);
    assertThat(heir.observers.operations().replay("fragile", Bytes.of("r"))).isTrue();
    assertThat(heir.awaitIdle()).isTrue();
    assertThat(heir.number("r")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void aDeathWithinAReplayLosesNothing(boolean executed) {
    Town.Process process = patient("p").start();
    process.set("r", A, "v");
    assertThat(process.awaitIdle()).isTrue();
    broken.set(false);
    MortalStore mortal = new MortalStore(town.memory);
    Town.Process doomed = town.process("doomed", mortal, new SystemSeams().locks(), Town.quick());
    if (executed) {
      mortal.dieAfter("observers.replay-change", 1);
    } else {
      mortal.dieBefore("observers.replay-change", 1);
    }

    assertThatThrownBy(() -> doomed.observers.operations().replay("fragile", Bytes.of("r")))
        .isInstanceOf(MortalStore.Died.class);
    doomed.buried();
    if (!executed) {
      assertThat(deadLetters(process)).hasSize(1);
      assertThat(process.observers.operations().replay("fragile", Bytes.of("r"))).isTrue();
    }

    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.number("r")).isEqualTo(1);
    assertThat(deadLetters(process)).isEmpty();
  }

  @Test
  void theListTellsWhatWaitsForWhom() {
    Town.Process process = patient("p");
    process.observers.register(Observer.weak("tally", TABLE, C, (tx, row) -> {}));
    Town.Process operator = town.process("operator");
    process.set("r", A, "v");
    process.set("s", A, "v");

    List<ObserverStatus> before = operator.observers.operations().list();
    assertThat(before).extracting(ObserverStatus::name).containsExactly("fragile", "tally");
    assertThat(before.get(0).pending()).isEqualTo(2);
    assertThat(before.get(0).here()).isFalse();
    assertThat(before.get(1).pending()).isZero();
    assertThat(before.get(1).weak()).isTrue();

    process.start();
    assertThat(process.awaitIdle()).isTrue();
    ObserverStatus after = operator.observers.operations().list().get(0);
    assertThat(after.pending()).isZero();
    assertThat(after.oldestPendingMillis()).isZero();
    assertThat(after.deadLetters()).isEqualTo(2);
  }

  @Test
  void aTableThatIsOlderThanDeadLettersGetsTheirFamily() {
    town.memory.dropTable(TABLE);
    var families =
        Families.transactional(TABLE, List.of("f")).families().stream()
            .filter(family -> !family.name().equals(Families.DEAD_LETTERS))
            .toList();
    town.memory.ensureTable(new TableSchema(TABLE, families));
    Town.Process process = patient("p").start();

    process.set("r", A, "v");
    assertThat(process.awaitIdle()).isTrue();
    assertThat(deadLetters(process)).hasSize(1);
  }
}
