package io.braid.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Snapshot;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class MomentTest {
  private static Instant moment(Braid db, String when) {
    try (Snapshot snapshot = Moment.open(db, when)) {
      return Timestamp.instant(snapshot.timestamp());
    }
  }

  @Test
  void momentsAreWrittenAsPeopleDo() {
    BraidConfig config = BraidConfig.defaults().with("gc.keep", "90d");
    try (Braid db = Braid.over(new MemoryStore(), config);
        Snapshot now = db.snapshot()) {
      Instant today = Timestamp.instant(now.timestamp());
      assertThat(Duration.between(moment(db, "10 min ago"), today))
          .isBetween(Duration.ofSeconds(500), Duration.ofSeconds(600));
      assertThat(Duration.between(moment(db, "2h ago"), today))
          .isBetween(Duration.ofSeconds(7100), Duration.ofSeconds(7200));
      LocalDate day = today.atZone(ZoneOffset.UTC).toLocalDate();
      assertThat(moment(db, day.toString()))
          .isEqualTo(day.atStartOfDay(ZoneOffset.UTC).toInstant());
      assertThat(moment(db, Long.toString(now.timestamp()))).isEqualTo(today);
      Instant before = moment(db, "10 min ago");
      assertThat(Timestamp.instant(Moment.timestamp(db, "10 min ago")))
          .isBetween(before, moment(db, "10 min ago"));
      assertThat(Moment.timestamp(db, "2020-02-29"))
          .isEqualTo(Timestamp.lastAt(Instant.parse("2020-02-29T00:00:00Z")));
      assertThat(Moment.timestamp(db, "17")).isEqualTo(17);
      assertThatThrownBy(() -> moment(db, "yesterday"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'10 min ago'");
      assertThatThrownBy(() -> moment(db, "2026-02-31"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Else {@code at=2026-01-01} would suddenly show what somebody pinned today. */
  @Test
  void noPinIsNamedAsAnotherMoment() {
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults());
        Snapshot now = db.snapshot()) {
      long at = now.timestamp();
      for (String name :
          List.of(
              "1",
              "00017",
              Long.toString(at),
              Timestamp.toText(at),
              "2026-01-01",
              "2026-02-31",
              "2026-05-04T10:00:00Z",
              "2026-05-04T10:00:00.123456Z",
              "10 min ago",
              " 2h ago ")) {
        assertThatThrownBy(() -> db.transactions().pin(name, at))
            .as(name)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("is a moment already");
      }
      assertThat(db.transactions().pins()).isEmpty();
      for (String name :
          List.of("v1", "long ago", "2026-05", "load/x@17", "backup of 2026-05-04")) {
        db.transactions().pin(name, at);
        assertThat(Moment.timestamp(db, name)).isEqualTo(at);
      }
    }
  }
}
