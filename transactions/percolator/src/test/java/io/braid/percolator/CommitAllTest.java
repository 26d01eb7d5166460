package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.read;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.rows.OnePhaseCommit;
import io.braid.percolator.rows.ResolvePrimary;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transactions that are committed together: each ends by itself. */
class CommitAllTest {
  private final Lab lab = new Lab(true);
  private final PercolatorTransactions transactions = lab.process("p");

  @AfterEach
  void noInterruptIsLeft() {
    Thread.interrupted();
  }

  private Transaction writing(String... keys) {
    Transaction tx = transactions.begin();
    for (String key : keys) {
      tx.get(row(key), X);
      tx.set(row(key), X, "mine");
    }
    return tx;
  }

  private static Class<?> failure(CommitResult result) {
    return ((CommitResult.Failed) result).failure().getClass();
  }

  @Test
  void eachCommitsOrFailsByItselfAndTheirFirstCallsShareATrip() {
    Transaction empty = transactions.begin();
    Transaction conflicting = writing("e");
    Lab.write(transactions, "first", "e");
    List<Transaction> all =
        List.of(writing("a"), conflicting, writing("b", "h"), empty, writing("c", "cc"));
    int before = lab.store.trips;

    List<CommitResult> results = transactions.commitAll(all);

    assertThat(lab.store.trips - before).as("one for three, more for two phases").isLessThan(5);
    assertThat(results.get(1)).matches(result -> failure(result) == ConflictException.class);
    for (int i : new int[] {0, 2, 3, 4}) {
      assertThat(results.get(i)).isInstanceOf(CommitResult.Committed.class);
    }
    assertThat(((CommitResult.Committed) results.get(3)).commit()).isEqualTo(empty.timestamp());
    for (String key : List.of("a", "b", "h", "c", "cc")) {
      assertThat(read(transactions, key)).contains("mine");
    }
    assertThat(read(transactions, "e")).contains("first");
    assertThat(transactions.lowestActive()).as("all are closed").isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void ofTwoThatWriteOneCellOneCommits() {
    List<CommitResult> results = transactions.commitAll(List.of(writing("a"), writing("a")));
    assertThat(results).filteredOn(CommitResult.Committed.class::isInstance).hasSize(1);
    assertThat(results).anyMatch(r -> r instanceof CommitResult.Failed);
  }

  /** Fault 13. */
  @Test
  void aLostAnswerIsAskedForAgainByItsTransactionAlone() {
    lab.store.fateOf(OnePhaseCommit.INSTANCE, 1, Fate.LOSE_ANSWER);
    List<CommitResult> results = transactions.commitAll(List.of(writing("a"), writing("h")));
    assertThat(results).allMatch(CommitResult.Committed.class::isInstance);
    assertThat(lab.store.count(OnePhaseCommit.INSTANCE)).isEqualTo(3);
    assertThat(lab.cells()).hasSize(2);
  }

  /** Fault 14: and the others are told their outcomes. */
  @Test
  void anUnknownOutcomeIsThatOfOneTransaction() {
    lab.store.fate(
        call ->
            call.on(row("a"))
                    && (call.is(OnePhaseCommit.INSTANCE) || call.is(ResolvePrimary.INSTANCE))
                ? Fate.LOSE
                : Fate.RUN);
    List<CommitResult> results = transactions.commitAll(List.of(writing("a"), writing("h")));
    assertThat(failure(results.get(0))).isEqualTo(CommitOutcomeUnknownException.class);
    assertThat(results.get(1)).isInstanceOf(CommitResult.Committed.class);
  }

  @Test
  void oneThatLivedTooLongHoldsTheOthersUpByNothing() {
    Transaction old = writing("a");
    lab.clocks.pass(lab.options.patience().maxAge().toMillis() + 1);
    List<CommitResult> results = transactions.commitAll(List.of(old, writing("h")));
    assertThat(((CommitResult.Failed) results.get(0)).failure())
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.TRANSACTION_EXPIRED));
    assertThat(results.get(1)).isInstanceOf(CommitResult.Committed.class);
    assertThat(read(transactions, "a")).isEmpty();
  }

  /** Fault 70: an interrupt from before is kept for later. */
  @Test
  void interruptedBeforeAllCommit() {
    List<Transaction> all = List.of(writing("a"), writing("h"));
    Thread.currentThread().interrupt();
    List<CommitResult> results = transactions.commitAll(all);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(results).allMatch(CommitResult.Committed.class::isInstance);
  }
}
