package io.braid.omid;

import static io.braid.omid.Lab.X;
import static io.braid.omid.Lab.read;
import static io.braid.omid.Lab.row;
import static io.braid.omid.Lab.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.HoldPass;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.rows.ForgetEntry;
import io.braid.omid.rows.PostCommit;
import io.braid.testkit.hostile.Call;
import io.braid.testkit.hostile.ScriptedStore;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Crashes, lost answers and races in the steps of section 3.2. */
class OmidFaultsTest {
  private static final String WRITE = "omid.write-tentative";
  private static final String DECIDE = "omid.decide-entry";
  private static final String POST = "omid.post-commit";
  private static final String FORGET = "omid.forget-entry";
  private static final String READ = "omid.read-row";

  private final Lab lab = new Lab();
  private final OmidTransactions db = lab.process("p");
  private final OmidTransactions other = lab.process("q");

  @AfterEach
  void everyRuleOfTheScriptWasUsed() {
    assertThat(lab.store.waiting()).isEmpty();
  }

  /** Fault 8: a client dies after its tentative writes: nothing of it is ever seen. */
  @Test
  void tentativeCellsOfADeadClientAreInvalidatedAndRemovedByTheReader() {
    write(db, "1", "a", "c");
    db.postCommit().workSome();
    lab.dieBefore("p", DECIDE, Lab.prepare(db, "2", "a", "c"));
    assertThat(lab.tentative()).hasSize(2);
    assertThat(read(other, "a")).contains("1");
    assertThat(read(other, "c")).contains("1");
    other.postCommit().workSome();
    assertThat(lab.tentative()).isEmpty();
  }

  /** Fault 9: a client dies after its commit point: everybody sees all of it. */
  @Test
  void tentativeCellsOfACommittedClientAreSeenAndMadeRecordsByTheReader() {
    write(db, "1", "a", "c");
    db.postCommit().workSome();
    lab.dieAfter("p", DECIDE, Lab.prepare(db, "2", "a", "c"));
    assertThat(read(other, "a")).contains("2");
    assertThat(read(other, "c")).contains("2");
    other.postCommit().workSome();
    assertThat(lab.tentative()).isEmpty();
    assertThat(read(other, "a")).contains("2");
    assertThat(read(other, "c")).contains("2");
  }

  /** Fault 19: the slow reader of section 3.2 looks at the cell again. */
  @Test
  void aReaderThatInvalidatesACommittedAndForgottenTransactionReadsItAgain() {
    write(db, "1", "a");
    db.postCommit().workSome();
    Transaction tx = Lab.prepare(db, "2", "a");
    lab.store
        .on(DECIDE)
        .before(
            commit -> {
              // A reader begins, and meets the tentative cell. Then it sleeps ...
              lab.store.on(READ).after(read -> commitAndForget(commit, tx.timestamp()));
              assertThat(read(other, "a")).contains("2");
            });
    tx.commit();
    assertThat(other.statistics().invalidated()).isEqualTo(1);
  }

  /** ... and the writer commits, its cells become records, and its entry is removed. */
  private void commitAndForget(Call<?> commit, long start) {
    long timestamp = ((Outcome.Done<?>) commit.run()).result() instanceof Long at ? at : 0;
    lab.store.execute(
        PostCommit.INSTANCE,
        new PostCommit.Request(row("a"), List.of(), List.of(), 0, start, timestamp),
        Durability.BUFFERED);
    lab.store.execute(
        ForgetEntry.INSTANCE, new ForgetEntry.Request(start, timestamp), Durability.BUFFERED);
    assertThat(lab.entries()).isEmpty();
    lab.clocks.alive.remove("p");
  }

  /** Fault 20: the entry goes only when every tentative cell has become a record. */
  @Test
  void theEntryStaysWhileAPostCommitIsMissing() {
    write(db, "1", "a", "c");
    lab.store.on(POST).touching(row("c")).lose();
    db.postCommit().workSome();
    assertThat(lab.tentative()).hasSize(1);
    assertThat(lab.entries()).hasSize(1);
    assertThat(lab.store.calls(FORGET)).isZero();
    assertThat(read(other, "c")).contains("1");
  }

  /** Fault 13: the answer to the proposal is lost, it is repeated, and commits once. */
  @Test
  void aProposalWhoseAnswerWasLostCommitsOnce() {
    lab.store.on(DECIDE).loseAnswer();
    long commit = write(db, "1", "a");
    assertThat(db.snapshot().lastChanged(row("a"), X)).hasValue(commit);
  }

  /** Fault 14: no answer to the proposal, nor to the question: unknown, with an id to ask by. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCommitWithoutAnyAnswerIsUnknown(boolean executed) {
    Transaction tx = Lab.prepare(db, "1", "a", "c");
    for (int i = 1; i <= 12; i++) {
      if (executed && i == 1) {
        lab.store.on(DECIDE).loseAnswer();
      } else {
        lab.store.on(DECIDE).lose();
      }
    }
    assertThatThrownBy(tx::commit).isInstanceOf(CommitOutcomeUnknownException.class);
    TransactionOutcome outcome = other.outcome(tx.id().orElseThrow());
    if (executed) {
      assertThat(outcome).isInstanceOf(TransactionOutcome.Committed.class);
      assertThat(read(other, "a")).contains("1");
    } else {
      assertThat(outcome).isInstanceOf(TransactionOutcome.RolledBack.class);
      assertThat(read(other, "a")).isEmpty();
    }
    assertThat(other.outcome(tx.id().orElseThrow())).isEqualTo(outcome);
    assertThat(db.statistics().unknown()).isEqualTo(1);
  }

  /** Fault 14: a proposal that arrives after its transaction was reported as failed is refused. */
  @Test
  void aProposalThatArrivesLateFindsTheTransactionInvalid() {
    List<Call<?>> late = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      lab.store.on(DECIDE).lose(late::add);
    }
    Transaction tx = Lab.prepare(db, "1", "a", "c");
    assertThatThrownBy(tx::commit).isInstanceOf(TabletUnavailableException.class);
    late.forEach(Call::run);
    assertThat(read(other, "a")).isEmpty();
    assertThat(lab.tentative()).isEmpty();
    assertThat(other.outcome(tx.id().orElseThrow()))
        .isInstanceOf(TransactionOutcome.RolledBack.class);
  }

  /** A reader that cannot wait makes a live writer abort (section 3.1: read force abort). */
  @Test
  void aReaderInvalidatesALiveWriterAfterItsGrace() {
    write(db, "1", "a");
    db.postCommit().workSome();
    long[] waited = {0};
    lab.store
        .on(DECIDE)
        .before(
            call -> {
              long before = lab.clocks.nanos;
              assertThat(read(other, "a")).contains("1");
              waited[0] = lab.clocks.nanos - before;
            });
    assertThatThrownBy(() -> write(db, "2", "a", "c"))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("rolled back");
    assertThat(waited[0]).isGreaterThanOrEqualTo(lab.options.grace().reader().toNanos());
    assertThat(lab.tentative()).isEmpty();
    assertThat(read(other, "c")).isEmpty();
  }

  /** Fault 15: a writer that commits within its grace is seen, not disturbed. */
  @Test
  void aWriterThatCommitsWithinItsGraceIsNotInvalidated() {
    ManualSeams patient = new ManualSeams(lab.clocks, "r");
    OmidTransactions reader = lab.process(patient, lab.options);
    lab.store
        .on(DECIDE)
        .before(
            commit -> {
              patient.onSleep = commit::run;
              assertThat(read(reader, "a")).contains("1");
            });
    write(db, "1", "a");
    assertThat(reader.statistics().invalidated()).isZero();
  }

  /** Fault 1: a commit timestamp is granted only after every tentative cell is acknowledged. */
  @Test
  void theManagerIsAskedAfterAllTentativeCellsStand() {
    lab.store.on(WRITE).touching(row("c")).lose();
    AtomicLong tentative = new AtomicLong();
    Transaction tx = Lab.prepare(db, "1", "a", "c");
    lab.oracle.onNext = () -> tentative.set(lab.tentative().size());
    tx.commit();
    lab.oracle.onNext = () -> {};
    assertThat(tentative).hasValue(2);
  }

  /** Fault 11: a tentative write that arrives after the end is nobody's: it never shows. */
  @Test
  void aTentativeWriteThatArrivesLateNeverShows() {
    List<Call<?>> late = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      lab.store.on(WRITE).touching(row("c")).lose(late::add);
    }
    assertThatThrownBy(() -> write(db, "1", "a", "c"))
        .isInstanceOf(TabletUnavailableException.class);
    late.get(0).run();
    assertThat(lab.tentative()).hasSize(1);
    lab.clocks.alive.remove("p");
    assertThat(read(other, "c")).isEmpty();
    other.postCommit().workSome();
    assertThat(lab.tentative()).isEmpty();
  }

  /** Fault 13: copies of every call, late and in any number, change nothing. */
  @Test
  void lateCopiesOfACommitChangeNothing() {
    List<Call<?>> copies = new ArrayList<>();
    for (String name : List.of(WRITE, DECIDE, POST, FORGET)) {
      lab.store.on(name).before(copies::add);
    }
    String large = "y".repeat(3000);
    long commit = write(db, large, "a");
    db.postCommit().workSome();
    copies.forEach(Call::run);
    assertThat(lab.tentative()).isEmpty();
    assertThat(read(other, "a")).contains(large);
    assertThat(other.snapshot().lastChanged(row("a"), X)).hasValue(commit);
    write(other, "2", "a");
    other.postCommit().workSome();
    copies.forEach(Call::run);
    assertThat(read(other, "a")).contains("2");
  }

  /** Fault 16: what dead clients left where nobody reads is found by the sweep. */
  @Test
  void theSweepCleansUpAfterTheDead() {
    lab.dieAfter("p", DECIDE, Lab.prepare(db, "1", "a", "c"));
    lab.dieBefore("r", DECIDE, Lab.prepare(lab.process("r"), "2", "e", "f"));
    assertThat(lab.tentative()).hasSize(4);
    other.sweep().sweep();
    assertThat(lab.tentative()).isEmpty();
    assertThat(read(other, "a")).contains("1");
    assertThat(read(other, "c")).contains("1");
    assertThat(read(other, "e")).isEmpty();
    assertThat(read(other, "f")).isEmpty();
  }

  /** Fault 25: an interrupt before the commit point rolls back, and says so. */
  @Test
  void anInterruptBeforeTheCommitPointRollsBack() {
    lab.store.on(WRITE).after(call -> Thread.currentThread().interrupt());
    Transaction tx = Lab.prepare(db, "1", "a");
    assertThatThrownBy(tx::commit)
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .hasMessageContaining("was interrupted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(read(other, "a")).isEmpty();
    assertThat(lab.tentative()).isEmpty();
  }

  /** Fault 25: an interrupt while the proposal is on its way: the entry tells, or it is unknown. */
  @Test
  void anInterruptAtTheCommitPointIsNoFailure() {
    lab.store
        .on(DECIDE)
        .then(
            new ScriptedStore.Action() {
              @Override
              public <R> Outcome<R> take(Call<R> call) {
                call.run();
                Thread.currentThread().interrupt();
                return Outcome.unknown("answer lost");
              }
            });
    Transaction tx = Lab.prepare(db, "1", "a");
    assertThat(tx.commit()).isPositive();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(read(other, "a")).contains("1");
  }

  /** Fault 17: a tablet is cut in the middle of a commit. */
  @Test
  void aTabletSplitsInTheMiddleOfACommit() {
    lab.store.on(DECIDE).before(call -> lab.memory.splitTablet(Lab.TABLE, row("aa").key()));
    write(db, "1", "a", "ab", "c");
    lab.memory.splitTablet(Lab.TABLE, row("ac").key());
    db.postCommit().workSome();
    for (String key : List.of("a", "ab", "c")) {
      assertThat(read(other, key)).contains("1");
    }
  }

  /**
   * Fault 4: after a restart of the manager older transactions abort, newer ones see everything.
   */
  @Test
  void aNewManagerRefusesOldTransactions() {
    write(db, "1", "a");
    Transaction old = Lab.prepare(db, "2", "b");
    LocalTransactionManager next = new LocalTransactionManager(lab.oracle, 64);
    OmidTransactions restarted =
        new OmidTransactions(
            lab.store, next, lab.oracle, new ManualSeams(lab.clocks, "n"), lab.options);
    Transaction moved = restarted.beginAt(HoldPass.NONE, old.timestamp(), restarted.tables());
    moved.set(row("b"), X, "2");
    assertThatThrownBy(moved::commit)
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("forget");
    assertThat(read(restarted, "a")).contains("1");
    write(restarted, "3", "a");
  }

  /**
   * Fault 3: a client completes a commit that a manager granted which was replaced meanwhile. The
   * next one knows nothing of it, and grants the same cell to another; each stands in its place.
   */
  @Test
  void aGrantOfADeposedManagerIsCompletedBelowAllThatBeganAfterIt() {
    long[] second = {0};
    lab.store
        .on(DECIDE)
        .before(
            call -> {
              OmidTransactions next =
                  new OmidTransactions(
                      lab.store,
                      new LocalTransactionManager(lab.oracle, 64),
                      lab.oracle,
                      new ManualSeams(lab.clocks, "n"),
                      lab.options);
              second[0] = write(next, "2", "a");
            });
    long first = write(db, "1", "a");
    assertThat(first).isLessThan(second[0]);
    assertThat(read(other, "a")).contains("2");
    try (Snapshot between = other.snapshotAt(first)) {
      assertThat(between.get(row("a"), X)).contains("1");
    }
  }

  /** Fault 16: entries that nobody removed go, late, and never before their cells. */
  @Test
  void entriesAreSweptWhenNoCallCanBeOnItsWay() {
    lab.dieAfter("p", DECIDE, Lab.prepare(db, "1", "a", "c"));
    other.sweep().sweep();
    assertThat(lab.tentative()).isEmpty();
    assertThat(lab.entries()).hasSize(1);
    lab.clocks.pass(Duration.ofHours(2).toMillis());
    other.sweep().sweep();
    assertThat(lab.entries()).hasSize(1);
    lab.memory.raiseWatermark(lab.oracle.next());
    other.sweep().sweep();
    assertThat(lab.entries()).isEmpty();
    assertThat(read(other, "a")).contains("1");
    assertThat(read(other, "c")).contains("1");
  }

  /**
   * Faults 19, 25: a client stands still in its commit until its entry has come and gone; it does
   * not take that for a commit.
   */
  @Test
  void aProposalBelowTheWatermarkIsUnknown() {
    Transaction tx = Lab.prepare(lab.elsewhere("far"), "1", "a", "c");
    lab.store
        .on(DECIDE)
        .before(
            call -> {
              other.sweep().sweep();
              assertThat(read(other, "a")).isEmpty();
              lab.clocks.pass(Duration.ofHours(1).toMillis());
              read(other, "a");
              lab.memory.raiseWatermark(lab.oracle.next());
              other.sweep().sweep();
            });
    assertThatThrownBy(tx::commit).isInstanceOf(CommitOutcomeUnknownException.class);
    assertThat(read(other, "a")).isEmpty();
    assertThat(read(other, "c")).isEmpty();
  }

  /** Fault 26: below the low watermark of the store nothing is read and nothing is begun. */
  @Test
  void belowTheLowWatermarkReadersAndWritersAreRefused() {
    write(db, "1", "a");
    Snapshot old = db.snapshot();
    Transaction tx = Lab.prepare(db, "2", "a");
    write(db, "3", "b");
    lab.memory.raiseWatermark(lab.oracle.next());
    assertThatThrownBy(() -> old.get(row("a"), X))
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
    assertThatThrownBy(() -> old.getRow(row("a"), "f"))
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
    assertThatThrownBy(tx::commit)
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.TRANSACTION_EXPIRED));
    assertThat(read(db, "a")).contains("1");
    assertThat(lab.tentative()).hasSize(2);
    db.postCommit().workSome();
    assertThat(lab.tentative()).isEmpty();
    assertThat(read(db, "a")).contains("1");
  }

  /**
   * Fault 15: a sweep leaves what other processes are committing alone; which of these have ended
   * it cannot know.
   */
  @Test
  void aSweepLeavesLiveTransactionsOfOthersAlone() {
    OmidTransactions one = lab.elsewhere("one");
    OmidTransactions other = lab.elsewhere("other");
    lab.store.on(DECIDE).before(call -> other.sweep().sweep());
    write(one, "1", "a");
    assertThat(read(one, "a")).contains("1");
    lab.dieBefore("one", DECIDE, Lab.prepare(one, "2", "b"));
    other.sweep().sweep();
    assertThat(lab.tentative()).noneMatch(line -> line.startsWith("b"));
  }

  /** Fault 20: nor does it forget the entry of one whose post-commit is to come. */
  @Test
  void aSweepKeepsEntriesOfOthersWhoseCellsStand() {
    OmidTransactions one = lab.elsewhere("one");
    OmidTransactions other = lab.elsewhere("other");
    write(one, "1", "a");
    other.sweep().sweep();
    assertThat(read(other, "a")).contains("1");
    lab.memory.raiseWatermark(lab.oracle.next());
    other.sweep().sweep();
    assertThat(lab.tentative()).isEmpty();
    assertThat(read(other, "a")).contains("1");
  }
}
