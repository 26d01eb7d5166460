package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.SystemSeams;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What answers requests. */
class WorkersTest {
  /** Fault 58: else as many bad requests as there are threads are the end of all answers. */
  @Test
  void aJobThatFailsTakesNoThreadWithIt() throws InterruptedException {
    try (Workers workers = new Workers(new SystemSeams(), "test", 2, 100)) {
      for (int i = 0; i < 10; i++) {
        workers.execute(
            this,
            () -> {
              throw new StackOverflowError("on purpose");
            });
      }
      CountDownLatch done = new CountDownLatch(1);
      workers.execute(this, done::countDown);
      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Fault 58: what nobody has time for is refused at once, and takes no memory. */
  @Test
  void whatWaitsIsBounded() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(2);
    try (Workers workers = new Workers(new SystemSeams(), "test", 1, 2)) {
      workers.execute(
          this,
          () -> {
            begun.countDown();
            awaitGate(gate);
          });
      assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
      workers.execute(this, done::countDown);
      workers.execute(this, done::countDown);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> workers.execute(this, () -> {}))
            .isInstanceOf(RejectedExecutionException.class);
      }
      gate.countDown();
      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
      CountDownLatch later = new CountDownLatch(1);
      workers.execute(this, later::countDown);
      assertThat(later.await(30, TimeUnit.SECONDS)).isTrue();
      workers.close();
      assertThatThrownBy(() -> workers.execute(this, () -> {}))
          .isInstanceOf(RejectedExecutionException.class);
    }
  }

  private static void awaitGate(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
