package io.braid.serving.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.SystemSeams;
import io.braid.testkit.runtime.ScarceThreads;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParallelTest {
  private static final SystemSeams SEAMS = new SystemSeams();

  private final AtomicInteger done = new AtomicInteger();

  @AfterEach
  void noInterruptIsLeft() {
    Thread.interrupted();
  }

  /** Else a step of a push would count as done on a node that was not told of it. */
  @Test
  void anErrorOfOneIsThrownWhenAllHaveEnded() {
    Runnable broken =
        () -> {
          throw new AssertionError("on purpose");
        };
    Runnable slow =
        () -> {
          SEAMS.sleep(Duration.ofMillis(50));
          done.incrementAndGet();
        };
    for (List<Runnable> jobs : List.of(List.of(slow, broken, slow), List.of(broken, slow, slow))) {
      done.set(0);
      assertThatThrownBy(() -> Parallel.run(SEAMS, "test", jobs)).hasMessage("on purpose");
      assertThat(done).hasValue(2);
    }
  }

  @Test
  void aSystemWithoutThreadsDoesOneAfterAnother() {
    Runnable job = done::incrementAndGet;
    Parallel.run(ScarceThreads.of(SEAMS, 1), "test", List.of(job, job, job));
    assertThat(done).hasValue(3);
  }

  @Test
  void whoWasInterruptedWaitsWithoutWork() {
    Runnable stubborn =
        () -> {
          long begin = System.nanoTime();
          while (System.nanoTime() - begin < 500_000_000) {
            LockSupport.parkNanos(1_000_000);
            Thread.interrupted();
          }
          done.incrementAndGet();
        };
    Thread.currentThread().interrupt();
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    Parallel.run(SEAMS, "test", List.of(() -> {}, stubborn));
    long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    assertThat(done).hasValue(1);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(took).isLessThan(250_000_000);
  }
}
