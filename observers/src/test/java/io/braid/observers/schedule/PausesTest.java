package io.braid.observers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.SystemSeams;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PausesTest {
  private final Pauses pauses =
      new Pauses(new SystemSeams(), Duration.ofMillis(4), Duration.ofMillis(1000));

  @Test
  void theyDoubleAndAreJitteredByHalfAtMost() {
    for (int i = 0; i < 100; i++) {
      assertThat(pauses.nanosAfter(1)).isBetween(2_000_000L, 4_000_000L);
      assertThat(pauses.nanosAfter(3)).isBetween(8_000_000L, 16_000_000L);
    }
  }

  @Test
  void theyStayBelowTheLongestHoweverManyAttempts() {
    for (int attempts : new int[] {20, 64, 1000, Integer.MAX_VALUE}) {
      assertThat(pauses.nanosAfter(attempts)).isBetween(500_000_000L, 1_000_000_000L);
    }
  }
}
