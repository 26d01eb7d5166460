package io.braid.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimestampTest {
  private static final Instant TIME = Instant.parse("2026-05-04T10:11:12.345Z");

  @Test
  void readsAsTheTimeItStandsFor() {
    long timestamp = Timestamp.ofWallMillis(TIME.toEpochMilli()) + 17 * Timestamp.STEP + 3;

    assertThat(Timestamp.instant(timestamp)).isEqualTo(TIME);
    assertThat(Timestamp.toText(timestamp)).isEqualTo("2026-05-04T10:11:12.345Z+17.3");
    assertThat(Timestamp.local(timestamp)).isEqualTo(3);
    assertThat(Timestamp.withoutLocal(timestamp)).isEqualTo(timestamp - 3);
  }

  @Test
  void theLastOfAMillisecondIsBelowTheFirstOfTheNext() {
    assertThat(Timestamp.lastAt(TIME))
        .isEqualTo(Timestamp.ofWallMillis(TIME.toEpochMilli() + 1) - 1);
  }

  @Test
  void timesOutOfReachAreRefused() {
    assertThatThrownBy(() -> Timestamp.ofWallMillis(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> Timestamp.ofWallMillis(Instant.parse("2090-01-01T00:00:00Z").toEpochMilli()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Timestamp.ofWallMillis(Instant.parse("2089-09-01T00:00:00Z").toEpochMilli()))
        .isPositive();
  }
}
