package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.C;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AtMostOnceTest {
  private static final int ROWS = 8;
  private static final int CHANGES = 60;

  /**
   * Notes which number it saw, in a row of its own, so that nothing but the acknowledgment keeps
   * two runs from committing both.
   */
  private static void note(Transaction tx, Row row) {
    Row note = row("note-" + row.key().toUtf8() + "-" + tx.timestamp());
    tx.set(note, A, Long.toString(tx.get(row, N).orElse(0L)));
  }

  /**
   * Fault 29: three processes that share no lock service run the same observers over rows that two
   * of them keep changing.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void atMostOneRunCommitsForAChangeAndTheLastChangeIsSeen(boolean onePhase) {
    try (Town town = new Town(onePhase)) {
      List<Town.Process> processes = new ArrayList<>();
      for (String name : List.of("p", "q", "r")) {
        Town.Process process =
            town.process(name, town.memory, new SystemSeams().locks(), Town.quick());
        process.observers.register(Observer.of("note", TABLE, N, AtMostOnceTest::note));
        processes.add(process.start());
      }
      List<Task> writers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Town.Process process = processes.get(i);
        RandomGenerator random = Seeds.random(i);
        writers.add(process.seams.start("writer", () -> change(process, random)));
      }
      writers.forEach(writer -> assertThat(writer.join(Town.LONG)).isTrue());
      processes.forEach(process -> assertThat(process.awaitIdle()).isTrue());
      assertThat(processes.get(0).awaitIdle()).isTrue();

      long changes = 0;
      long runs = 0;
      for (int i = 0; i < ROWS; i++) {
        List<Long> seen = seen(processes.get(0), "note-r" + i + "-");
        assertThat(seen).doesNotHaveDuplicates().isSorted();
        long last = processes.get(0).number("r" + i);
        assertThat(last == 0 ? List.of(0L) : seen).endsWith(last);
        changes += last;
        runs += seen.size();
      }
      assertThat(changes).isEqualTo(2 * CHANGES);
      assertThat(processes.stream().mapToLong(p -> p.observers.stats().runs()).sum())
          .isEqualTo(runs)
          .isLessThanOrEqualTo(changes);
    }
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

  /** What the runs on a row saw, in the order of their start timestamps. */
  private static List<Long> seen(Town.Process process, String prefix) {
    return process.transactions.run(
        tx -> {
          try (RowCursor notes = tx.scan(Scan.of(TABLE).prefix(prefix).column(A))) {
            return notes.stream().map(note -> Long.valueOf(note.get(A).orElseThrow())).toList();
          }
        });
  }

  /** Fault 32: two workers are in the same run at once; one commits, the other finds it done. */
  @Test
  void ofTwoWorkersOnOneCellOneCommits() {
    try (Town town = new Town()) {
      CyclicBarrier both = new CyclicBarrier(2);
      AtomicInteger bodies = new AtomicInteger();
      ObserverBody meet =
          (tx, row) -> {
            int body = bodies.incrementAndGet();
            tx.set(row("run" + body), C, "ran");
            if (body <= 2) {
              both.await(30, TimeUnit.SECONDS);
            }
          };
      Town.Process p = town.process("p", town.memory, new SystemSeams().locks(), Town.quick());
      Town.Process q = town.process("q", town.memory, new SystemSeams().locks(), Town.quick());
      p.observers.register(Observer.of("meet", TABLE, A, meet));
      q.observers.register(Observer.of("meet", TABLE, A, meet));
      p.start();
      q.start();

      p.set("r", A, "v");

      assertThat(p.awaitIdle()).isTrue();
      assertThat(q.awaitIdle()).isTrue();
      assertThat(p.get("run1", C) + p.get("run2", C)).isEqualTo("ran");
      assertThat(p.observers.stats().runs() + q.observers.stats().runs()).isEqualTo(1);
      assertThat(p.observers.stats().conflicts() + q.observers.stats().conflicts()).isEqualTo(1);
      assertThat(bodies).hasValue(2);
    }
  }

  /** Fault 31: the change commits while the observer is in its run, having read the old value. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aChangeDuringTheRunTriggersAnother(boolean onePhase) {
    try (Town town = new Town(onePhase)) {
      Town.Process process = town.process("p");
      AtomicInteger bodies = new AtomicInteger();
      process.observers.register(
          Observer.of(
              "late",
              TABLE,
              A,
              (tx, row) -> {
                tx.set(row, C, tx.get(row, A).orElse("") + bodies.incrementAndGet());
                if (bodies.get() == 1) {
                  process.set("r", A, "second");
                }
              }));
      process.start();

      process.set("r", A, "first");

      assertThat(process.awaitIdle()).isTrue();
      assertThat(process.get("r", C)).isEqualTo("second2");
      assertThat(process.observers.stats().runs()).isEqualTo(2);
      assertThat(town.notifications()).isEmpty();
    }
  }

  /**
   * Fault 31: the change is prewritten before the observer begins, so that its notification is
   * seen, and commits above the observer's start timestamp, so that the change is not.
   */
  @Test
  void aChangeThatWasOnItsWayWhenTheRunBeganTriggersAnother() throws InterruptedException {
    try (Town town = new Town(false)) {
      GateStore slow = new GateStore(town.memory);
      Town.Process writer = town.process("writer", slow, town.locks, Town.quick());
      GateStore watched = new GateStore(town.memory);
      Town.Process worker = town.process("worker", watched, town.locks, Town.quick().workers(1));
      Observer copy =
          Observer.of(
              "copy", TABLE, A, (tx, row) -> tx.set(row, C, tx.get(row, A).orElse("nothing")));
      writer.observers.register(copy);
      worker.observers.register(copy);
      writer.set("r", A, "first");
      slow.closeBehind("percolator.prewrite");
      Task second = writer.seams.start("second", () -> writer.set("r", A, "second"));
      slow.awaitReached();
      assertThat(town.notifications()).hasSize(2);

      watched.closeBehind("percolator.snapshot-read");
      worker.start();
      watched.awaitReached();
      watched.open();
      slow.open();

      assertThat(second.join(Town.LONG)).isTrue();
      assertThat(worker.awaitIdle()).isTrue();
      assertThat(worker.get("r", C)).isEqualTo("second");
      assertThat(worker.observers.stats().runs()).isEqualTo(2);
    }
  }
}
