package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.SystemSeams;
import java.util.concurrent.CountDownLatch;
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
            () -> {
              throw new StackOverflowError("on purpose");
            });
      }
      CountDownLatch done = new CountDownLatch(1);
      workers.execute(done::countDown);
      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }
}
