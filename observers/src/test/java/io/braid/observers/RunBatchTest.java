package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.B;
import static io.braid.observers.Town.N;
import static io.braid.observers.Town.TABLE;
import static io.braid.observers.Town.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.observers.schedule.BatchSize;
import io.braid.percolator.rows.OnePhaseCommit;
import io.braid.percolator.rows.SnapshotRead;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows that are visited together, their observers' transactions committed in one trip. */
class RunBatchTest {
  private static final int ROWS = 100;

  private final Town town = new Town();
  private final CommitTrips store = new CommitTrips(town.memory);
  private final CountDownLatch written = new CountDownLatch(1);

  @AfterEach
  void close() {
    written.countDown();
    town.close();
  }

  /** Counts the calls that commit transactions of observers. */
  private static final class CommitTrips extends ForwardingStore {
    private final AtomicInteger shared = new AtomicInteger();
    private final AtomicInteger largest = new AtomicInteger();
    private final AtomicInteger readTogether = new AtomicInteger();

    CommitTrips(CellStore store) {
      super(store);
    }

    @Override
    public <A, R> List<Outcome<R>> execute(
        Procedure<A, R> procedure, List<A> arguments, Durability durability) {
      if (procedure == OnePhaseCommit.INSTANCE && arguments.size() > 1) {
        shared.addAndGet(arguments.size());
        largest.accumulateAndGet(arguments.size(), Math::max);
      }
      if (procedure == SnapshotRead.INSTANCE && arguments.size() > 1) {
        readTogether.addAndGet(arguments.size());
      }
      return store.execute(procedure, arguments, durability);
    }
  }

  /** Observes all rows at once: the first run waits until they are written. */
  private Town.Process observe(ObserverBody body) {
    return observe(ROWS, town.locks, body);
  }

  private Town.Process observe(int rows, AdvisoryLocks locks, ObserverBody body) {
    Town.Process process = town.process("p", store, locks, Town.quick().workers(1).scanners(0));
    process.observers.register(
        Observer.of(
            "each",
            TABLE,
            A,
            (tx, row) -> {
              written.await();
              body.observe(tx, row);
            }));
    process.start();
    for (int i = 0; i < rows; i++) {
      process.set("r" + i, A, "v" + i);
    }
    written.countDown();
    assertThat(process.awaitIdle()).isTrue();
    return process;
  }

  @Test
  void runsThatHaveNothingToDoWithEachOtherShareTrips() {
    Town.Process process = observe((tx, row) -> tx.set(row, B, tx.get(row, A).orElse("")));
    for (int i = 0; i < ROWS; i++) {
      assertThat(process.get("r" + i, B)).isEqualTo("v" + i);
    }
    assertThat(store.shared.get()).isGreaterThan(ROWS / 2);
    assertThat(store.readTogether.get()).isGreaterThan(ROWS / 2);
    assertThat(process.observers.stats().runs()).isEqualTo(ROWS);
    assertThat(process.observers.stats().conflicts()).isZero();
    assertThat(town.notifications()).isEmpty();
  }

  /** Counts what is asked of a lock service, in how many messages. */
  private static final class LockTrips implements AdvisoryLocks {
    private final AdvisoryLocks locks;
    private final AtomicInteger together = new AtomicInteger();
    private final AtomicInteger alone = new AtomicInteger();

    LockTrips(AdvisoryLocks locks) {
      this.locks = locks;
    }

    @Override
    public boolean tryLock(String name, String owner) {
      alone.incrementAndGet();
      return locks.tryLock(name, owner);
    }

    @Override
    public List<Boolean> tryLockAll(List<String> names, String owner) {
      together.incrementAndGet();
      return locks.tryLockAll(names, owner);
    }

    @Override
    public void unlock(String name, String owner) {
      alone.incrementAndGet();
      locks.unlock(name, owner);
    }

    @Override
    public void unlockAll(List<String> names, String owner) {
      together.incrementAndGet();
      locks.unlockAll(names, owner);
    }
  }

  @Test
  void rowsOfABatchAreLockedAndUnlockedTogether() {
    LockTrips locks = new LockTrips(town.locks);
    Town.Process process = observe(ROWS, locks, (tx, row) -> tx.set(row, B, "ran"));
    assertThat(process.observers.stats().runs()).isEqualTo(ROWS);
    assertThat(locks.alone).hasValue(0);
    assertThat(locks.together.get()).isLessThan(ROWS / 2);
  }

  /** Rows that another process visits are left out, and visited when it is done with them. */
  @Test
  void aRowThatIsLockedElsewhereKeepsNobodyWaiting() {
    String locked = "observe/" + row("r50");
    assertThat(town.locks.tryLock(locked, "another")).isTrue();
    AtomicInteger others = new AtomicInteger();
    Town.Process process =
        observe(
            (tx, row) -> {
              tx.set(row, B, "ran");
              if (others.incrementAndGet() == ROWS - 1) {
                town.locks.unlock(locked, "another");
              }
            });
    assertThat(process.get("r50", B)).isEqualTo("ran");
    assertThat(process.observers.stats().runs()).isEqualTo(ROWS);
  }

  /**
   * What others wait for is committed soon: a batch of slow runs is not gone through to its end.
   */
  @Test
  void runsThatTakeLongAreNotGatheredToBeCommittedTogether() {
    Town.Process process =
        observe(
            10,
            town.locks,
            (tx, row) -> {
              Thread.sleep(100);
              tx.set(row, B, "ran");
            });
    assertThat(process.observers.stats().runs()).isEqualTo(10);
    assertThat(store.largest.get()).isLessThan(8);
    assertThat(town.notifications()).isEmpty();
  }

  /** Fault 32: they would conflict each time if they always ran together. */
  @Test
  void runsThatWriteTheSameCellRunAloneAndEachCommitsOnce() {
    Town.Process process =
        observe((tx, row) -> tx.set(row("sum"), N, tx.get(row("sum"), N).orElse(0L) + 1));
    assertThat(process.number("sum")).isEqualTo(ROWS);
    assertThat(process.observers.stats().runs()).isEqualTo(ROWS);
    assertThat(process.observers.stats().conflicts()).isLessThan(ROWS / 2);
    assertThat(process.observers.stats().retries()).as("none had to wait").isZero();
    assertThat(town.notifications()).isEmpty();
  }

  /** Fault 33: one that throws takes nothing from those it is visited with. */
  @Test
  void aRunThatThrowsIsLeftOutOfItsBatch() {
    AtomicInteger failures = new AtomicInteger();
    Town.Process process =
        observe(
            (tx, row) -> {
              tx.set(row, B, "ran");
              if (row.equals(row("r50")) && failures.getAndIncrement() < 2) {
                throw new IllegalStateException("not yet");
              }
            });
    for (int i = 0; i < ROWS; i++) {
      assertThat(process.get("r" + i, B)).isEqualTo("ran");
    }
    assertThat(process.observers.stats().runs()).isEqualTo(ROWS);
    assertThat(process.observers.stats().failures()).isEqualTo(2);
  }

  @Test
  void theSizeOfABatchFollowsHowItGoes() {
    BatchSize size = new BatchSize();
    int first = size.get();
    size.wentWell();
    assertThat(size.get()).isEqualTo(2 * first);
    for (int i = 0; i < 10; i++) {
      size.wentBadly();
    }
    assertThat(size.get()).isEqualTo(1);
    size.wentWell();
    assertThat(size.get()).as("careful from then on").isEqualTo(2);
    size.wentWell();
    assertThat(size.get()).isEqualTo(3);
    for (int i = 0; i < 100; i++) {
      size.wentWell();
    }
    assertThat(size.get()).isBetween(first, 64);
  }
}
