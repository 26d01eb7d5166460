package io.braid.omid;

import static io.braid.omid.Lab.X;
import static io.braid.omid.Lab.prepare;
import static io.braid.omid.Lab.read;
import static io.braid.omid.Lab.row;
import static io.braid.omid.Lab.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.data.Cell;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.rows.CommitEntries;
import io.braid.omid.rows.DecideEntry;
import io.braid.testkit.hostile.Call;
import io.braid.testkit.runtime.ManualSeams;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commits in one phase whose calls come twice or late (fault 13), and whose answers are lost (fault
 * 14).
 */
class LateOnePhaseTest {
  private static final String ONE_PHASE = "omid.one-phase-commit";
  private static final String WRITE = "omid.write-tentative";
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

  private List<Call<?>> copies() {
    List<Call<?>> copies = new ArrayList<>();
    lab.store.on(ONE_PHASE).after(copies::add);
    return copies;
  }

  /** A tentative cell of one who died in row a1. */
  private void leaveTentativeCell() {
    lab.dieBefore("dead", DECIDE, prepare(lab.process("dead"), "dead", "a1"));
  }

  /** The records of column x of row a1. */
  private List<Cell> records() {
    Selection all = Selection.column(X.name()).newest(100);
    return lab.memory.read(RowRead.of(row("a1"), all)).cells();
  }

  /** Fault 13. */
  @Test
  void aCallThatComesTwiceCommitsOnce() {
    List<Call<?>> copies = copies();
    write(db, "1", "a1", "a2");
    write(db, "2", "a1");
    copies.forEach(Call::run);
    assertThat(read(db, "a1")).contains("2");
    assertThat(records()).hasSize(2);
  }

  /** Fault 14. */
  @Test
  void aLostAnswerIsAskedForAgain() {
    lab.store.on(ONE_PHASE).loseAnswer();
    Transaction tx = prepare(db, "1", "a1", "a2");
    assertThat(tx.commit() - tx.timestamp()).isBetween(1L, 255L);
    assertThat(read(regular, "a2")).contains("1");
  }

  /** Fault 14: no answer came, but the first cell has its record. */
  @Test
  void theRecordTellsWhenAllAnswersAreLost() {
    for (int i = 0; i < lab.options.retries().storeAttempts(); i++) {
      lab.store.on(ONE_PHASE).loseAnswer();
    }
    Transaction tx = prepare(db, "1", "a1", "a2");
    assertThat(tx.commit()).isGreaterThan(tx.timestamp());
  }

  /** Fault 14: what was told not to have committed does not commit later. */
  @Test
  void aCallThatIsLateFindsThatItWasEnded() {
    List<Call<?>> late = new ArrayList<>();
    for (int i = 0; i < lab.options.retries().storeAttempts(); i++) {
      lab.store.on(ONE_PHASE).lose(late::add);
    }
    Transaction tx = prepare(db, "1", "a1", "a2");
    assertThatThrownBy(tx::commit).isInstanceOf(TabletUnavailableException.class);
    late.forEach(Call::run);
    assertThat(read(db, "a1")).isEmpty();
    assertThat(db.outcome(tx.id().orElseThrow())).isInstanceOf(TransactionOutcome.RolledBack.class);
  }

  /** Fault 14. */
  @Test
  void whoGetsNoAnswerAtAllDoesNotKnow() {
    for (int i = 0; i < lab.options.retries().storeAttempts(); i++) {
      lab.store.on(ONE_PHASE).loseAnswer();
      lab.store.on(END).lose();
    }
    Transaction tx = prepare(db, "1", "a1", "a2");
    CommitOutcomeUnknownException unknown =
        catchThrowableOfType(CommitOutcomeUnknownException.class, tx::commit);
    assertThat(regular.outcome(unknown.id())).isInstanceOf(TransactionOutcome.Committed.class);
  }

  /** Fault 14: whoever asks for a transaction on its way ends it. */
  @Test
  void whatWasToldAsRolledBackStaysSo() {
    Transaction tx = prepare(db, "1", "a1", "a2");
    lab.store
        .on(ONE_PHASE)
        .before(
            call ->
                assertThat(regular.outcome(tx.id().orElseThrow()))
                    .isInstanceOf(TransactionOutcome.RolledBack.class));
    assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    assertThat(read(db, "a1")).isEmpty();
  }

  /** Fault 14: what was written, and would tell, may have been collected; a newer one stands. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatMayHaveBeenCollectedIsUnknown(boolean newer) {
    Transaction tx = prepare(db, "1", "a1");
    lab.store.on(ONE_PHASE).loseAnswer();
    lab.store
        .on(ONE_PHASE)
        .before(
            call -> {
              List<RowWrite> removals = new ArrayList<>();
              records()
                  .forEach(e -> removals.add(RowWrite.remove(row("a1"), X.name(), e.version())));
              if (newer) {
                regular.fast().write(row("a1"), X, "2");
              }
              lab.memory.write(removals, Durability.BUFFERED);
              lab.memory.raiseWatermark(lab.oracle.next());
            });
    assertThatThrownBy(tx::commit).isInstanceOf(CommitOutcomeUnknownException.class);
  }

  /** Fault 13: a tentative cell was in its way, then the regular way failed. */
  @Test
  void aCallOfATransactionThatAbortedTheRegularWayFindsThatItWasEnded() {
    leaveTentativeCell();
    List<Call<?>> copies = copies();
    Transaction tx = prepare(db, "1", "a1", "a2");
    lab.store.on(DECIDE).before(call -> invalidate(tx.timestamp()));
    assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    regular.sweep().sweep();
    assertThat(read(regular, "a1")).isEmpty();
    copies.forEach(Call::run);
    assertThat(read(regular, "a1")).isEmpty();
    assertThat(read(regular, "a2")).isEmpty();
  }

  private void invalidate(long start) {
    lab.memory.execute(
        DecideEntry.INSTANCE,
        new DecideEntry.Request(start, CommitEntries.INVALID),
        Durability.BUFFERED);
  }

  /** Fault 13: the regular way has begun, and its tentative cells refuse the call. */
  @Test
  void aCallThatComesDuringTheRegularWayDoesNothing() {
    leaveTentativeCell();
    List<Call<?>> copies = copies();
    Transaction tx = prepare(db, "1", "a1", "a2");
    lab.store
        .on(DECIDE)
        .before(
            call -> {
              regular.sweep().sweep();
              copies.forEach(Call::run);
            });
    tx.commit();
    copies.forEach(Call::run);
    db.postCommit().workSome();
    copies.forEach(Call::run);
    assertThat(records()).hasSize(1);
    assertThat(read(regular, "a2")).contains("1");
  }

  /** Fault 13: what was in its way has gone before the regular way begins. */
  @Test
  void aCallThatComesBeforeTheRegularWayHasCommitted() {
    leaveTentativeCell();
    List<Call<?>> copies = copies();
    Transaction tx = prepare(db, "1", "a1", "a2");
    lab.store
        .on(WRITE)
        .before(
            call -> {
              regular.sweep().sweep();
              copies.forEach(Call::run);
            });
    long commit = tx.commit();
    assertThat(commit - tx.timestamp()).isBetween(1L, 255L);
    assertThat(lab.manager.decided(Verdict.GRANTED)).isEqualTo(1);
    assertThat(lab.tentative()).isEmpty();
    try (Snapshot then = regular.snapshotAt(commit)) {
      assertThat(then.get(row("a1"), X)).contains("1");
      assertThat(then.get(row("a2"), X)).contains("1");
    }
  }

  /** Fault 13: a hold that refused it may go. */
  @Test
  void aCallThatMetAHoldDoesNothingWhenTheHoldIsGone() {
    Hold hold = new Hold("game", 7, 1, row("leader"));
    lab.memory.write(
        List.of(RowWrite.put(row("a2"), new Cell(Families.hold(), 7, hold.encode()))),
        Durability.BUFFERED);
    List<Call<?>> copies = copies();
    assertThatThrownBy(prepare(db, "late", "a1", "a2")::commit)
        .isInstanceOf(KeyHeldByGroupException.class);
    lab.memory.write(List.of(RowWrite.remove(row("a2"), Families.hold(), 7)), Durability.BUFFERED);
    copies.forEach(Call::run);
    assertThat(read(db, "a1")).isEmpty();
  }

  /** A mark would cost every reader of the row a look. */
  @Test
  void whereNothingComesTwiceAFailureLeavesNoMark() {
    CellStore own =
        new ForwardingStore(lab.store) {
          @Override
          public boolean resends() {
            return false;
          }
        };
    OmidTransactions embedded =
        new OmidTransactions(
            own,
            lab.manager,
            lab.oracle,
            new ManualSeams(lab.clocks, "own"),
            lab.options.onePhase(true));
    leaveTentativeCell();
    Transaction tx = prepare(embedded, "1", "a1", "a2");
    lab.store.on(DECIDE).before(call -> invalidate(tx.timestamp()));
    assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    regular.sweep().sweep();
    assertThat(lab.tentative()).isEmpty();
    assertThat(lab.store.calls(END)).isZero();
  }
}
