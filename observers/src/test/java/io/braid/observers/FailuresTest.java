package io.braid.observers;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Row;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class FailuresTest {
  private static final Row R = Town.row("r");
  private final Failures failures = new Failures(2);

  private int fail(String observer, long newest) {
    return failures.failed(R, observer, newest, new IOException("down"), 5);
  }

  @Test
  void whatNeverFailedMayRun() {
    assertThat(failures.nanosUntilAllowed(R, "o", 10, 0)).isZero();
    assertThat(failures.failing()).isEmpty();
  }

  @Test
  void afterAFailureItWaits() {
    assertThat(fail("o", 10)).isEqualTo(1);
    failures.tryAgainAt(R, "o", 100);

    assertThat(failures.nanosUntilAllowed(R, "o", 10, 30)).isEqualTo(70);
    assertThat(failures.nanosUntilAllowed(R, "o", 10, 100)).isZero();
    assertThat(failures.nanosUntilAllowed(R, "other", 10, 30)).isZero();
    assertThat(failures.failing()).isEmpty();
  }

  @Test
  void afterTheLastAttemptItIsGivenUpUntilANewerChange() {
    fail("o", 10);
    fail("o", 12);

    assertThat(failures.nanosUntilAllowed(R, "o", 12, 1000)).isEqualTo(Failures.NEVER);
    assertThat(failures.failing())
        .containsExactly(new ObserverStats.Failing("o", R, 2, "java.io.IOException: down", 5));
    assertThat(failures.nanosUntilAllowed(R, "o", 13, 1000)).isZero();
    assertThat(failures.failing()).isEmpty();
  }

  @Test
  void successForgets() {
    fail("o", 10);
    failures.succeeded(R, "o");
    assertThat(fail("o", 10)).isEqualTo(1);
  }

  @Test
  void aRowIsGivenUpUntilANewerNotification() {
    failures.giveUp(R, 10);

    assertThat(failures.isGivenUp(R, 10)).isTrue();
    assertThat(failures.isGivenUp(R, 11)).isFalse();
    failures.notGivenUp(R);
    assertThat(failures.isGivenUp(R, 10)).isFalse();
  }
}
