package io.braid.omid;

import static io.braid.omid.Lab.X;
import static io.braid.omid.Lab.Y;
import static io.braid.omid.Lab.read;
import static io.braid.omid.Lab.row;
import static io.braid.omid.Lab.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.cells.HoldPass;
import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.omid.manager.CellHash;
import io.braid.omid.rows.CommitEntries;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a transaction does when nothing goes wrong. */
class OmidFirstStepsTest {
  private final Lab lab = new Lab();
  private final OmidTransactions db = lab.process("p");

  @Test
  void writesAreThereAfterTheCommitAndNotBefore() {
    Transaction tx = Lab.prepare(db, "1", "a", "c");
    assertThat(read(db, "a")).isEmpty();
    long commit = tx.commit();
    assertThat(commit).isGreaterThan(tx.timestamp());
    assertThat(read(db, "a")).contains("1");
    assertThat(read(db, "c")).contains("1");
  }

  @Test
  void aSnapshotStaysAsItWas() {
    write(db, "1", "a");
    try (Snapshot before = db.snapshot()) {
      write(db, "2", "a");
      assertThat(before.get(row("a"), X)).contains("1");
      assertThat(db.snapshotAt(before.timestamp()).get(row("a"), X)).contains("1");
    }
    assertThat(read(db, "a")).contains("2");
  }

  @Test
  void ownWritesAreSeenByTheirTransactionAlone() {
    write(db, "1", "a", "b");
    Transaction tx = db.begin();
    tx.set(row("a"), X, "2");
    tx.delete(row("b"), X);
    tx.set(row("c"), Y, "3");
    assertThat(tx.get(row("a"), X)).contains("2");
    assertThat(tx.getRow(row("c"), "f").get(Y)).contains("3");
    try (RowCursor cursor = tx.scan(Scan.of(Lab.TABLE).family("f"))) {
      assertThat(cursor.stream().map(r -> r.row().key().toUtf8())).containsExactly("a", "c");
    }
    try (RowCursor cursor = db.snapshot().scan(Scan.of(Lab.TABLE).family("f"))) {
      assertThat(cursor.stream().map(r -> r.row().key().toUtf8())).containsExactly("a", "b");
    }
    tx.rollback();
    assertThat(read(db, "a")).contains("1");
  }

  @Test
  void deletedAndLargeValues() {
    String large = "x".repeat(5000);
    write(db, large, "a");
    assertThat(read(db, "a")).contains(large);
    db.postCommit().workSome();
    assertThat(read(db, "a")).contains(large);
    Transaction tx = db.begin();
    tx.delete(row("a"), X);
    tx.commit();
    assertThat(read(db, "a")).isEmpty();
    assertThat(db.snapshot().lastChanged(row("a"), X)).isPresent();
  }

  /** Post-commit spares the reader the look at the commit table (section 3.2). */
  @Test
  void aReadAfterThePostCommitIsOneTrip() {
    write(db, "1", "a");
    assertThat(lab.tentative()).hasSize(1);
    assertThat(lab.entries()).hasSize(1);
    assertThat(read(db, "a")).contains("1");
    assertThat(db.statistics().lookups()).isEqualTo(1);

    db.postCommit().workSome();
    assertThat(lab.tentative()).isEmpty();
    assertThat(lab.entries()).isEmpty();
    long trips = db.statistics().trips();
    assertThat(read(db, "a")).contains("1");
    assertThat(db.statistics().trips()).isEqualTo(trips + 1);
  }

  @Test
  void theSecondOfTwoWritersOfACellConflicts() {
    Transaction first = Lab.prepare(db, "1", "a", "b");
    Transaction second = Lab.prepare(db, "2", "b", "c");
    first.commit();
    assertThatThrownBy(second::commit)
        .isInstanceOfSatisfying(
            ConflictException.class,
            e -> assertThat(e.conflicts()).hasSize(1).allMatch(c -> c.row().equals(row("b"))));
    assertThat(read(db, "c")).isEmpty();
    db.postCommit().workSome();
    assertThat(lab.tentative()).isEmpty();
    assertThat(lab.entries()).isEmpty();
  }

  @Test
  void lockedColumnsConflictButDoNotChange() {
    write(db, "1", "a");
    Transaction locking = db.begin();
    locking.lock(row("a"), X);
    locking.set(row("b"), X, "1");
    Transaction writing = Lab.prepare(db, "2", "a");
    locking.commit();
    assertThatThrownBy(writing::commit).isInstanceOf(ConflictException.class);
    db.postCommit().workSome();
    assertThat(read(db, "a")).contains("1");
  }

  @Test
  void writeSkewIsAllowedAsUnderSnapshotIsolation() {
    write(db, "1", "a", "b");
    Transaction first = db.begin();
    Transaction second = db.begin();
    assertThat(first.get(row("a"), X)).isPresent();
    assertThat(second.get(row("b"), X)).isPresent();
    first.delete(row("b"), X);
    second.delete(row("a"), X);
    first.commit();
    second.commit();
    assertThat(read(db, "a")).isEmpty();
    assertThat(read(db, "b")).isEmpty();
  }

  @Test
  void runTriesAgainUntilNothingCollides() {
    write(db, "1", "a");
    int[] tries = {0};
    String seen =
        db.run(
            tx -> {
              String value = tx.get(row("a"), X).orElse("");
              if (tries[0]++ < 3) {
                write(db, value + "+", "a");
              }
              tx.set(row("a"), X, value + "!");
              return value;
            });
    assertThat(seen).isEqualTo("1+++");
    assertThat(read(db, "a")).contains("1+++!");
  }

  /** Fault 81. */
  @Test
  void aMadeUpIdIsRefusedAndLeavesNothing() {
    long start = db.begin().timestamp();
    CommitEntry others = CommitEntries.of(start + Timestamp.STEP);
    CommitEntry elsewhere = new CommitEntry("t", CommitEntries.of(start).key());
    long toCome = start + (Timestamp.STEP << 30);
    for (TransactionId wrong :
        List.of(
            new TransactionId(start, others),
            new TransactionId(start, elsewhere),
            new TransactionId(toCome, CommitEntries.of(toCome)))) {
      assertThatThrownBy(() -> db.outcome(wrong)).isInstanceOf(IllegalArgumentException.class);
    }
    for (Row row : List.of(Row.of("nowhere", "a"), Row.of("~commits", "a"))) {
      Bytes key = CommitEntries.keyWithWitness(start, row, Lab.X.name());
      TransactionId wrong = new TransactionId(start, new CommitEntry(CommitEntries.TABLE, key));
      assertThat(db.outcome(wrong)).isInstanceOf(TransactionOutcome.Unknown.class);
    }
    assertThat(lab.entries()).isEmpty();
  }

  @Test
  void outcomesBeforeAndAfterThePostCommit() {
    Transaction tx = Lab.prepare(db, "1", "a");
    assertThat(tx.id()).isEmpty();
    TransactionOutcome committed = new TransactionOutcome.Committed(tx.commit());
    assertThat(db.outcome(tx.id().orElseThrow())).isEqualTo(committed);
    db.postCommit().workSome();
    assertThat(lab.entries()).isEmpty();
    assertThat(db.outcome(tx.id().orElseThrow())).isEqualTo(committed);
  }

  /** Fault 6: a fence stops writers that nobody conflicts with. */
  @Test
  void writersOfAFencedTableAbort() {
    Transaction tx = Lab.prepare(db, "1", "a");
    lab.manager.fence(CellHash.table(Lab.TABLE));
    assertThatThrownBy(tx::commit)
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("fenced");
    write(db, "2", "a");
  }

  @Test
  void aTransactionGetsOnlySoOld() {
    Transaction tx = Lab.prepare(db, "1", "a");
    lab.clocks.pass(3_600_001);
    assertThatThrownBy(tx::commit)
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.TRANSACTION_EXPIRED));
  }

  @Test
  void manyRowsInOneTripToEachStep() {
    write(db, "1", "a", "b", "c", "d");
    long trips = db.statistics().trips();
    write(db, "2", "a", "b", "c", "d");
    assertThat(db.statistics().trips()).isEqualTo(trips + 2);
    try (Snapshot snapshot = db.snapshot()) {
      trips = db.statistics().trips();
      assertThat(snapshot.getAll(List.of(row("a"), row("d")), Set.of(X)).values())
          .extracting(r -> r.get(X).orElse(""))
          .containsExactly("2", "2");
      assertThat(db.statistics().trips() - trips).isLessThanOrEqualTo(3);
    }
  }

  @Test
  void aTransactionAtATimestampOfTheCaller() {
    write(db, "1", "a");
    long timestamp = lab.oracle.next();
    write(db, "2", "a");
    Transaction tx = db.beginAt(HoldPass.NONE, timestamp, db.tables());
    assertThat(tx.get(row("a"), X)).contains("1");
    tx.set(row("b"), X, "1");
    assertThat(tx.commit()).isGreaterThan(timestamp);
    assertThat(read(db, "b")).contains("1");
  }
}
