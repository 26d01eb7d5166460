package io.braid.percolator;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.protocol.Duty;
import io.braid.core.runtime.SystemSeams;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DutyTest {
  /** Fault 15: a heartbeat that stopped would make its live owner look stuck. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRoundThatGoesWrongEndsNoDuty(boolean error) throws InterruptedException {
    CountDownLatch rounds = new CountDownLatch(3);
    try (Duty duty =
        Duty.start(
            new SystemSeams(),
            "duty",
            Duration.ofMillis(1),
            () -> {
              rounds.countDown();
              if (error) {
                throw new OutOfMemoryError("on purpose");
              }
              throw new IllegalStateException("went wrong");
            })) {
      duty.wake();
      assertThat(rounds.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }
}
