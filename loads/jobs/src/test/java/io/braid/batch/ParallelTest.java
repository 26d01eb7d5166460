package io.braid.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.StoreException;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever has work done side by side knows, when it returns, that none of it is under way. */
@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParallelTest {
  private static final long STUBBORN_NANOS = 300_000_000;

  private final AtomicInteger under = new AtomicInteger();
  private final CountDownLatch begun = new CountDownLatch(2);

  @AfterEach
  void noInterruptIsLeft() {
    Thread.interrupted();
  }

  /** Goes on for a while although its thread is interrupted. */
  private void stubborn() {
    under.incrementAndGet();
    begun.countDown();
    long begin = System.nanoTime();
    boolean interrupted = false;
    while (!interrupted || System.nanoTime() - begin < STUBBORN_NANOS) {
      LockSupport.parkNanos(1_000_000);
      if (Thread.interrupted() && !interrupted) {
        interrupted = true;
        begin = System.nanoTime();
      }
    }
    under.decrementAndGet();
  }

  private void awaitBegin() {
    try {
      begun.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void nothingIsUnderWayAfterAnInterrupt() {
    List<Parallel.Piece> pieces = Collections.nCopies(5, this::stubborn);
    Runnable interrupts =
        () -> {
          if (under.get() > 0) {
            awaitBegin();
            Thread.currentThread().interrupt();
          }
        };
    assertThatThrownBy(() -> Parallel.run(new SystemSeams(), "test", 2, pieces, interrupts))
        .isInstanceOf(StoreException.class);
    assertThat(under).hasValue(0);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void nothingIsUnderWayWhenTheWatcherFails() {
    List<Parallel.Piece> pieces = Collections.nCopies(5, this::stubborn);
    assertThatThrownBy(
            () ->
                Parallel.run(
                    new SystemSeams(),
                    "test",
                    2,
                    pieces,
                    () -> {
                      throw new IllegalStateException("watcher");
                    }))
        .hasMessage("watcher");
    assertThat(under).hasValue(0);
  }

  @Test
  void aPieceThatFailsIsTheLastThatIsBegun() {
    AtomicInteger run = new AtomicInteger();
    List<Parallel.Piece> pieces =
        Collections.nCopies(
            5,
            () -> {
              run.incrementAndGet();
              throw new IOException("broken");
            });
    assertThatThrownBy(() -> Parallel.run(new SystemSeams(), "test", 1, pieces, () -> {}))
        .isInstanceOf(IOException.class)
        .hasMessage("broken");
    assertThat(run).hasValue(1);
  }
}
