package io.braid.omid;

import static io.braid.omid.Lab.X;
import static io.braid.omid.Lab.Y;
import static io.braid.omid.Lab.prepare;
import static io.braid.omid.Lab.read;
import static io.braid.omid.Lab.row;
import static io.braid.omid.Lab.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.braid.core.cells.Families;
import io.braid.core.cells.Notification;
import io.braid.core.data.Cell;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.testkit.runtime.ManualSeams;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Transactions whose rows one procedure reaches: what they leave, and their conflicts with each
 * other and with those that ask the manager (fault 21).
 */
class OnePhaseTest {
  private static final String ONE_PHASE = "omid.one-phase-commit";
  private static final String DECIDE = "omid.decide-entry";
  private static final String END = "omid.end-fast-write";

  private final Lab lab = new Lab();
  private final OmidTransactions db =
      lab.process(new ManualSeams(lab.clocks, "p"), lab.options.onePhase(true));
  private final OmidTransactions regular = lab.process("q");

  @AfterEach
  void everyRuleOfTheScriptWasUsed() {
    assertThat(lab.store.waiting()).isEmpty();
  }

  /** A tentative cell of one who died in row a1. */
  private void leaveTentativeCell() {
    lab.dieBefore("dead", DECIDE, prepare(lab.process("dead"), "dead", "a1"));
  }

  @Test
  void rowsOfOneTabletAreCommittedInOneTripAndLeaveNothingToDo() {
    Transaction tx = prepare(db, "1", "a1", "a2");
    int before = lab.store.calls().size();
    long commit = tx.commit();
    assertThat(lab.store.calls()).hasSize(before + 1);
    assertThat(commit).isBetween(tx.timestamp() + 1, tx.timestamp() + Timestamp.STEP - 1);
    assertThat(lab.tentative()).isEmpty();
    assertThat(lab.entries()).isEmpty();
    assertThat(db.postCommit().workSome()).isFalse();
    assertThat(lab.manager.decided(Verdict.GRANTED)).isZero();
    assertThat(read(regular, "a1")).contains("1");
    assertThat(read(regular, "a2")).contains("1");
  }

  @Test
  void rowsOfSeveralTabletsGoTheRegularWay() {
    write(db, "1", "a", "b");
    assertThat(lab.manager.decided(Verdict.GRANTED)).isEqualTo(1);
    assertThat(lab.store.calls(ONE_PHASE)).isZero();
    assertThat(read(regular, "b")).contains("1");
  }

  @Test
  void aSnapshotFromBeforeDoesNotSeeIt() {
    write(db, "1", "a1", "a2");
    try (Snapshot before = regular.snapshot()) {
      assertThat(before.get(row("a1"), X)).contains("1");
      write(db, "2", "a1", "a2");
      assertThat(before.get(row("a2"), X)).contains("1");
    }
    assertThat(read(db, "a2")).contains("2");
  }

  @Test
  void ofTwoThatWriteOneCellTheSecondConflicts() {
    Transaction first = prepare(db, "1", "a1", "a2");
    Transaction second = prepare(db, "2", "a2", "a3");
    // Where it has not read yet it may be told what commits meanwhile.
    assertThat(second.get(row("a1"), X)).isEmpty();
    first.commit();
    assertThatThrownBy(second::commit).isInstanceOf(ConflictException.class);
    assertThat(read(db, "a3")).isEmpty();
    // No copy of its call will find its way clear: it needs no mark.
    assertThat(lab.store.calls(END)).isZero();
  }

  /** Fault 21: the manager knows nothing of it; the record tells. */
  @Test
  void aRegularTransactionThatDidNotSeeItConflicts() {
    Transaction late = prepare(regular, "2", "a1", "b");
    write(db, "1", "a1");
    assertThatThrownBy(late::commit).isInstanceOf(ConflictException.class);
    assertThat(read(regular, "b")).isEmpty();
  }

  @Test
  void itConflictsWithARegularTransactionThatItDidNotSee() {
    Transaction late = prepare(db, "2", "a1", "a2");
    write(regular, "1", "a1");
    // Its tentative cell stands: the manager tells.
    assertThatThrownBy(late::commit).isInstanceOf(ConflictException.class);
    assertThat(lab.manager.decided(Verdict.CONFLICT)).isEqualTo(1);
    Transaction later = prepare(db, "2", "a1", "a2");
    write(regular, "3", "a1");
    regular.postCommit().workSome();
    // Its record stands.
    assertThatThrownBy(later::commit).isInstanceOf(ConflictException.class);
    assertThat(lab.manager.decided(Verdict.CONFLICT)).isEqualTo(1);
    assertThat(read(db, "a2")).isEmpty();
  }

  /** Fault 21: neither waits, the manager decides between them. */
  @Test
  void besideATentativeCellItGoesTheRegularWay() {
    leaveTentativeCell();
    write(db, "1", "a1", "a2");
    assertThat(lab.manager.decided(Verdict.GRANTED)).isEqualTo(2);
    assertThat(read(regular, "a1")).contains("1");
    assertThat(read(regular, "a2")).contains("1");
  }

  @Test
  void whoBeganUnderAnotherEpochConflicts() {
    Transaction tx = prepare(db, "1", "a1");
    lab.memory.raiseEpoch(Lab.TABLE, lab.memory.epoch(Lab.TABLE) + 1);
    ConflictException conflict = catchThrowableOfType(ConflictException.class, tx::commit);
    assertThat(conflict.conflicts().get(0).cause()).isEqualTo(Cause.NEW_EPOCH);
    assertThat(lab.store.calls(END)).isZero();
    write(db, "2", "a1");
    assertThat(read(db, "a1")).contains("2");
  }

  @Test
  void whatMayHaveBeenCollectedIsNotWrittenOver() {
    Transaction tx = prepare(db, "1", "a1");
    lab.memory.raiseWatermark(lab.oracle.next());
    assertThatThrownBy(tx::commit)
        .isNotInstanceOf(CommitOutcomeUnknownException.class)
        .hasMessageContaining("watermark");
    assertThat(read(db, "a1")).isEmpty();
  }

  @Test
  void anExhaustedClockIsAdvanced() {
    Transaction tx = prepare(db, "2", "a2");
    for (int i = 1; i < Timestamp.STEP; i++) {
      db.fast().write(row("a1"), X, "1");
    }
    assertThat(tx.commit()).isGreaterThan(tx.timestamp());
    assertThat(read(regular, "a2")).contains("2");
    assertThat(lab.manager.decided(Verdict.GRANTED)).isZero();
  }

  /** Fault 35. */
  @Test
  void weakNotificationsAreConfirmedAtOnce() {
    Transaction tx = prepare(db, "1", "a1");
    tx.notifyWeakly(row("a2"), Y);
    tx.commit();
    List<Cell> cells =
        lab.memory.read(RowRead.of(row("a2"), Selection.family(Families.NOTIFY))).cells();
    assertThat(cells).hasSize(1);
    assertThat(Notification.decode(cells.get(0).value()).kind()).isEqualTo(Notification.Kind.WEAK);
  }
}
