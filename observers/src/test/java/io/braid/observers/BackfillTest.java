package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.B;
import static io.braid.observers.Town.C;
import static io.braid.observers.Town.N;
import static io.braid.observers.Town.TABLE;
import static io.braid.observers.Town.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.Seeds;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Faults 29 and 30 for rows that are older than their observer: each gets one run, whoever writes
 * or dies meanwhile.
 */
@ExtendWith(SilentDeaths.class)
class BackfillTest {
  private static final int ROWS = 600;
  private final Town town = new Town();

  @AfterEach
  void close() {
    town.close();
  }

  private static String key(int i) {
    return String.format("r%04d", i);
  }

  /** Counts its runs, and notes in a row of its own what each of them saw. */
  private static void observe(Transaction tx, Row row) {
    tx.set(row, N, tx.get(row, N).orElse(0L) + 1);
    tx.set(row("seen-" + row.key().toUtf8() + "-" + tx.timestamp()), B, tx.get(row, A).orElse(""));
  }

  private Town.Process withObserver(Town.Process process) {
    process.observers.register(Observer.of("late", TABLE, A, BackfillTest::observe));
    return process;
  }

  private void writeOld(Town.Process process) {
    for (int from = 0; from < ROWS; from += 100) {
      int begin = from;
      process.transactions.run(
          tx -> {
            for (int i = begin; i < begin + 100; i++) {
              tx.set(row(key(i)), A, "old");
            }
            return true;
          });
    }
  }

  @Test
  void everyExistingRowGetsOneRun() {
    Town.Process process = town.process("p");
    writeOld(process);
    process.set("other", C, "not observed");
    withObserver(process).start();
    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.number(key(0))).isZero();

    Backfill end = process.observers.operations().backfill("late", false, progress -> {});

    assertThat(end.done()).isTrue();
    assertThat(end.rows()).isEqualTo(ROWS);
    assertThat(end.notified()).isEqualTo(ROWS);
    assertThat(process.awaitIdle()).isTrue();
    for (int i = 0; i < ROWS; i++) {
      assertThat(process.number(key(i))).as(key(i)).isEqualTo(1);
    }
    assertThat(process.number("other")).isZero();
    assertThat(process.observers.operations().list().get(0).backfill()).contains(end);
  }

  @Test
  void whatIsAcknowledgedIsNotRunAgain() {
    Town.Process process = town.process("p");
    writeOld(process);
    withObserver(process).start();
    process.set(key(7), A, "new");
    assertThat(process.awaitIdle()).isTrue();

    process.observers.operations().backfill("late", false, progress -> {});
    assertThat(process.awaitIdle()).isTrue();
    Backfill again = process.observers.operations().backfill("late", true, progress -> {});
    assertThat(process.awaitIdle()).isTrue();

    assertThat(again.notified()).isZero();
    assertThat(process.number(key(7))).isEqualTo(1);
    assertThat(process.observers.stats().runs()).isEqualTo(ROWS);
  }

  @Test
  void aRequestIsCarriedOutByWhoeverRunsObservers() {
    Town.Process operator = town.process("operator");
    writeOld(operator);
    Town.Process process = withObserver(town.process("p"));
    operator.observers.operations().requestBackfill("late", false);

    process.start();
    while (process.observers.stats().runs() < ROWS) {
      Thread.onSpinWait();
    }
    assertThat(process.awaitIdle()).isTrue();
    assertThat(process.observers.stats().runs()).isEqualTo(ROWS);
  }

  @Test
  void aWeakObserverHasNothingToBeginFrom() {
    Town.Process process = town.process("p");
    process.observers.register(Observer.weak("weak", TABLE, A, (tx, row) -> {}));
    ObserverOperations operations = process.observers.operations();

    assertThatThrownBy(() -> operations.requestBackfill("weak", false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is weak");
    assertThatThrownBy(() -> operations.requestBackfill("nobody", false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Dies around every step that moves the backfill on, while a writer goes on. */
  @Test
  void deathsAndWritersNeitherLoseNorRepeatARow() {
    Seeds.each(6, seed -> run(Seeds.random(seed)));
  }

  private static void run(RandomGenerator random) throws InterruptedException {
    try (Town town = new Town(random.nextBoolean())) {
      BackfillTest test = new BackfillTest();
      Town.Process writer = town.process("writer");
      test.writeOld(writer);
      test.withObserver(writer);
      writer.observers.operations().requestBackfill("late", false);
      Task writing = writer.seams.start("writer", () -> change(writer, Seeds.random(1)));
      for (int i = 0; i < 4; i++) {
        MortalStore mortal = new MortalStore(town.memory);
        Town.Process doomed =
            test.withObserver(
                town.process("doomed" + i, mortal, new SystemSeams().locks(), Town.quick()));
        if (random.nextBoolean()) {
          mortal.dieAfter("observers.change-backfill", 1);
        } else {
          mortal.dieBefore("observers.change-backfill", 1);
        }
        doomed.start();
        try {
          Backfill end = doomed.observers.operations().backfill("late", false, progress -> {});
          assertThat(end.done()).isTrue();
          mortal.kill();
        } catch (MortalStore.Died e) {
          assertThat(mortal.isDead()).isTrue();
        }
        doomed.buried();
      }
      assertThat(writing.join(Town.LONG)).isTrue();
      Town.Process last = test.withObserver(town.process("last")).start();
      last.observers.operations().backfill("late", false, progress -> {});
      assertThat(last.awaitIdle()).isTrue();
      check(last);
    }
  }

  private static void change(Town.Process process, RandomGenerator random) {
    for (int i = 0; i < 60; i++) {
      process.set(key(random.nextInt(ROWS)), A, "new-" + i);
    }
  }

  /** Each run saw another value; the last one what is there now. */
  private static void check(Town.Process process) {
    for (int i = 0; i < ROWS; i++) {
      String key = key(i);
      List<String> seen =
          process.transactions.run(
              tx -> {
                Scan notes = Scan.of(TABLE).prefix("seen-" + key + "-").column(B);
                try (RowCursor cursor = tx.scan(notes)) {
                  return cursor.stream().map(note -> note.get(B).orElse("")).toList();
                }
              });
      assertThat(seen).as(key).doesNotHaveDuplicates().isNotEmpty();
      assertThat(seen).as(key).endsWith(process.get(key, A));
      assertThat(process.number(key)).as(key).isEqualTo(seen.size());
    }
  }
}
