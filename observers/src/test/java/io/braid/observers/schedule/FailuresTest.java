package io.braid.observers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Row;
import io.braid.observers.Town;
import org.junit.jupiter.api.Test;

class FailuresTest {
  private static final Row R = Town.row("r");
  private final Failures failures = new Failures();

  @Test
  void whatNeverFailedMayRun() {
    assertThat(failures.nanosUntilAllowed(R, "o", 0)).isZero();
    assertThat(failures.size()).isZero();
  }

  @Test
  void afterAFailureItWaits() {
    assertThat(failures.failed(R, "o", 5).attempts()).isEqualTo(1);
    failures.tryAgainAt(R, "o", 100);

    assertThat(failures.nanosUntilAllowed(R, "o", 30)).isEqualTo(70);
    assertThat(failures.nanosUntilAllowed(R, "o", 100)).isZero();
    assertThat(failures.nanosUntilAllowed(R, "other", 30)).isZero();
    assertThat(failures.size()).isEqualTo(1);
  }

  @Test
  void attemptsAreCountedFromTheFirst() {
    failures.failed(R, "o", 5);
    Failures.Failure second = failures.failed(R, "o", 9);

    assertThat(second.attempts()).isEqualTo(2);
    assertThat(second.firstMillis()).isEqualTo(5);
  }

  @Test
  void whatIsForgottenBeginsAnew() {
    failures.failed(R, "o", 5);
    failures.forget(R, "o");
    assertThat(failures.failed(R, "o", 9)).isEqualTo(new Failures.Failure(1, 9, Long.MIN_VALUE));
  }
}
