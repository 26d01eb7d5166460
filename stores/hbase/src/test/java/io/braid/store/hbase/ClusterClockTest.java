package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Fault 22: what warms a region is a timestamp that the oracle gave out after its opening. */
class ClusterClockTest {
  private final FakeHBase hbase = new FakeHBase(Duration.ofMinutes(1));
  private final ClusterClock clock = new ClusterClock(hbase.client, hbase.tables);
  private final AtomicLong oracle = new AtomicLong();
  private final List<Call.Advance> brought = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newSingleThreadExecutor();

  /** How many regions the server has opened. */
  private volatile long opened = 1;

  ClusterClockTest() {
    hbase.tables.get(FakeHBase.TABLE);
    hbase.regions =
        call -> {
          brought.add((Call.Advance) call);
          return new Reply(7, opened, false, List.of());
        };
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private Call.Advance last() {
    return brought.get(brought.size() - 1);
  }

  @Test
  void theSecondTimestampWarmsWhatTheFirstHasLearned() {
    clock.advance(oracle::incrementAndGet);
    assertThat(last().opened()).isZero();

    clock.advance(oracle::incrementAndGet);
    assertThat(last().opened()).isEqualTo(1);
    assertThat(last().incarnation()).isEqualTo(7);
  }

  @Test
  void aTimestampThatIsOldByNowDoesNotWarmWhatAnotherThreadHasLearnedMeanwhile() throws Exception {
    clock.advance(oracle::incrementAndGet);
    CountDownLatch drawn = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Future<?> slow =
        threads.submit(
            () ->
                clock.advance(
                    () -> {
                      long timestamp = oracle.incrementAndGet();
                      drawn.countDown();
                      awaitUninterrupted(goOn);
                      return timestamp;
                    }));
    drawn.await();
    long stale = oracle.get();

    opened = 2;
    clock.advance(oracle::incrementAndGet);
    clock.advance(oracle::incrementAndGet);
    assertThat(last().opened()).isEqualTo(2);
    goOn.countDown();
    slow.get(20, TimeUnit.SECONDS);

    assertThat(last().timestamp()).isEqualTo(stale);
    assertThat(last().opened()).as("what was learned before it was drawn").isEqualTo(1);
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
