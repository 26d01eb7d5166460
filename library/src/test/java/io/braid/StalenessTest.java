package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Staleness;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever is content with a moment ago asks no oracle, through the whole database as well. */
class StalenessTest {
  private static final Row BOB = Row.of("accounts", "bob");
  private static final Column<Long> BALANCE = Column.of("f", "balance", Codecs.int64());

  @TempDir Path dir;

  @Test
  void aSnapshotOfAMomentAgoTakesTheTimestampThatTheProcessHas() {
    try (Braid db = Braid.open(dir)) {
      db.ensureTable("accounts", "f");
      db.ensureTable("fast", Protocol.OMID, "f");
      db.run(
          tx -> {
            tx.set(BOB, BALANCE, 7L);
            return tx;
          });
      long issued = db.oracle().lastIssued();
      try (Snapshot reads = db.snapshot(Staleness.atMost(Duration.ofMinutes(1)))) {
        // Duties may ask the oracle meanwhile; this snapshot has not.
        assertThat(reads.timestamp()).isLessThanOrEqualTo(issued);
        assertThat(reads.get(Row.of("fast", "x"), BALANCE)).isEmpty();
      }
      try (Snapshot reads = db.snapshot(Staleness.atMost(Duration.ZERO))) {
        assertThat(reads.get(BOB, BALANCE)).contains(7L);
      }
    }
  }
}
