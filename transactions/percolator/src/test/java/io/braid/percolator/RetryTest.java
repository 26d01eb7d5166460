package io.braid.percolator;

import static io.braid.percolator.Lab.N;
import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.percolator.context.PercolatorOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** {@code run}, and what ends a transaction. */
class RetryTest {
  private final Lab lab = new Lab(true);
  private final PercolatorTransactions transactions = lab.process("p");

  @Test
  void conflictsAreRunAgain() {
    AtomicInteger runs = new AtomicInteger();
    long result =
        transactions.run(
            tx -> {
              long n = tx.get(row("a"), N).orElse(0L) + 1;
              if (runs.incrementAndGet() < 4) {
                Transaction other = transactions.begin();
                other.set(row("a"), N, 10L * runs.get());
                other.commit();
              }
              tx.set(row("a"), N, n);
              return n;
            });
    assertThat(runs).hasValue(4);
    assertThat(result).isEqualTo(31);
    assertThat(transactions.statistics().conflicts()).isEqualTo(3);
  }

  @Test
  void itGivesUpAfterTheLastAttempt() {
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(
            () ->
                transactions.run(
                    tx -> {
                      runs.incrementAndGet();
                      assertThat(tx.get(row("a"), X)).isNotNull();
                      Lab.write(transactions, "other", "a");
                      tx.set(row("a"), X, "mine");
                      return 0;
                    }))
        .isInstanceOf(ConflictException.class);
    assertThat(runs).hasValue(PercolatorOptions.defaults().retries().runAttempts());
  }

  @Test
  void nothingElseIsRunAgain() {
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(
            () ->
                transactions.run(
                    tx -> {
                      tx.set(row("a"), X, "mine");
                      runs.incrementAndGet();
                      throw new IllegalStateException("of the user");
                    }))
        .hasMessage("of the user");
    assertThat(runs).hasValue(1);
    assertThat(lab.cells()).isEmpty();
  }

  @Test
  void aConflictOfAnotherTransactionInsideTheBodyIsNotRunAgain() {
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(
            () ->
                transactions.run(
                    tx -> {
                      runs.incrementAndGet();
                      throw new ConflictException(List.of());
                    }))
        .isInstanceOf(ConflictException.class);
    assertThat(runs).hasValue(1);
  }

  @Test
  void aBodyThatCommitsItselfIsNotCommittedTwice() {
    long commit =
        transactions.run(
            tx -> {
              tx.set(row("a"), X, "1");
              return tx.commit();
            });
    assertThat(transactions.snapshot().lastChanged(row("a"), X)).hasValue(commit);
  }

  @Test
  void aTransactionThatLivesTooLongIsRolledBack() {
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "1");
    lab.clocks.pass(Duration.ofHours(2).toMillis());
    assertThatThrownBy(tx::commit)
        .isInstanceOfSatisfying(
            TransactionException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.TRANSACTION_EXPIRED));
    assertThat(lab.cells()).isEmpty();
    assertThat(transactions.lowestActive()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void openTransactionsHoldTheLowestActiveTimestamp() {
    Transaction first = transactions.begin();
    Transaction second = transactions.begin();
    assertThat(transactions.lowestActive()).isEqualTo(first.timestamp());
    first.close();
    assertThat(transactions.lowestActive()).isEqualTo(second.timestamp());
    lab.oracle.onNext =
        () -> assertThat(transactions.lowestActive()).isLessThanOrEqualTo(second.timestamp());
    second.commit();
    transactions.snapshot().close();
    assertThat(transactions.lowestActive()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void theTimestampIsPinnedBeforeItIsDrawn() {
    transactions.begin().close();
    long highest = lab.oracle.lastIssued();
    lab.oracle.onNext = () -> assertThat(transactions.lowestActive()).isEqualTo(highest);
    assertThat(transactions.begin().timestamp()).isGreaterThan(highest);
  }

  @Test
  void theTimestampsOfSeveralArePinnedBeforeTheyAreDrawn() {
    transactions.begin().close();
    long highest = lab.oracle.lastIssued();
    lab.oracle.onNext = () -> assertThat(transactions.lowestActive()).isEqualTo(highest);
    assertThat(transactions.beginAll(2)).allMatch(each -> each.timestamp() > highest);
  }
}
