package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.B;
import static io.braid.observers.Town.N;
import static io.braid.observers.Town.TABLE;
import static io.braid.observers.Town.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Transaction;
import io.braid.testkit.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Faults 29 and 30 by chance: processes that run observers die before or after any call of the
 * store, while another one keeps writing.
 */
@ExtendWith(SilentDeaths.class)
class CrashesTest {
  private static final int ROWS = 4;
  private static final int CHANGES = 40;
  private static final int DEATHS = 6;

  /** Two observers in a chain; the second notes what it saw in rows of their own. */
  private static void register(Town.Process process) {
    process.observers.register(
        Observer.of(
            "first",
            TABLE,
            N,
            (tx, row) -> tx.set(row, A, Long.toString(tx.get(row, N).orElse(0L)))));
    process.observers.register(Observer.of("second", TABLE, A, CrashesTest::note));
  }

  private static void note(Transaction tx, Row row) {
    Row note = row("note-" + row.key().toUtf8() + "-" + tx.timestamp());
    tx.set(note, B, tx.get(row, A).orElse("0"));
  }

  @Test
  void afterAnyDeathsEveryChangeIsFollowedByOneRunAtMost() {
    Seeds.each(24, seed -> run(seed, Seeds.random(seed)));
  }

  private static void run(long seed, RandomGenerator random) throws InterruptedException {
    try (Town town = new Town(random.nextBoolean())) {
      Town.Process writer = town.process("writer");
      register(writer);
      Task writing = writer.seams.start("writer", () -> change(writer, Seeds.random(-seed)));
      for (int i = 0; i < DEATHS; i++) {
        MortalStore mortal = new MortalStore(town.memory);
        Town.Process doomed =
            town.process("doomed" + i, mortal, new SystemSeams().locks(), Town.quick());
        register(doomed);
        mortal.dieAtCall(1 + random.nextInt(60), random.nextBoolean());
        doomed.start();
        while (!mortal.isDead() && !isOver(writing, writer)) {
          Thread.onSpinWait();
        }
        mortal.kill();
        doomed.buried();
      }
      assertThat(writing.join(Town.LONG)).isTrue();
      Town.Process last = town.process("last");
      register(last);
      last.start();
      assertThat(last.awaitIdle()).isTrue();
      for (int i = 0; i < ROWS; i++) {
        check(last, "r" + i);
      }
    }
  }

  private static boolean isOver(Task writing, Town.Process writer) {
    return writing.join(Duration.ZERO) && writer.observers.awaitIdle(Duration.ofMillis(1));
  }

  private static void change(Town.Process process, RandomGenerator random) {
    for (int i = 0; i < CHANGES; i++) {
      Row row = row("r" + random.nextInt(ROWS));
      process.transactions.run(
          tx -> {
            tx.set(row, N, tx.get(row, N).orElse(0L) + 1);
            return true;
          });
    }
  }

  private static void check(Town.Process process, String key) {
    List<Long> seen =
        process.transactions.run(
            tx -> {
              Scan notes = Scan.of(TABLE).prefix("note-" + key + "-").column(B);
              try (RowCursor cursor = tx.scan(notes)) {
                return cursor.stream().map(note -> Long.valueOf(note.get(B).orElse(""))).toList();
              }
            });
    long number = process.number(key);
    assertThat(seen).as(key).doesNotHaveDuplicates().isSorted();
    if (number > 0) {
      assertThat(seen).as(key).endsWith(number);
    }
  }
}
