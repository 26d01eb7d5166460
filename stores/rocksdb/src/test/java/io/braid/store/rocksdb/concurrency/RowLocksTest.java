package io.braid.store.rocksdb.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class RowLocksTest {
  private static final Row ROW = Row.of("t", "row");

  private final RowLocks locks = new RowLocks();

  /** Not atomic: two threads within at once lose increments. */
  private static final class Guarded {
    private long count;
  }

  @Test
  void nobodyElseIsWithinAndEverybodyGetsTheirTurn() throws Exception {
    int[][] wanted = {{3}, {7}, {3, 7}, {3, 5, 7}};
    Guarded[] guarded = {new Guarded(), new Guarded(), new Guarded()};
    int threads = 8;
    int rounds = 4000;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int first = t;
        ends.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < rounds; i++) {
                    int[] stripes = wanted[(first + i) % wanted.length];
                    locks.lock(stripes);
                    locks.beginChange(stripes);
                    for (int stripe : stripes) {
                      guarded[(stripe - 3) / 2].count++;
                    }
                    if (i % 64 == 0) {
                      Thread.yield();
                    }
                    locks.endChange(stripes);
                    locks.unlock(stripes);
                  }
                }));
      }
      for (Future<?> end : ends) {
        end.get(100, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
    long quarter = (long) threads * rounds / 4;
    assertThat(guarded[0].count).isEqualTo(3 * quarter);
    assertThat(guarded[1].count).isEqualTo(quarter);
    assertThat(guarded[2].count).isEqualTo(3 * quarter);
    assertThat(locks.stamp(3)).isEqualTo(2 * 3 * quarter);
    assertThat(locks.stamp(5)).isEqualTo(2 * quarter);
    assertThat(locks.tryLock(3)).isTrue();
  }

  @Test
  void lockAndStampDoNotTouchEachOther() {
    int[] stripes = RowLocks.stripes(List.of(ROW));
    int stripe = stripes[0];
    locks.lock(stripes);
    assertThat(locks.isLocked(ROW)).isTrue();
    assertThat(locks.tryLock(stripe)).isFalse();
    assertThat(RowLocks.changing(locks.stamp(stripe))).isFalse();
    locks.beginChange(stripes);
    assertThat(RowLocks.changing(locks.stamp(stripe))).isTrue();
    assertThat(locks.isLocked(ROW)).isTrue();
    locks.endChange(stripes);
    long after = locks.stamp(stripe);
    assertThat(RowLocks.changing(after)).isFalse();
    locks.unlock(stripes);
    assertThat(locks.isLocked(ROW)).isFalse();
    assertThat(locks.stamp(stripe)).isEqualTo(after);
  }

  @Test
  void whoIsInterruptedWaitsOnAndStaysInterrupted() throws Exception {
    int[] stripes = {9};
    locks.lock(stripes);
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread waiter =
        new Thread(
            () -> {
              begun.countDown();
              locks.lock(stripes);
              interrupted.set(Thread.currentThread().isInterrupted());
              locks.unlock(stripes);
            });
    waiter.start();
    begun.await();
    waiter.interrupt();
    waiter.join(50);
    assertThat(waiter.isAlive()).isTrue();
    locks.unlock(stripes);
    waiter.join(60_000);
    assertThat(waiter.isAlive()).isFalse();
    assertThat(interrupted).isTrue();
    assertThat(locks.tryLock(9)).isTrue();
  }
}
