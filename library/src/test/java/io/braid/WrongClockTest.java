package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Snapshot;
import io.braid.groups.GroupInfo;
import io.braid.groups.GroupRequest;
import io.braid.percolator.garbage.CollectionRequest;
import io.braid.store.rocksdb.RocksOptions;
import io.braid.store.rocksdb.RocksStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 71: one life of the process with a wrong clock. */
class WrongClockTest {
  private static final Row ROW = Row.of("t", "r");
  private static final Column<Long> COLUMN = Column.of("f", "c", Codecs.int64());

  @TempDir Path directory;

  private static final class Shifted extends SystemSeams {
    private final Duration by;

    Shifted(Duration by) {
      this.by = by;
    }

    @Override
    public long wallMillis() {
      return super.wallMillis() + by.toMillis();
    }
  }

  private Braid open(Duration shift) {
    RocksOptions small = RocksOptions.defaults().withMemoryBytes(RocksOptions.LEAST_MEMORY);
    return Braid.builder()
        .config(BraidConfig.defaults())
        .seams(new Shifted(shift))
        .over(RocksStore.open(directory.resolve("db"), small));
  }

  private static Instant set(Braid db, long value) {
    db.run(
        tx -> {
          tx.set(ROW, COLUMN, value);
          return true;
        });
    Instant then = now(db);
    while (now(db).equals(then)) {
      // What is written next is of another millisecond.
    }
    return then;
  }

  private static Instant now(Braid db) {
    try (Snapshot now = db.snapshot()) {
      return Timestamp.instant(now.timestamp());
    }
  }

  private static long at(Braid db, Instant time) {
    try (Snapshot then = db.transactions().snapshotAt(time)) {
      return then.get(ROW, COLUMN).orElse(0L);
    }
  }

  private static void collect(Braid db) {
    assertThat(
            db.operations()
                .collector()
                .collect(CollectionRequest.keep(Duration.ofDays(1)), each -> {}, () -> false))
        .isPresent();
  }

  @Test
  void noHistoryIsLostAndTheTimeOfDayMeansWhatItDid() {
    Instant first;
    try (Braid db = open(Duration.ZERO)) {
      db.ensureTable("t", "f");
      first = set(db, 1);
      set(db, 2);
    }
    for (int days : new int[] {400, -400, -20_000}) {
      try (Braid db = open(Duration.ofDays(days))) {
        assertThat(db.operations().clock().orElseThrow().doubtful()).isTrue();
        set(db, days);
        collect(db);
      }
    }
    try (Braid db = open(Duration.ZERO)) {
      assertThat(at(db, first)).isEqualTo(1);
      assertThat(db.operations().clock().orElseThrow().doubtful()).isFalse();
      Instant last = set(db, 5);
      set(db, 6);
      assertThat(at(db, last)).isEqualTo(5);
    }
  }

  /** The way back for whoever said that a wrong clock was right. */
  @Test
  void aWrongClockThatWasConfirmedCanBeTakenBack() {
    try (Braid db = open(Duration.ofDays(-400))) {
      db.ensureTable("t", "f");
      set(db, 1);
    }
    try (Braid db = open(Duration.ofDays(400))) {
      db.operations().confirmClock();
      set(db, 2);
    }
    try (Braid db = open(Duration.ZERO)) {
      assertThat(db.operations().clock().orElseThrow().doubtful()).isTrue();
      db.operations().confirmClock();
      set(db, 3);
    }
    try (Braid db = open(Duration.ZERO)) {
      assertThat(db.operations().clock().orElseThrow().doubtful()).isFalse();
      assertThat(at(db, Instant.now())).isEqualTo(3);
    }
  }

  /** Nobody has used it for a year, by that clock. */
  @Test
  void aGroupThatIsTakenUpIsNotTakenForIdle() throws InterruptedException {
    try (Braid db = open(Duration.ZERO)) {
      db.ensureTable("t", "f");
      db.group(GroupRequest.of(List.of(ROW)).named("game")).detach();
    }
    try (Braid ahead = open(Duration.ofDays(400))) {
      // Longer than it takes to look for idle groups.
      Thread.sleep(2500);
      assertThat(ahead.groups().list()).extracting(GroupInfo::name).containsExactly("game");
    }
  }
}
