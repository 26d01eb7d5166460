package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.read;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.braid.core.data.Bytes;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.Procedure;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.OnePhaseCommit;
import io.braid.percolator.rows.Prewrite;
import io.braid.percolator.rows.ResolvePrimary;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong on the way from {@code commit()} to its answer. */
class CommitFaultsTest {
  private static final int ALWAYS = Integer.MAX_VALUE;

  @AfterEach
  void noInterruptIsLeft() {
    Thread.interrupted();
  }

  /** Fault 1. */
  @Test
  void commitTimestampIsTakenOnlyAfterEveryIntentStands() {
    Lab lab = new Lab(false);
    Transaction tx = lab.process("p").begin();
    tx.set(row("a"), X, "1");
    tx.set(row("d"), X, "2");
    tx.set(row("h"), X, "3");
    List<Long> intents = new ArrayList<>();
    lab.oracle.onNext =
        () -> intents.add(lab.cells().stream().filter(l -> l.contains("intent PUT")).count());
    tx.commit();
    assertThat(intents).containsExactly(3L);
  }

  /** Fault 7: a timestamp that does not rise fails the commit, and nothing is left behind. */
  @Test
  void aCommitTimestampThatGoesBackIsRefusedLoudly() {
    Lab lab = new Lab(false);
    PercolatorTransactions transactions = lab.process("p");
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    lab.oracle.stepBack(1);
    assertThatThrownBy(tx::commit)
        .isInstanceOfSatisfying(
            BraidException.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.DEFECT));
    assertThat(lab.cells()).isEmpty();
  }

  @Test
  void withoutATimestampTheLocksAreGivenBack() {
    Lab lab = new Lab(false);
    Transaction tx = lab.process("p").begin();
    tx.set(row("a"), X, "1");
    tx.set(row("h"), X, "1");
    lab.oracle.onNext =
        () -> {
          throw new TimestampUnavailableException("none");
        };
    assertThatThrownBy(tx::commit).isInstanceOf(TimestampUnavailableException.class);
    assertThat(lab.cells()).isEmpty();
  }

  /** Fault 13. */
  @ParameterizedTest
  @EnumSource(
      value = Fate.class,
      names = {"REFUSE", "LOSE", "LOSE_ANSWER"})
  void aRetriedPrewriteCommitsOnce(Fate fate) {
    Lab lab = new Lab(false);
    commitsOnce(lab, Prewrite.INSTANCE, fate, "a", "h");
  }

  /** Fault 13. */
  @ParameterizedTest
  @EnumSource(
      value = Fate.class,
      names = {"REFUSE", "LOSE", "LOSE_ANSWER"})
  void aRetriedCommitOfThePrimaryCommitsOnceWithOneTimestamp(Fate fate) {
    Lab lab = new Lab(false);
    commitsOnce(lab, CommitPrimary.INSTANCE, fate, "a", "h");
  }

  /** Fault 13. */
  @ParameterizedTest
  @EnumSource(
      value = Fate.class,
      names = {"REFUSE", "LOSE", "LOSE_ANSWER"})
  void aRetriedOnePhaseCommitCommitsOnceWithOneTimestamp(Fate fate) {
    Lab lab = new Lab(true);
    commitsOnce(lab, OnePhaseCommit.INSTANCE, fate, "a", "aa");
  }

  private static void commitsOnce(Lab lab, Procedure<?, ?> procedure, Fate fate, String... keys) {
    PercolatorTransactions transactions = lab.process("p");
    lab.store.fateOf(procedure, 3, fate);
    long commit = Lab.write(transactions, "1", keys);
    assertThat(lab.store.count(procedure)).isGreaterThan(3);
    assertThat(lab.cells())
        .hasSize(2)
        .allMatch(l -> l.contains(FormatText.timestamp(commit) + ":"));
  }

  /** Fault 13: what was held up on the way arrives after everything is over. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void lateCopiesOfEveryCallChangeNothing(boolean onePhase) {
    Lab lab = new Lab(onePhase);
    PercolatorTransactions transactions = lab.process("p");
    Lab.write(transactions, "1", "a", "aa");
    Lab.write(transactions, "1", "b", "h");
    List<Intercepted.Call<?, ?>> first = List.copyOf(lab.store.calls);
    Lab.write(transactions, "2", "b", "h");
    List<String> before = lab.cells();
    first.forEach(Intercepted.Call::run);
    assertThat(lab.cells()).isEqualTo(before);
  }

  /** Fault 14. */
  @ParameterizedTest
  @EnumSource(
      value = Fate.class,
      names = {"LOSE", "LOSE_ANSWER"})
  void aLostCommitReplyIsReportedAsUnknownAndCanBeResolved(Fate fate) {
    Lab lab = new Lab(false);
    PercolatorTransactions transactions = lab.process("p");
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    tx.set(row("h"), X, "1");
    lab.store.fate(
        call ->
            call.is(CommitPrimary.INSTANCE)
                ? fate
                : call.is(ResolvePrimary.INSTANCE) ? Fate.LOSE : Fate.RUN);
    assertUnknownThenResolved(lab, transactions, tx, fate == Fate.LOSE_ANSWER);
  }

  /** Fault 14. */
  @ParameterizedTest
  @EnumSource(
      value = Fate.class,
      names = {"LOSE", "LOSE_ANSWER"})
  void aLostOnePhaseReplyIsReportedAsUnknownAndCanBeResolved(Fate fate) {
    Lab lab = new Lab(true);
    PercolatorTransactions transactions = lab.process("p");
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    lab.store.fate(call -> call.is(OnePhaseCommit.INSTANCE) ? fate : Fate.LOSE);
    assertUnknownThenResolved(lab, transactions, tx, fate == Fate.LOSE_ANSWER);
  }

  private static void assertUnknownThenResolved(
      Lab lab, PercolatorTransactions transactions, Transaction tx, boolean committed) {
    CommitOutcomeUnknownException unknown =
        catchThrowableOfType(CommitOutcomeUnknownException.class, tx::commit);
    assertThat(tx.id()).contains(unknown.id());
    assertThat(transactions.statistics().unknown()).isEqualTo(1);
    lab.store.heal();
    lab.kill("p");
    PercolatorTransactions other = lab.process("q");
    TransactionOutcome outcome = other.outcome(unknown.id());
    if (outcome instanceof TransactionOutcome.Undecided) {
      // Nothing stands of it, and nobody knows whose it is: it has its time.
      lab.clocks.nanos += lab.options.locks().ttl().toNanos();
      lab.clocks.wallMillis += lab.options.locks().ttl().toMillis();
      outcome = other.outcome(unknown.id());
    }
    assertThat(other.outcome(unknown.id())).isEqualTo(outcome);
    if (committed) {
      assertThat(outcome).isInstanceOf(TransactionOutcome.Committed.class);
      assertThat(read(other, "a")).contains("1");
    } else {
      assertThat(outcome).isEqualTo(new TransactionOutcome.RolledBack());
      assertThat(read(other, "a")).isEmpty();
    }
  }

  /** Faults 14, 15: who asks for the outcome of another's commit does not end it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void askingFromElsewhereLeavesACommitThatIsUnderWay(boolean onePhase) {
    Lab lab = new Lab(onePhase);
    PercolatorTransactions transactions = lab.process("p");
    PercolatorTransactions other = lab.process("q");
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    List<TransactionOutcome> outcomes = new ArrayList<>();
    lab.store.fate(
        call -> {
          if (call.is(Prewrite.INSTANCE) || call.is(OnePhaseCommit.INSTANCE)) {
            outcomes.add(other.outcome(tx.id().orElseThrow()));
          }
          return Fate.RUN;
        });
    tx.commit();
    assertThat(outcomes).containsOnly(new TransactionOutcome.Undecided());
    assertThat(other.outcome(tx.id().orElseThrow()))
        .isInstanceOf(TransactionOutcome.Committed.class);
  }

  /** Fault 14: the owner itself need not wait until its own lock expires. */
  @Test
  void theOwnerCanResolveItsLostCommitAtOnce() {
    Lab lab = new Lab(false);
    PercolatorTransactions transactions = lab.process("p");
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    lab.store.fate(call -> call.is(Prewrite.INSTANCE) ? Fate.RUN : Fate.LOSE);
    assertThatThrownBy(tx::commit).isInstanceOf(CommitOutcomeUnknownException.class);
    lab.store.heal();
    assertThat(lab.process("q").outcome(tx.id().orElseThrow()))
        .isEqualTo(new TransactionOutcome.Undecided());
    assertThat(transactions.outcome(tx.id().orElseThrow()))
        .isEqualTo(new TransactionOutcome.RolledBack());
  }

  /** Fault 14: the answer to the commit is lost, but the primary can be asked. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLostCommitReplyIsSettledAtThePrimaryWhenThatAnswers(boolean onePhase) {
    Lab lab = new Lab(onePhase);
    PercolatorTransactions transactions = lab.process("p");
    Procedure<?, ?> procedure = onePhase ? OnePhaseCommit.INSTANCE : CommitPrimary.INSTANCE;
    lab.store.fateOf(procedure, ALWAYS, Fate.LOSE_ANSWER);
    long commit = Lab.write(transactions, "1", "a");
    assertThat(lab.cells()).singleElement().asString().contains(FormatText.timestamp(commit) + ":");
  }

  /** Fault 14: what is reported as not committed must not commit later. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCommitThatArrivesAfterItWasGivenUpIsRefused(boolean onePhase) {
    Lab lab = new Lab(onePhase);
    PercolatorTransactions transactions = lab.process("p");
    Procedure<?, ?> procedure = onePhase ? OnePhaseCommit.INSTANCE : CommitPrimary.INSTANCE;
    lab.store.fateOf(procedure, ALWAYS, Fate.HOLD);
    assertThatThrownBy(() -> Lab.write(transactions, "1", "a"))
        .isInstanceOf(TabletUnavailableException.class);
    lab.store.heal();
    lab.store.release();
    assertThat(read(transactions, "a")).isEmpty();
  }

  /** Fault 14: a conflict is reported only when no earlier call can still commit. */
  @Test
  void aConflictAfterALostOnePhaseReplyIsFinal() {
    Lab lab = new Lab(true);
    PercolatorTransactions other = lab.process("q");
    PercolatorTransactions transactions = lab.process("p");
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    Transaction blocker = other.begin();
    blocker.set(row("a"), X, "2");
    blocker.set(row("h"), X, "2");
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    Lab.die(blocker);
    lab.store.fateOf(OnePhaseCommit.INSTANCE, 1, Fate.HOLD);
    assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    lab.kill("q");
    assertThat(read(transactions, "a")).isEmpty();
    lab.store.release();
    assertThat(read(transactions, "a")).isEmpty();
  }

  /** Fault 14: the commit went through, its answer was lost, and the table changed since. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNewEpochAfterALostReplyDoesNotHideTheCommit(boolean onePhase) {
    Lab lab = new Lab(onePhase);
    PercolatorTransactions transactions = lab.process("p");
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE) || call.is(OnePhaseCommit.INSTANCE)) {
            lab.store.heal();
            call.run();
            lab.base.raiseEpoch(Lab.TABLE, 7);
            return Fate.LOSE;
          }
          return Fate.RUN;
        });
    long commit = Lab.write(transactions, "1", "a");
    assertThat(transactions.snapshot().lastChanged(row("a"), X)).hasValue(commit);
  }

  /** Fault 14: both ways failed; a copy of the first must not succeed later. */
  @Test
  void aOnePhaseCallCannotCommitAfterTheTwoPhasesFailed() {
    Lab lab = new Lab(true);
    PercolatorTransactions transactions = lab.process("p");
    lab.store.fate(
        call -> {
          if (call.is(OnePhaseCommit.INSTANCE)) {
            lab.memory().crash();
          }
          return call.is(Prewrite.INSTANCE) ? Fate.REFUSE : Fate.RUN;
        });
    assertThatThrownBy(() -> Lab.write(transactions, "1", "a", "aa"))
        .isInstanceOf(TabletUnavailableException.class);
    lab.base.advanceClock(lab.oracle.next());
    lab.store.calls.get(0).run();
    assertThat(read(transactions, "a")).isEmpty();
  }

  /** Fault 14: a copy of the call that found a lock in its way must not find the way clear. */
  @Test
  void aConflictWithALockIsFinalThoughTheLockGoes() {
    Lab lab = new Lab(true);
    PercolatorTransactions other = lab.process("q");
    PercolatorTransactions transactions = lab.process("p");
    Transaction blocker = other.begin();
    blocker.set(row("a"), X, "2");
    blocker.set(row("h"), X, "2");
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    Lab.die(blocker);
    lab.store.heal();
    assertThatThrownBy(() -> Lab.write(transactions, "1", "a"))
        .isInstanceOf(ConflictException.class);
    lab.kill("q");
    assertThat(read(transactions, "a")).isEmpty();
    lab.store.calls.stream()
        .filter(call -> call.is(OnePhaseCommit.INSTANCE))
        .toList()
        .forEach(Intercepted.Call::run);
    assertThat(read(transactions, "a")).isEmpty();
  }

  /** Where no copies come, nobody asks the primary, and no mark is left there. */
  @Test
  void aConflictWithALockIsOverAtOnceWhereNothingComesTwice() {
    Lab lab = new Lab(true);
    lab.store.resends = false;
    PercolatorTransactions transactions = lab.process("p");
    Transaction blocker = lab.process("q").begin();
    blocker.set(row("a"), X, "2");
    blocker.set(row("h"), X, "2");
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    Lab.die(blocker);
    lab.store.heal();
    List<String> before = lab.cells();
    assertThatThrownBy(() -> Lab.write(transactions, "1", "a"))
        .isInstanceOf(ConflictException.class);
    assertThat(lab.cells()).isEqualTo(before);
  }

  /** Fault 14: but a call that was not answered may yet commit. */
  @Test
  void aOnePhaseCallWithoutAnAnswerIsAskedForEverywhere() {
    Lab lab = new Lab(true);
    lab.store.resends = false;
    PercolatorTransactions transactions = lab.process("p");
    lab.store.fate(
        call -> {
          boolean first = lab.store.held.isEmpty();
          return !call.is(OnePhaseCommit.INSTANCE) ? Fate.RUN : first ? Fate.HOLD : Fate.REFUSE;
        });
    assertThatThrownBy(() -> Lab.write(transactions, "1", "a"))
        .isInstanceOf(TabletUnavailableException.class);
    lab.store.heal();
    lab.store.release();
    assertThat(read(transactions, "a")).isEmpty();
  }

  /** Fault 17. */
  @Test
  void aSplitBetweenPrewriteAndCommitLeavesTheCommitWhole() {
    Lab lab = new Lab(false);
    PercolatorTransactions transactions = lab.process("p");
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.base.splitTablet(Lab.TABLE, Bytes.of("ab"));
            lab.base.splitTablet(Lab.TABLE, Bytes.of("hb"));
          }
          return Fate.RUN;
        });
    Lab.write(transactions, "1", "a", "ac", "ha", "hc");
    assertThat(List.of("a", "ac", "ha", "hc")).allMatch(k -> read(transactions, k).isPresent());
  }

  /** Fault 17: the rows were together when asked, and are not when the call arrives. */
  @Test
  void aSplitBeforeAOnePhaseCommitTurnsItIntoTwoPhases() {
    Lab lab = new Lab(true);
    PercolatorTransactions transactions = lab.process("p");
    lab.store.fate(
        call -> {
          if (call.is(OnePhaseCommit.INSTANCE)) {
            lab.base.splitTablet(Lab.TABLE, Bytes.of("ab"));
          }
          return Fate.RUN;
        });
    Lab.write(transactions, "1", "a", "ac");
    assertThat(transactions.statistics().twoPhase()).isEqualTo(1);
    assertThat(read(transactions, "a")).contains("1");
    assertThat(read(transactions, "ac")).contains("1");
  }

  /** Fault 17: after a lost reply the rows come apart; the lost call arrives in the end. */
  @Test
  void aSplitAfterALostOnePhaseReplyCommitsOnce() {
    Lab lab = new Lab(true);
    PercolatorTransactions transactions = lab.process("p");
    lab.store.fate(
        call -> {
          boolean first = lab.store.held.isEmpty() && call.is(OnePhaseCommit.INSTANCE);
          if (!first) {
            lab.base.splitTablet(Lab.TABLE, Bytes.of("ab"));
          }
          return first ? Fate.HOLD : Fate.RUN;
        });
    long commit = Lab.write(transactions, "1", "a", "ac");
    List<String> before = lab.cells();
    lab.store.held.clear();
    lab.store.calls.get(0).run();
    assertThat(lab.cells()).isEqualTo(before).hasSize(2);
    assertThat(transactions.snapshot().lastChanged(row("ac"), X)).hasValue(commit);
  }

  /** Fault 17: the call in one phase arrives between the prewrites of the two phases. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "ac"})
  void aOnePhaseCallThatArrivesAmongThePrewritesDoesNotCommitASecondTime(String before) {
    Lab lab = new Lab(true);
    PercolatorTransactions transactions = lab.process("p");
    lab.memory().crash();
    List<Intercepted.Call<?, ?>> exhausted = new ArrayList<>();
    lab.store.fate(
        call -> {
          if (call.is(OnePhaseCommit.INSTANCE)) {
            exhausted.add(call);
            lab.memory().crash();
          }
          if (call.is(Prewrite.INSTANCE) && call.on(row(before))) {
            lab.base.advanceClock(lab.oracle.next());
            exhausted.get(0).run();
          }
          return Fate.RUN;
        });
    long commit = Lab.write(transactions, "1", "a", "ac");
    assertThat(transactions.snapshot().lastChanged(row("a"), X)).hasValue(commit);
    assertThat(transactions.snapshot().lastChanged(row("ac"), X)).hasValue(commit);
    assertThat(lab.cells()).hasSize(2);
  }

  /** Fault 17: the tablet stays away. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTabletThatStaysAwayFailsTheCommitAndLeavesNothingVisible(boolean onePhase) {
    Lab lab = new Lab(onePhase);
    PercolatorTransactions transactions = lab.process("p");
    lab.store.fate(
        call ->
            (call.is(Prewrite.INSTANCE) || call.is(OnePhaseCommit.INSTANCE)) && call.on(row("h"))
                ? Fate.REFUSE
                : Fate.RUN);
    assertThatThrownBy(() -> Lab.write(transactions, "1", "a", "h"))
        .isInstanceOf(TabletUnavailableException.class);
    assertThatThrownBy(() -> Lab.write(transactions, "1", "h"))
        .isInstanceOf(TabletUnavailableException.class);
    assertThat(lab.cells()).isEmpty();
  }

  /** Fault 25. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInterruptBeforeTheCommitPointRollsBackCleanly(boolean onePhase) {
    Lab lab = new Lab(onePhase);
    PercolatorTransactions transactions = lab.process("p");
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    tx.set(row("h"), X, "1");
    lab.store.fate(
        call -> {
          if (call.is(Prewrite.INSTANCE)) {
            Thread.currentThread().interrupt();
          }
          return Fate.RUN;
        });
    assertThatThrownBy(tx::commit)
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.UNAVAILABLE))
        .hasMessageContaining("was interrupted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(lab.cells()).isEmpty();
  }

  /** Fault 25: the interrupt hits the very call that commits, and takes the answer with it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInterruptAtTheCommitPointIsNeverReportedAsSuccessOrAbort(boolean onePhase) {
    Lab lab = new Lab(onePhase);
    PercolatorTransactions transactions = lab.process("p");
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE) || call.is(OnePhaseCommit.INSTANCE)) {
            Thread.currentThread().interrupt();
            return Fate.LOSE_ANSWER;
          }
          return Thread.currentThread().isInterrupted() ? Fate.LOSE : Fate.RUN;
        });
    CommitOutcomeUnknownException unknown =
        catchThrowableOfType(CommitOutcomeUnknownException.class, tx::commit);
    assertThat(Thread.interrupted()).isTrue();
    lab.store.heal();
    assertThat(transactions.outcome(unknown.id())).isInstanceOf(TransactionOutcome.Committed.class);
  }

  /** Fault 25: a store that throws in the middle of a call. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anExceptionOfTheStoreAtTheCommitPointIsAnUnknownOutcome(boolean onePhase) {
    Lab lab = new Lab(onePhase);
    PercolatorTransactions transactions = lab.process("p");
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    lab.store.fate(
        call -> {
          if (call.is(Prewrite.INSTANCE)) {
            return Fate.RUN;
          }
          throw new IllegalStateException("disk error");
        });
    assertThatThrownBy(tx::commit)
        .isInstanceOf(CommitOutcomeUnknownException.class)
        .hasMessageContaining("disk error");
  }
}
