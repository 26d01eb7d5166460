package io.braid.percolator;

import static io.braid.percolator.Lab.N;
import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.Y;
import static io.braid.percolator.Lab.die;
import static io.braid.percolator.Lab.read;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.Durability;
import io.braid.core.store.RowWrite;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.garbage.CollectionReport;
import io.braid.percolator.garbage.CollectionRequest;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.CommitRow;
import io.braid.percolator.rows.OnePhaseCommit;
import io.braid.percolator.rows.Prewrite;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What garbage collection removes, what it keeps, and who is told that it came too late. */
class GarbageTest {
  private final Lab lab = new Lab(false);
  private final PercolatorTransactions transactions = lab.process("p");

  private CollectionReport collect() {
    return collect(transactions);
  }

  private static CollectionReport collect(PercolatorTransactions by) {
    return by.collector()
        .collect(CollectionRequest.keep(Duration.ZERO), each -> {}, () -> false)
        .orElseThrow();
  }

  private List<String> records(String key) {
    return lab.cells().stream().filter(line -> line.startsWith(key + "  ")).toList();
  }

  /** Fault 27. */
  @Test
  void whatANewerValueHidesGoesAndTheNewestStays() {
    Lab.write(transactions, "1", "a", "d");
    Lab.write(transactions, "2", "a");
    Lab.write(transactions, "3", "a");
    CollectionReport report = collect();
    assertThat(report.counts().superseded()).isEqualTo(2);
    assertThat(report.complete()).isTrue();
    assertThat(records("a")).hasSize(1).allMatch(line -> line.endsWith("PUT 3"));
    assertThat(read(transactions, "a")).contains("3");
    assertThat(read(transactions, "d")).contains("1");
    assertThat(collect().counts().removed()).isZero();
  }

  /** Fault 27. */
  @Test
  void whatWasDeletedGoesWithItsDeletion() {
    Lab.write(transactions, "1", "a");
    delete("a");
    assertThat(collect().counts().deletes()).isEqualTo(1);
    assertThat(lab.cells()).isEmpty();
    assertThat(read(transactions, "a")).isEmpty();
  }

  /** Fault 27: of a deletion at the horizon, and of one that a snapshot still needs. */
  @Test
  void aDeletionNeverMasksALaterPut() {
    Lab.write(transactions, "1", "a");
    Snapshot first = transactions.snapshot();
    delete("a");
    Snapshot deleted = transactions.snapshot();
    Lab.write(transactions, "2", "a");
    collect();
    assertThat(first.get(row("a"), X)).contains("1");
    first.close();
    collect();
    assertThat(deleted.get(row("a"), X)).isEmpty();
    assertThat(records("a")).hasSize(1);
    deleted.close();
    collect();
    assertThat(read(transactions, "a")).contains("2");
    delete("a");
    collect();
    Lab.write(transactions, "3", "a");
    collect();
    assertThat(read(transactions, "a")).contains("3");
  }

  private void delete(String key) {
    Transaction tx = transactions.begin();
    tx.delete(row(key), X);
    tx.commit();
  }

  /** Fault 27: records of locks, rollback marks, large values. */
  @Test
  void locksMarksAndLargeValuesGo() {
    Lab.write(transactions, "x".repeat(5000), "a");
    Lab.write(transactions, "y".repeat(5000), "a");
    Transaction tx = transactions.begin();
    tx.lock(row("a"), X);
    tx.set(row("d"), X, "dead");
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    PercolatorTransactions dying = lab.process("dying");
    Transaction lost = dying.begin();
    lost.set(row("h"), X, "lost");
    die(lost);
    lab.store.heal();
    lab.kill("dying");
    tx.commit();
    assertThat(read(transactions, "h")).isEmpty();
    assertThat(lab.cells()).anyMatch(line -> line.contains("ROLLED_BACK"));
    CollectionReport.Counts counts = collect().counts();
    assertThat(counts.locks()).isEqualTo(1);
    assertThat(counts.marks()).isEqualTo(1);
    assertThat(counts.large()).isEqualTo(1);
    assertThat(lab.cells()).hasSize(3);
    assertThat(read(transactions, "a")).contains("y".repeat(5000));
  }

  /** Fault 27: an observer has yet to see that the column was deleted. */
  @Test
  void aDeletionThatIsNotObservedYetStays() {
    transactions.observedBy(
        new ChangeSink() {
          @Override
          public boolean isObserved(String table, ColumnName column) {
            return true;
          }

          @Override
          public void changed(Row row, ColumnName column, long start, long commit) {}
        });
    delete("a");
    collect();
    assertThat(transactions.snapshot().lastChanged(row("a"), X)).isPresent();
  }

  /** Fault 26. */
  @Test
  void whatASnapshotOfThisProcessReadsStays() {
    Lab.write(transactions, "1", "a", "d", "h");
    Snapshot snapshot = transactions.snapshot();
    Lab.write(transactions, "2", "a");
    delete("d");
    CollectionReport report = collect();
    assertThat(report.watermark()).isEqualTo(snapshot.timestamp());
    assertThat(report.heldBy()).contains("this process");
    for (String key : List.of("a", "d", "h")) {
      assertThat(snapshot.get(row(key), X)).contains("1");
    }
    snapshot.close();
    assertThat(collect().counts().removed()).isEqualTo(3);
  }

  /** Fault 26. */
  @Test
  void whatAPinKeepsStays() {
    long first = Lab.write(transactions, "1", "a");
    Lab.write(transactions, "2", "a");
    transactions.pin("march", first);
    assertThat(collect().heldBy()).isEqualTo("pin march");
    try (Snapshot march = transactions.snapshotAt(first)) {
      assertThat(march.get(row("a"), X)).contains("1");
    }
    transactions.unpin("march");
    assertThat(collect().counts().superseded()).isEqualTo(1);
    assertThatThrownBy(() -> transactions.snapshotAt(first))
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
    assertThatThrownBy(() -> transactions.pin("april", first))
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
    assertThat(transactions.pins()).isEmpty();
  }

  /** Fault 26: a process whose readers nobody knew of. */
  @Test
  void aReaderThatNobodyKnewOfFailsLoudly() {
    Lab.write(transactions, "1".repeat(5000), "a", "d");
    PercolatorTransactions other = lab.process("other");
    Snapshot snapshot = other.snapshot();
    RowCursor cursor = snapshot.scan(Scan.of(Lab.TABLE).family("f"));
    Lab.write(transactions, "2", "a");
    delete("d");
    collect();
    assertTooOld(() -> snapshot.get(row("a"), X));
    assertTooOld(() -> snapshot.get(row("none"), X));
    assertTooOld(() -> snapshot.getAll(List.of(row("a"), row("d")), List.of(X, Y)));
    assertTooOld(() -> snapshot.getRow(row("d"), "f"));
    assertTooOld(() -> snapshot.lastChanged(row("d"), X));
    assertTooOld(cursor::hasNext);
    assertTooOld(cursor::hasNext);
    assertTooOld(() -> snapshot.scan(Scan.of(Lab.TABLE).family("g")).hasNext());
    assertThat(read(other, "a")).contains("2");
  }

  private static void assertTooOld(org.assertj.core.api.ThrowableAssert.ThrowingCallable read) {
    assertThatThrownBy(read)
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
  }

  /** Fault 26: what it would conflict with may be gone, so it may not commit. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTransactionBelowTheWatermarkDoesNotCommit(boolean onePhase) {
    Lab lab = new Lab(onePhase);
    PercolatorTransactions here = lab.process("p");
    Transaction slow = lab.process("other").begin();
    Lab.write(here, "1", "a", "aa");
    Transaction delete = here.begin();
    delete.delete(row("a"), X);
    delete.delete(row("aa"), X);
    delete.commit();
    collect(here);
    assertThat(lab.cells()).isEmpty();
    slow.set(row("a"), X, "lost update");
    slow.set(row("aa"), X, "lost update");
    assertThatThrownBy(slow::commit)
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.TRANSACTION_EXPIRED))
        .hasMessageContaining("low watermark");
    assertThat(lab.cells()).isEmpty();
  }

  /** Faults 13 and 26: a copy of a call arrives when all that it did is gone again. */
  @Test
  void aLateCopyOfACommitBringsNothingBack() {
    Lab lab = new Lab(true);
    PercolatorTransactions here = lab.process("p");
    Lab.write(here, "1", "a");
    Intercepted.Call<?, ?> commit =
        lab.store.calls.stream().filter(call -> call.is(OnePhaseCommit.INSTANCE)).findFirst().get();
    Transaction delete = here.begin();
    delete.delete(row("a"), X);
    delete.commit();
    collect(here);
    commit.run();
    assertThat(lab.cells()).isEmpty();
  }

  /** Faults 11 and 26: the mark that would refuse it is gone. */
  @Test
  void aLatePrewriteIsRefusedWhenItsMarkIsGone() {
    Transaction tx = lab.process("dying").begin();
    tx.set(row("a"), X, "late");
    lab.store.fateOf(Prewrite.INSTANCE, 6, Fate.HOLD);
    assertThatThrownBy(tx::commit).isInstanceOf(RuntimeException.class);
    lab.store.heal();
    assertThat(lab.cells()).anyMatch(line -> line.contains("ROLLED_BACK"));
    collect();
    assertThat(lab.cells()).isEmpty();
    lab.store.release();
    assertThat(lab.cells()).isEmpty();
  }

  /** Faults 14 and 26: the record that would tell is gone when the owner asks at last. */
  @Test
  void aCommitWhoseRecordIsGoneIsReportedAsUnknown() {
    Transaction tx = lab.process("slow").begin();
    tx.delete(row("a"), X);
    tx.delete(row("h"), X);
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.store.heal();
            call.run();
            collect();
            assertThat(lab.cells()).isEmpty();
            return Fate.LOSE;
          }
          return Fate.RUN;
        });
    assertThatThrownBy(tx::commit).isInstanceOf(CommitOutcomeUnknownException.class);
    assertThat(transactions.outcome(tx.id().orElseThrow()))
        .isInstanceOf(TransactionOutcome.Unknown.class);
  }

  /** Faults 13, 14 and 26: a newer commit does not tell that there was none before it. */
  @Test
  void aRepeatedCommitInOnePhaseWhoseRecordIsGoneIsReportedAsUnknown() {
    Lab lab = new Lab(true);
    PercolatorTransactions other = lab.process("p");
    Transaction tx = lab.process("slow").begin();
    tx.set(row("a"), X, "1");
    lab.store.fate(
        call -> {
          if (call.is(OnePhaseCommit.INSTANCE)) {
            lab.store.heal();
            call.run();
            Lab.write(other, "2", "a");
            collect(other);
            return Fate.LOSE;
          }
          return Fate.RUN;
        });
    assertThatThrownBy(tx::commit).isInstanceOf(CommitOutcomeUnknownException.class);
    assertThat(read(other, "a")).contains("2");
  }

  /** Fault 28. */
  @Test
  void anUndecidedTransactionIsLeftAlone() {
    Lab.write(transactions, "1", "a", "h");
    Transaction tx = lab.process("other").begin();
    tx.set(row("a"), X, "2");
    tx.set(row("h"), X, "2");
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.store.heal();
            CollectionReport report = collect();
            assertThat(report.horizon()).isEqualTo(tx.timestamp());
            assertThat(report.heldBy()).contains("undecided");
            assertThat(records("a")).hasSize(2);
          }
          return Fate.RUN;
        });
    tx.commit();
    assertThat(read(transactions, "a")).contains("2");
    assertThat(read(transactions, "h")).contains("2");
  }

  /** Faults 9 and 28: it tells its secondaries that they are committed, so they come first. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPrimaryIsCollectedOnlyAfterItsSecondaries(boolean within) {
    Transaction tx = lab.process("dying").begin();
    tx.delete(row("a"), X);
    tx.set(row("h"), X, "2");
    lab.store.fate(call -> call.is(CommitRow.INSTANCE) ? Fate.CRASH : Fate.RUN);
    die(tx);
    lab.kill("dying");
    if (within) {
      lab.store.fate(call -> call.is(CommitRow.INSTANCE) ? Fate.REFUSE : Fate.RUN);
      assertThat(collect().horizon()).isEqualTo(tx.timestamp());
      assertThat(records("a")).hasSize(1);
    }
    lab.store.heal();
    collect();
    assertThat(records("a")).isEmpty();
    assertThat(read(transactions, "h")).contains("2");
    assertThat(lab.cells()).noneMatch(line -> line.contains("intent"));
  }

  /** Fault 68: the newest acknowledgment stays as long as the observed column has records. */
  @Test
  void theNewestAcknowledgmentStaysUntilItsColumnIsGone() {
    var ack = io.braid.core.data.Column.of("~ack", "o/f:x", N.codec());
    assertThat(Families.acknowledgment("o", X.name())).isEqualTo(ack.name());
    for (long n = 1; n < 4; n++) {
      Transaction tx = transactions.begin();
      tx.set(row("a"), X, "v" + n);
      tx.set(row("a"), ack, n);
      tx.commit();
    }
    collect();
    assertThat(lab.cells()).anyMatch(line -> line.contains("~ack"));
    delete("a");
    collect();
    assertThat(lab.cells()).hasSize(1).allMatch(line -> line.contains("~ack"));
    collect();
    assertThat(lab.cells()).isEmpty();
  }

  /** Faults 27 and 33: a replay has to find the change. */
  @Test
  void aDeletionWithADeadLetterStays() {
    delete("a");
    lab.base.write(
        List.of(
            RowWrite.put(
                row("a"), new Cell(Families.deadLetter("o", X.name()), 1, Bytes.of("letter")))),
        Durability.BUFFERED);
    collect();
    assertThat(transactions.snapshot().lastChanged(row("a"), X)).isPresent();
  }

  /** Fault 26: a transaction that was never ended keeps nothing for ever. */
  @Test
  void whatIsOpenForTooLongKeepsNothing() {
    Lab.write(transactions, "1", "a");
    Transaction forgotten = transactions.begin();
    Snapshot old = transactions.snapshot();
    Lab.write(transactions, "2", "a");
    assertThat(collect().counts().superseded()).isZero();
    lab.clocks.pass(Duration.ofMinutes(61).toMillis());
    assertThat(old.get(row("a"), X)).contains("1");
    assertThat(collect().counts().superseded()).isEqualTo(1);
    assertTooOld(() -> old.get(row("b"), X)); // what it has read it still knows
    assertThatThrownBy(() -> forgotten.get(row("a"), X))
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.TRANSACTION_EXPIRED))
        .hasMessageContaining("begin another");
  }

  /** Fault 16: a commit that hangs in a live process is not kept fresh for ever. */
  @Test
  void aCommitThatHangsForTooLongIsCleanedUp() {
    Lab.write(transactions, "1", "a", "h");
    PercolatorTransactions hanging = lab.process("hanging");
    Transaction tx = hanging.begin();
    tx.set(row("a"), X, "2");
    tx.set(row("h"), X, "2");
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.store.heal();
            for (int minute = 0; minute < 59; minute++) {
              lab.clocks.pass(60_000);
              hanging.heartbeat().beat();
              transactions.sweep().sweep(0);
            }
            assertThat(lab.cells()).anyMatch(line -> line.contains("intent"));
            for (int minute = 0; minute < 3; minute++) {
              lab.clocks.pass(60_000);
              hanging.heartbeat().beat();
              transactions.sweep().sweep(0);
            }
            assertThat(lab.cells()).noneMatch(line -> line.contains("intent PUT"));
          }
          return Fate.RUN;
        });
    assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    assertThat(read(transactions, "a")).contains("1");
  }

  @Test
  void tracesOfATransactionAreShownAndNothingIsDecided() {
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "2");
    tx.set(row("h"), X, "2");
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    die(tx);
    lab.store.heal();
    lab.kill("p");
    List<String> before = lab.cells();
    PercolatorTransactions other = lab.process("other");
    TransactionTraces traces = other.traces(tx.timestamp());
    assertThat(traces.state()).isEqualTo(TransactionTraces.State.UNDECIDED);
    assertThat(traces.owner().orElseThrow().alive()).isFalse();
    assertThat(traces.cells()).hasSize(2).allMatch(trace -> trace.kind().equals("intent to put"));
    assertThat(other.traces(tx.id().orElseThrow())).isEqualTo(traces);
    assertThat(lab.cells()).isEqualTo(before);
    other.outcome(tx.id().orElseThrow());
    assertThat(other.traces(tx.id().orElseThrow()).state())
        .isEqualTo(TransactionTraces.State.ROLLED_BACK);
    long commit = Lab.write(other, "3", "b", "g");
    assertThat(other.traces(commit - Timestamp.STEP).state())
        .isEqualTo(TransactionTraces.State.UNKNOWN);
  }

  /** Fault 28: what another protocol has to decide. */
  @Test
  void intentsOfOtherProtocolsAreLeftAlone() {
    Lab.write(transactions, "1", "a");
    long start = lab.oracle.next();
    Intent tentative =
        new Intent(
            Intent.Kind.PUT,
            new DecisionPoint.CommitEntry("commits", Bytes.of("e")),
            "manager",
            0,
            Bytes.of("2"));
    lab.base.write(
        List.of(
            RowWrite.put(row("h"), new Cell(Families.intent(X.name()), start, tentative.encode()))),
        Durability.BUFFERED);
    assertThat(collect().horizon()).isEqualTo(start);
  }
}
