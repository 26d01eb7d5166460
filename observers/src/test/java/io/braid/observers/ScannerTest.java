package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.TABLE;
import static io.braid.observers.Town.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.runtime.AdvisoryLocks;
import io.braid.observers.schedule.Signals;
import io.braid.observers.schedule.VisitLocks;
import io.braid.observers.schedule.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fault 32: scanners that meet teleport, and each sweep still covers the whole table. */
class ScannerTest {
  private static final int ROWS = 300;
  private final Town town = new Town();
  private final Town.Process process = town.process("p");
  private final Registry registry = new Registry(town.memory, process.seams, System::nanoTime);
  private final Counters counters = new Counters();
  private final RestingRows resting = new RestingRows();
  private final Signals signals = new Signals(process.seams);
  private final WorkQueue queue = new WorkQueue(ROWS, 2 * ROWS);
  private final Scanner scanner = scanner();

  private Scanner scanner() {
    return new Scanner(
        town.memory,
        registry,
        queue,
        new VisitLocks(process.seams),
        resting,
        counters,
        Duration.ofMillis(1),
        process.seams,
        signals);
  }

  @BeforeEach
  void write() {
    for (String key : List.of("r050", "r100", "r200")) {
      town.memory.splitTablet(TABLE, Bytes.of(key));
    }
    Observer observer = Observer.of("o", TABLE, A, (tx, row) -> {});
    registry.register(observer);
    process.observers.register(observer);
    for (int i = 0; i < ROWS; i++) {
      process.set(key(i), A, "v");
    }
  }

  @AfterEach
  void close() {
    town.close();
  }

  private static String key(int i) {
    return String.format("r%03d", i);
  }

  private List<Row> found() {
    List<Row> rows = new ArrayList<>();
    for (WorkQueue.Work work = queue.take(0); work != null; work = queue.take(0)) {
      assertThat(work.locked()).isTrue();
      rows.add(work.item().row);
    }
    return rows;
  }

  private List<Row> all() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(row(key(i)));
    }
    return rows;
  }

  @Test
  void oneSweepFindsEveryRowOnceWhereverItBegins() {
    scanner.sweepAll();

    assertThat(found()).containsExactlyInAnyOrderElementsOf(all());
    assertThat(counters.teleports.sum()).isZero();
  }

  @Test
  void aScannerThatMeetsAnotherTeleportsAndFindsTheRestAllTheSame() {
    for (int i = 0; i < ROWS; i += 10) {
      assertThat(town.locks.tryLock("observe/" + row(key(i)), "another")).isTrue();
    }

    scanner.sweepAll();

    List<Row> free = all();
    for (int i = 0; i < ROWS; i += 10) {
      free.remove(row(key(i)));
    }
    assertThat(found()).containsExactlyInAnyOrderElementsOf(free);
    assertThat(counters.teleports.sum()).isPositive();
  }

  @Test
  void twoScannersOfOneProcessShareTheRowsAndTeleport() {
    scanner.sweepAll();
    scanner().sweepAll();

    assertThat(found()).containsExactlyInAnyOrderElementsOf(all());
    assertThat(counters.teleports.sum()).isPositive();
  }

  @Test
  void restingRowsAreLeftAloneUntilANewerNotificationOrOtherObservers() {
    resting.rest(row("r007"), Long.MAX_VALUE, true, registry.view());
    resting.rest(row("r008"), 1, true, registry.view());
    resting.rest(row("r009"), Long.MAX_VALUE, true, ObservedColumns.NONE);

    scanner.sweepAll();

    assertThat(found())
        .hasSize(ROWS - 1)
        .contains(row("r008"), row("r009"))
        .doesNotContain(row("r007"));
  }

  @Test
  void hintedRowsAreLeftToTheirHint() {
    queue.hint(row("r007"));
    scanner.sweepAll();

    assertThat(queue.size()).isEqualTo(ROWS);
    assertThat(counters.teleports.sum()).isZero();
  }

  /** Fault 31: rows that were locked for a visit that never came are visited by others. */
  @Test
  void observersThatCloseGiveUpTheLocksOfRowsTheyDidNotVisit() throws InterruptedException {
    Set<String> held = ConcurrentHashMap.newKeySet();
    AdvisoryLocks locks =
        new AdvisoryLocks() {
          @Override
          public boolean tryLock(String name, String owner) {
            return held.add(name);
          }

          @Override
          public void unlock(String name, String owner) {
            held.remove(name);
          }
        };
    ObserverOptions options = Town.quick().workers(1);
    Town.Process closing = town.process("q", town.memory, locks, options);
    CountDownLatch closed = new CountDownLatch(1);
    closing.observers.register(
        Observer.of(
            "o",
            TABLE,
            A,
            (tx, row) -> {
              while (closing.observers.stats().pending() < 2) {
                Thread.onSpinWait();
              }
              Thread closer =
                  new Thread(
                      () -> {
                        closing.observers.close();
                        closed.countDown();
                      });
              closer.start();
              while (closer.getState() == Thread.State.RUNNABLE
                  || closer.getState() == Thread.State.NEW) {
                Thread.onSpinWait();
              }
            }));
    closing.start();
    closed.await();
    assertThat(held).isEmpty();
  }
}
