package io.braid.percolator.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.FoundColumn;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.time.Timestamp;
import io.braid.testkit.CellText;
import io.braid.testkit.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each procedure by itself: what it answers in each state of the row, and answers again. */
class RowProceduresTest {
  private static final Row ROW = Row.of("t", "r");
  private static final ColumnName X = ColumnName.of("f", "x");
  private static final ColumnName Y = ColumnName.of("f", "y");
  private static final PrimaryCell PRIMARY = new PrimaryCell(ROW, X);
  private static final long START = 10 * Timestamp.STEP;
  private static final long COMMIT = 20 * Timestamp.STEP;
  private static final long OTHER = 15 * Timestamp.STEP;

  private final MemoryStore store = new MemoryStore();

  @BeforeEach
  void createTable() {
    store.ensureTable(Families.transactional("t", List.of("f")));
    store.advanceClock(5 * Timestamp.STEP);
  }

  /** Runs it through its codecs, and again: the second answer must be the first. */
  private <A, R> R twice(Procedure<A, R> procedure, A argument) {
    A copy = procedure.argumentCodec().decode(procedure.argumentCodec().encode(argument));
    assertThat(copy).isEqualTo(argument);
    R first = done(store.execute(procedure, copy, Durability.BUFFERED));
    List<String> cells = CellText.dump(store, "t");
    R second = done(store.execute(procedure, copy, Durability.BUFFERED));
    assertThat(second).isEqualTo(first);
    assertThat(CellText.dump(store, "t")).isEqualTo(cells);
    assertThat(procedure.resultCodec().decode(procedure.resultCodec().encode(first)))
        .isEqualTo(first);
    return first;
  }

  private static <R> R done(Outcome<R> outcome) {
    return ((Outcome.Done<R>) outcome).result();
  }

  private PercolatorAnswer prewrite(long start, String owner, CellWrite... cells) {
    RowMutation mutation = new RowMutation(ROW, 0, List.of(cells), List.of());
    return twice(Prewrite.INSTANCE, new Prewrite.Request(mutation, start, PRIMARY, owner, 1000));
  }

  private PercolatorAnswer onePhase(long start, CellWrite... cells) {
    RowMutation mutation = new RowMutation(ROW, 0, List.of(cells), List.of());
    return twice(
        OnePhaseCommit.INSTANCE, new OnePhaseCommit.Request(List.of(mutation), start, PRIMARY));
  }

  private PercolatorAnswer commitPrimary(long start, long commit) {
    return twice(
        CommitPrimary.INSTANCE, new CommitPrimary.Request(PRIMARY, 0, start, commit, false));
  }

  private PercolatorAnswer resolve(long start, long rollBackUpTo, boolean rollBackMissing) {
    return twice(
        ResolvePrimary.INSTANCE,
        new ResolvePrimary.Request(PRIMARY, 0, start, rollBackUpTo, rollBackMissing));
  }

  private static CellWrite put(ColumnName column) {
    return new CellWrite(column, Intent.Kind.PUT, Bytes.of("v"), true);
  }

  private static CellWrite large(ColumnName column) {
    return new CellWrite(column, Intent.Kind.PUT_LARGE, Bytes.of("large"), false);
  }

  private static ForeignIntent intent(ColumnName column, long start, String owner) {
    return new ForeignIntent(column, start, PRIMARY, owner, 1000);
  }

  @Test
  void prewriteRefusesWhatIsLockedAndNamesTheLock() {
    assertThat(prewrite(START, "p", put(X))).isEqualTo(PercolatorAnswer.PREWRITTEN);
    assertThat(prewrite(OTHER, "q", put(X), put(Y)))
        .isEqualTo(
            new PercolatorAnswer.Colliding(List.of(Collision.locked(ROW, intent(X, START, "p")))));
    assertThat(onePhase(OTHER, put(Y), put(X)))
        .isEqualTo(
            new PercolatorAnswer.Colliding(List.of(Collision.locked(ROW, intent(X, START, "p")))));
    assertThat(prewrite(START - Timestamp.STEP, "q", put(X)))
        .isInstanceOf(PercolatorAnswer.Colliding.class);
  }

  @Test
  void prewriteRefusesWhatWasCommittedAfterItsStart() {
    prewrite(OTHER, "q", put(X));
    commitPrimary(OTHER, COMMIT);
    assertThat(prewrite(START, "p", put(X)))
        .isEqualTo(new PercolatorAnswer.Colliding(List.of(Collision.newer(ROW, X, COMMIT))));
    assertThat(prewrite(COMMIT + Timestamp.STEP, "p", put(X)))
        .isEqualTo(PercolatorAnswer.PREWRITTEN);
  }

  @Test
  void aLatePrewriteTellsWhatBecameOfItsTransaction() {
    prewrite(START, "p", put(X), large(Y));
    assertThat(commitPrimary(START, COMMIT)).isEqualTo(new PercolatorAnswer.Committed(COMMIT));
    prewrite(COMMIT + Timestamp.STEP, "q", put(Y));
    assertThat(prewrite(START, "p", put(X), large(Y)))
        .isEqualTo(new PercolatorAnswer.Committed(COMMIT));
    resolve(OTHER, ResolvePrimary.NEVER, true);
    assertThat(prewrite(OTHER, "q", put(X), put(Y))).isEqualTo(PercolatorAnswer.ROLLED_BACK);
    assertThat(onePhase(OTHER, put(X), put(Y))).isEqualTo(PercolatorAnswer.ROLLED_BACK);
  }

  @Test
  void aCommitOfThePrimaryNeedsTheLock() {
    assertThat(commitPrimary(START, COMMIT)).isEqualTo(PercolatorAnswer.ROLLED_BACK);
    prewrite(START, "p", put(X));
    resolve(START, ResolvePrimary.ALWAYS, false);
    assertThat(commitPrimary(START, COMMIT)).isEqualTo(PercolatorAnswer.ROLLED_BACK);
  }

  @Test
  void aCommitOfThePrimaryKeepsItsFirstTimestamp() {
    prewrite(START, "p", put(X));
    commitPrimary(START, COMMIT);
    assertThat(commitPrimary(START, COMMIT + Timestamp.STEP))
        .isEqualTo(new PercolatorAnswer.Committed(COMMIT));
  }

  @Test
  void resolveTellsAndDecides() {
    assertThat(resolve(START, ResolvePrimary.NEVER, false)).isEqualTo(PercolatorAnswer.MISSING);
    prewrite(START, "p", put(X));
    assertThat(resolve(START, ResolvePrimary.NEVER, true))
        .isEqualTo(new PercolatorAnswer.Undecided("p", 1000, false));
    assertThat(resolve(START, 999, false))
        .isEqualTo(new PercolatorAnswer.Undecided("p", 1000, false));
    assertThat(resolve(START, 1000, false)).isEqualTo(PercolatorAnswer.ROLLED_BACK);
    assertThat(resolve(START, ResolvePrimary.NEVER, false)).isEqualTo(PercolatorAnswer.ROLLED_BACK);
    prewrite(OTHER, "q", put(X));
    commitPrimary(OTHER, COMMIT);
    assertThat(resolve(OTHER, ResolvePrimary.ALWAYS, true))
        .isEqualTo(new PercolatorAnswer.Committed(COMMIT));
  }

  @Test
  void aRollbackRemovesEverythingThatTheTransactionPutInTheRow() {
    prewrite(START, "p", put(X), large(Y));
    assertThat(CellText.dump(store, "t")).hasSize(4);
    twice(RollbackRow.INSTANCE, new RollbackRow.Request(ROW, 0, START, true));
    assertThat(CellText.dump(store, "t")).isEmpty();
  }

  @Test
  void rollingBackAndForwardTouchesNoOtherTransaction() {
    prewrite(START, "p", put(X));
    List<String> before = CellText.dump(store, "t");
    twice(RollbackRow.INSTANCE, new RollbackRow.Request(ROW, 0, OTHER, true));
    twice(CommitRow.INSTANCE, new CommitRow.Request(ROW, 0, OTHER, COMMIT, true));
    twice(Heartbeat.INSTANCE, new Heartbeat.Request(PRIMARY, 0, OTHER, 9000));
    assertThat(CellText.dump(store, "t")).isEqualTo(before);
  }

  @Test
  void aHeartbeatNeverGoesBack() {
    prewrite(START, "p", put(X));
    twice(Heartbeat.INSTANCE, new Heartbeat.Request(PRIMARY, 0, START, 5000));
    twice(Heartbeat.INSTANCE, new Heartbeat.Request(PRIMARY, 0, START, 4000));
    assertThat(resolve(START, 4999, false))
        .isEqualTo(new PercolatorAnswer.Undecided("p", 5000, false));
    commitPrimary(START, COMMIT);
    twice(Heartbeat.INSTANCE, new Heartbeat.Request(PRIMARY, 0, START, 6000));
    assertThat(CellText.dump(store, "t")).noneMatch(line -> line.contains("~intent"));
  }

  @Test
  void aOnePhaseCommitIsDrawnAboveItsStartAndKeepsItsTimestamp() {
    PercolatorAnswer.Committed first =
        (PercolatorAnswer.Committed) onePhase(START, put(X), large(Y));
    assertThat(first.commit()).isBetween(START + 1, START + Timestamp.STEP - 1);
    onePhase(OTHER, put(X));
    assertThat(onePhase(START, put(X), large(Y))).isEqualTo(first);
    assertThat(resolve(START, ResolvePrimary.ALWAYS, true)).isEqualTo(first);
  }

  @Test
  void aOnePhaseCommitIsLateWhenTwoPhasesHaveBegun() {
    prewrite(START, "p", put(X));
    assertThat(onePhase(START, put(X))).isEqualTo(new PercolatorAnswer.Undecided("p", 1000, false));
  }

  @Test
  void aColdClockDrawsNothing() {
    MemoryStore cold = new MemoryStore();
    cold.ensureTable(Families.transactional("t", List.of("f")));
    RowMutation mutation = new RowMutation(ROW, 0, List.of(put(X)), List.of());
    assertThat(
            done(
                cold.execute(
                    OnePhaseCommit.INSTANCE,
                    new OnePhaseCommit.Request(List.of(mutation), START, PRIMARY),
                    Durability.BUFFERED)))
        .isEqualTo(PercolatorAnswer.EXHAUSTED);
    assertThat(CellText.dump(cold, "t")).isEmpty();
  }

  @Test
  void everyWritingProcedureIsRefusedUnderAnotherEpoch() {
    prewrite(START, "p", put(X));
    store.raiseEpoch("t", 3);
    PercolatorAnswer refused = new PercolatorAnswer.Refused(new Refusal.StaleEpoch("t", 3));
    assertThat(prewrite(OTHER, "q", put(Y))).isEqualTo(refused);
    assertThat(onePhase(OTHER, put(Y))).isEqualTo(refused);
    assertThat(commitPrimary(START, COMMIT)).isEqualTo(refused);
    assertThat(resolve(START, ResolvePrimary.ALWAYS, false)).isEqualTo(refused);
    assertThat(twice(CommitRow.INSTANCE, new CommitRow.Request(ROW, 0, START, COMMIT, false)))
        .isEqualTo(refused);
    assertThat(twice(RollbackRow.INSTANCE, new RollbackRow.Request(ROW, 0, START, false)))
        .isEqualTo(refused);
    assertThat(twice(Heartbeat.INSTANCE, new Heartbeat.Request(PRIMARY, 0, START, 9000)))
        .isEqualTo(refused);
    RowMutation weak = new RowMutation(ROW, 0, List.of(), List.of(Y));
    assertThat(
            twice(NotifyWithPrimary.INSTANCE, new NotifyWithPrimary.Request(weak, OTHER, PRIMARY)))
        .isEqualTo(refused);
  }

  @Test
  void weakNotificationsThatWereTakenAwayDoNotComeBackByTheCommit() {
    RowMutation weak = new RowMutation(ROW, 0, List.of(), List.of(Y));
    twice(Prewrite.INSTANCE, new Prewrite.Request(weak, START, PRIMARY, "p", 1000));
    assertThat(CellText.dump(store, "t")).hasSize(1);
    twice(RollbackRow.INSTANCE, new RollbackRow.Request(ROW, 0, START, true));
    twice(CommitRow.INSTANCE, new CommitRow.Request(ROW, 0, START, COMMIT, true));
    assertThat(CellText.dump(store, "t")).isEmpty();
  }

  @Test
  void aReadTellsValuesDeletionsAndWhatIsInTheWay() {
    prewrite(START, "p", put(X), new CellWrite(Y, Intent.Kind.DELETE, Bytes.EMPTY, false));
    SnapshotRead.Request at =
        new SnapshotRead.Request(ROW, List.of(X, Y), COMMIT + Timestamp.STEP, List.of());
    assertThat(twice(SnapshotRead.INSTANCE, at).blocking())
        .containsExactly(intent(X, START, "p"), intent(Y, START, "p"));
    SnapshotRead.Request passing =
        new SnapshotRead.Request(ROW, List.of(X, Y), at.snapshot(), List.of(START));
    assertThat(twice(SnapshotRead.INSTANCE, passing))
        .isEqualTo(new SnapshotRead.Answer(List.of(), List.of(), 0));
    commitPrimary(START, COMMIT);
    assertThat(twice(SnapshotRead.INSTANCE, at).found())
        .containsExactly(
            new FoundColumn(X, COMMIT, Bytes.of("v")), new FoundColumn(Y, COMMIT, null));
    SnapshotRead.Request before =
        new SnapshotRead.Request(ROW, List.of(X, Y), COMMIT - 1, List.of());
    assertThat(twice(SnapshotRead.INSTANCE, before).found()).isEmpty();
  }

  @Test
  void aReadLooksBehindAnyNumberOfLocks() {
    onePhase(START, put(X));
    for (int i = 1; i <= 40; i++) {
      onePhase(COMMIT + i * Timestamp.STEP, new CellWrite(X, Intent.Kind.LOCK, Bytes.EMPTY, false));
    }
    SnapshotRead.Request now =
        new SnapshotRead.Request(ROW, List.of(X), COMMIT + 100 * Timestamp.STEP, List.of());
    assertThat(twice(SnapshotRead.INSTANCE, now).found())
        .extracting(FoundColumn::value)
        .containsExactly(Bytes.of("v"));
    SnapshotRead.Request unwritten =
        new SnapshotRead.Request(ROW, List.of(Y), now.snapshot(), List.of());
    assertThat(twice(SnapshotRead.INSTANCE, unwritten).found()).isEmpty();
  }

  /** Fault 13: a copy of a prewrite changes neither a fresh lock nor a confirmed notification. */
  @Test
  void aRepeatedPrewriteTakesNothingBack() {
    prewrite(START, "p", put(X));
    twice(Heartbeat.INSTANCE, new Heartbeat.Request(PRIMARY, 0, START, 5000));
    prewrite(START, "p", put(X));
    assertThat(resolve(START, 4999, false))
        .isEqualTo(new PercolatorAnswer.Undecided("p", 5000, false));

    RowMutation weak = new RowMutation(ROW, 0, List.of(), List.of(Y));
    Prewrite.Request notifying = new Prewrite.Request(weak, START, PRIMARY, "p", 1000);
    twice(Prewrite.INSTANCE, notifying);
    twice(CommitRow.INSTANCE, new CommitRow.Request(ROW, 0, START, COMMIT, true));
    List<String> confirmed = CellText.dump(store, "t");
    twice(Prewrite.INSTANCE, notifying);
    assertThat(CellText.dump(store, "t")).isEqualTo(confirmed);
  }

  /** Fault 35: the fate of one transaction's notifications does not depend on another's. */
  @Test
  void finishingARowConcernsOnlyItsOwnWeakNotifications() {
    RowMutation weak = new RowMutation(ROW, 0, List.of(), List.of(Y));
    twice(Prewrite.INSTANCE, new Prewrite.Request(weak, OTHER, PRIMARY, "q", 1000));
    List<String> others = CellText.dump(store, "t");
    RowMutation both = new RowMutation(ROW, 0, List.of(put(X)), List.of(Y));
    twice(Prewrite.INSTANCE, new Prewrite.Request(both, START, PRIMARY, "p", 1000));
    twice(RollbackRow.INSTANCE, new RollbackRow.Request(ROW, 0, START, true));
    assertThat(CellText.dump(store, "t")).isEqualTo(others);
    twice(Prewrite.INSTANCE, new Prewrite.Request(both, START, PRIMARY, "p", 1000));
    twice(CommitRow.INSTANCE, new CommitRow.Request(ROW, 0, START, COMMIT, true));
    assertThat(CellText.dump(store, "t")).containsAll(others);
    assertThat(notification(X, START)).isEqualTo(Notification.Kind.STRONG);
    assertThat(notification(Y, START)).isEqualTo(Notification.Kind.WEAK);
  }

  private Notification.Kind notification(ColumnName column, long version) {
    ColumnName at = Families.notification(column);
    Selection one = new Selection(at.family(), at.qualifier(), version, version, 1);
    Cell cell = store.read(RowRead.of(ROW, one)).cells().get(0);
    return Notification.decode(cell.value()).kind();
  }

  /** Fault 22: the clock stands at or above every version stored. */
  @Test
  void aRolledForwardRowRaisesTheClock() {
    prewrite(START, "p", put(X));
    twice(CommitRow.INSTANCE, new CommitRow.Request(ROW, 0, START, COMMIT, false));
    RowMutation later = new RowMutation(Row.of("t", "s"), 0, List.of(put(X)), List.of());
    PrimaryCell primary = new PrimaryCell(later.row(), X);
    PercolatorAnswer drawn =
        twice(
            OnePhaseCommit.INSTANCE,
            new OnePhaseCommit.Request(List.of(later), START + Timestamp.STEP, primary));
    assertThat(drawn).isEqualTo(new PercolatorAnswer.Committed(COMMIT + 1));
  }

  @Test
  void aHeartbeatLeavesAMarkAlone() {
    prewrite(START, "p", put(X));
    resolve(START, ResolvePrimary.ALWAYS, false);
    List<String> marked = CellText.dump(store, "t");
    twice(Heartbeat.INSTANCE, new Heartbeat.Request(PRIMARY, 0, START, 9000));
    assertThat(CellText.dump(store, "t")).isEqualTo(marked);
  }

  /** A pin that was set anew meanwhile is another one. */
  @Test
  void onlyThePinThatIsMeantIsRemoved() {
    store.ensureTable(Families.system());
    Row pin = Row.of(Families.SYSTEM_TABLE, "pin/p");
    assertThat(twice(SetPin.INSTANCE, new SetPin.Request(pin, 5, false, 10))).isEqualTo(5);
    assertThat(twice(SetPin.INSTANCE, new SetPin.Request(pin, 4, true, 11))).isEqualTo(5);
    assertThat(twice(SetPin.INSTANCE, new SetPin.Request(pin, 5, true, 12))).isEqualTo(0);
    // Late copies of what was done before.
    assertThat(twice(SetPin.INSTANCE, new SetPin.Request(pin, 5, false, 10))).isEqualTo(0);
    assertThat(twice(SetPin.INSTANCE, new SetPin.Request(pin, 5, false, 13))).isEqualTo(5);
    assertThat(twice(SetPin.INSTANCE, new SetPin.Request(pin, 5, true, 12))).isEqualTo(5);
  }
}
