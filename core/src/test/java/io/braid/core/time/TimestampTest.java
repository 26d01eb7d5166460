package io.braid.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
  void aTimeIsToComeIfItIsByTheNewestTimestampAndByTheClock() {
    long millis = TIME.toEpochMilli();
    Instant asked = TIME.plusMillis(5);
    long last = Timestamp.lastAt(asked);
    long newest = Timestamp.ofWallMillis(millis);
    Timestamp.requirePast(asked, last, Timestamp.ofWallMillis(millis + 6), millis - 3_600_000);
    Timestamp.requirePast(asked, last, newest, millis + 5);
    assertThatThrownBy(() -> Timestamp.requirePast(asked, last, newest, millis + 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it is to come");
  }

  /** Fault 85. */
  @Test
  void whatWasPrintedIsReadAgain() {
    List<Long> all = new ArrayList<>(List.of(0L, 1L, Long.MAX_VALUE, Long.MAX_VALUE - 255));
    for (String day : List.of("2020-01-01", "2027-07-22", "2038-01-19", "2089-09-06")) {
      long first = Timestamp.ofWallMillis(Instant.parse(day + "T12:00:00Z").toEpochMilli());
      all.addAll(List.of(first, first + 3, first + 17 * Timestamp.STEP, first - 1));
    }
    for (long each : all) {
      assertThat(Timestamp.parse(Long.toString(each))).hasValue(each);
      assertThat(Timestamp.parse(Timestamp.toText(each))).hasValue(each);
    }
    assertThat(Timestamp.parse("2026-05-04T10:11:12.345Z 17.3"))
        .isEqualTo(Timestamp.parse("2026-05-04T10:11:12.345Z+17.3"));
    for (String none :
        List.of(
            "",
            "-1",
            "1x",
            "9223372036854775808",
            "99999999999999999999",
            "2026-05-04T10:11:12.345Z",
            "2026-05-04T10:11:12.345Z+16384",
            "2026-05-04T10:11:12.345Z+1.256",
            "2026-02-31T10:11:12.345Z+1",
            "2090-05-04T10:11:12.345Z+1",
            "1970-01-01T00:00:00Z+1")) {
      assertThat(Timestamp.parse(none)).as(none).isEmpty();
    }
  }

  @Test
  void timesOutOfReachAreRefused() {
    assertThatThrownBy(() -> Timestamp.ofWallMillis(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> Timestamp.ofWallMillis(Instant.parse("2090-01-01T00:00:00Z").toEpochMilli()))
        .isInstanceOf(IllegalArgumentException.class);
    for (Instant each : List.of(Instant.MIN, Instant.EPOCH, Instant.MAX)) {
      assertThatThrownBy(() -> Timestamp.lastAt(each))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("2020 to 2089");
    }
    assertThat(Timestamp.ofWallMillis(Instant.parse("2089-09-01T00:00:00Z").toEpochMilli()))
        .isPositive();
  }
}
