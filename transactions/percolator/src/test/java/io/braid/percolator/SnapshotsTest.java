package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.Y;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.failure.ErrorCode;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.Transactions.Pin;
import io.braid.percolator.context.PercolatorOptions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Snapshots of the past, pins, and what reads cost. */
class SnapshotsTest {
  private final Lab lab = new Lab(true);
  private final PercolatorTransactions transactions = lab.process("p");

  @Test
  void theFutureHasNoSnapshot() {
    long last = lab.oracle.lastIssued();
    assertThatThrownBy(() -> transactions.snapshotAt(last + Timestamp.STEP))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> transactions.snapshotAt(-1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> transactions.snapshotAt(Instant.ofEpochMilli(lab.clocks.wallMillis + 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aCommitTimestampIsASnapshotThatShowsTheCommit() {
    long commit = Lab.write(transactions, "1", "a");
    assertThat(Timestamp.local(commit)).isPositive();
    assertThat(transactions.snapshotAt(commit).get(row("a"), X)).contains("1");
    assertThat(transactions.snapshotAt(commit - 1).get(row("a"), X)).isEmpty();
  }

  @Test
  void aSnapshotOfAWallClockTimeShowsWhatWasCommittedByThen() {
    lab.clocks.wallMillis = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();
    lab.oracle.skipTo(Timestamp.ofWallMillis(lab.clocks.wallMillis) / Timestamp.STEP);
    Lab.write(transactions, "1", "a");
    Instant first = Instant.ofEpochMilli(lab.clocks.wallMillis);
    lab.clocks.pass(1000);
    assertThat(transactions.snapshotAt(Instant.ofEpochMilli(lab.clocks.wallMillis)).timestamp())
        .isLessThanOrEqualTo(lab.oracle.lastIssued());
    lab.oracle.skipTo(Timestamp.ofWallMillis(lab.clocks.wallMillis) / Timestamp.STEP);
    Lab.write(transactions, "2", "a");
    assertThat(transactions.snapshotAt(first).get(row("a"), X)).contains("1");
    assertThat(
            transactions.snapshotAt(Instant.ofEpochMilli(lab.clocks.wallMillis)).get(row("a"), X))
        .contains("2");
  }

  @Test
  void aClosedSnapshotReadsNoMore() {
    Snapshot snapshot = transactions.snapshot();
    snapshot.close();
    assertThatThrownBy(() -> snapshot.get(row("a"), X)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void nothingIsBegunAfterTheEnd() {
    transactions.close();
    assertThatThrownBy(transactions::begin).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(transactions::snapshot).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void pinsOutliveTheProcess() {
    assertThat(transactions.pins()).isEmpty();
    assertThat(transactions.unpin("nobody")).isFalse();
    long commit = Lab.write(transactions, "1", "a");
    transactions.pin("march", commit);
    transactions.pin("march", commit);
    transactions.pin("april/\u00e9", commit - 1);
    PercolatorTransactions later = lab.process("q");
    assertThat(later.pins())
        .containsExactly(new Pin("april/\u00e9", commit - 1), new Pin("march", commit));
    assertThatThrownBy(() -> later.pin("march", commit - 1))
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.PIN_EXISTS))
        .hasMessageContaining("already");
    assertThat(later.unpin("march")).isTrue();
    assertThat(later.unpin("march")).isFalse();
    later.pin("march", commit - 1);
    assertThatThrownBy(() -> later.pin("", commit)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> later.pin("x", lab.oracle.lastIssued() + Timestamp.STEP))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void readsAndSmallCommitsTakeOneTrip() {
    Lab.write(transactions, "1", "a", "b", "h");
    Snapshot snapshot = transactions.snapshot();
    assertTrips(1, () -> snapshot.get(row("a"), X));
    assertTrips(1, () -> snapshot.get(row("a"), List.of(X, Y)));
    assertTrips(1, () -> snapshot.getAll(List.of(row("a"), row("b"), row("h")), List.of(X, Y)));
    assertTrips(1, () -> snapshot.getRow(row("a"), "f", "g"));
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "2");
    tx.set(row("aa"), X, "2");
    assertTrips(0, () -> tx.getAll(List.of(row("a")), List.of(X)));
    assertTrips(1, tx::commit);
  }

  @Test
  void aCommitOverSeveralTabletsTakesTwoTripsBeforeItIsDone() {
    PercolatorTransactions background =
        lab.process(lab.seams("q"), PercolatorOptions.defaults().onePhase(true));
    Transaction tx = background.begin();
    for (String key : List.of("a", "b", "c", "d", "h")) {
      tx.set(row(key), X, "2");
    }
    assertTrips(2, tx::commit);
    assertTrips(1, () -> assertThat(background.finish().finishSome()).isTrue());
    assertThat(lab.cells()).noneMatch(line -> line.contains("intent"));
    assertThat(background.finish().finishSome()).isFalse();
  }

  private void assertTrips(int trips, Runnable work) {
    int before = lab.store.trips;
    work.run();
    assertThat(lab.store.trips - before).isEqualTo(trips);
  }

  @Test
  void anExhaustedClockTakesAFreshTimestampAndGoesOn() {
    lab.memory().crash();
    lab.base.ensureTable(Families.transactional(Lab.TABLE, List.of("f", "g")));
    long commit = Lab.write(transactions, "1", "a");
    assertThat(transactions.statistics().onePhase()).isEqualTo(1);
    Transaction reader = transactions.begin();
    for (int i = 0; i < 600; i++) {
      Transaction tx = transactions.begin();
      assertThat(tx.get(row("a"), X)).isPresent();
      tx.set(row("a"), X, String.valueOf(i));
      assertThat(tx.commit()).isGreaterThan(commit);
    }
    assertThat(reader.get(row("a"), X)).contains("1");
    assertThat(transactions.snapshot().get(row("a"), X)).contains("599");
  }
}
