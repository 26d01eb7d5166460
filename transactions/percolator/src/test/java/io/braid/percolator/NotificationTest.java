package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.Y;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.CommitRow;
import io.braid.percolator.rows.Prewrite;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Notifications: strong ones with the write, weak ones without; Percolator, section 2.4. */
class NotificationTest {
  /** Observes column x everywhere. */
  private static final class Sink implements ChangeSink {
    final List<String> changed = new ArrayList<>();

    @Override
    public boolean isObserved(String table, ColumnName column) {
      return column.equals(X.name());
    }

    @Override
    public void changed(Row row, ColumnName column, long start, long commit) {
      changed.add(row + "/" + column);
    }
  }

  private final Sink sink = new Sink();

  private PercolatorTransactions observed(Lab lab) {
    PercolatorTransactions transactions = lab.process("p");
    transactions.observedBy(sink);
    return transactions;
  }

  private static List<String> notifications(Lab lab) {
    return lab.cells().stream().filter(line -> line.contains("notification")).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWriteOfAnObservedColumnCarriesANotificationAtItsStart(boolean onePhase) {
    Lab lab = new Lab(onePhase);
    Transaction tx = observed(lab).begin();
    tx.set(row("a"), X, "1");
    tx.set(row("a"), Y, "1");
    tx.delete(row("aa"), X);
    tx.lock(row("ab"), X);
    tx.commit();
    String start = FormatText.timestamp(tx.timestamp());
    assertThat(notifications(lab))
        .containsExactly(
            "a  f:x  " + start + ": notification STRONG",
            "aa  f:x  " + start + ": notification STRONG");
    assertThat(sink.changed).containsExactly("t/a/f:x", "t/aa/f:x");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAcknowledgmentStandsInItsRecordHoweverSmallValuesHaveToBe(boolean onePhase) {
    Lab lab = new Lab(new Lab(onePhase).options.smallValueBytes(0));
    Column<Long> acknowledgment =
        new Column<>(Families.acknowledgment("observer", X.name()), Codecs.int64());
    PercolatorTransactions transactions = lab.process("p");
    Transaction tx = transactions.begin();
    tx.set(row("a"), acknowledgment, 7L);
    tx.commit();
    assertThat(transactions.snapshot().get(row("a"), acknowledgment)).contains(7L);
  }

  @Test
  void theNotificationStandsWithTheIntentAndGoesWithIt() {
    Lab lab = new Lab(false);
    Transaction tx = observed(lab).begin();
    tx.set(row("a"), X, "1");
    tx.set(row("h"), X, "1");
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    Lab.die(tx);
    assertThat(notifications(lab)).hasSize(2);
    assertThat(sink.changed).isEmpty();
    lab.kill("p");
    lab.store.heal();
    PercolatorTransactions other = lab.process("q");
    assertThat(Lab.read(other, "h")).isEmpty();
    assertThat(Lab.read(other, "a")).isEmpty();
    assertThat(notifications(lab)).isEmpty();
  }

  @Test
  void weakNotificationsArePendingUntilTheCommit() {
    Lab lab = new Lab(false);
    Transaction tx = observed(lab).begin();
    tx.set(row("a"), Y, "1");
    tx.notifyWeakly(row("a"), X);
    tx.notifyWeakly(row("h"), X);
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            assertThat(notifications(lab)).hasSize(2).allMatch(l -> l.contains("WEAK_PENDING"));
          }
          return Fate.RUN;
        });
    tx.commit();
    assertThat(notifications(lab)).hasSize(2).allMatch(l -> l.endsWith("WEAK"));
    assertThat(sink.changed).containsExactly("t/a/f:x", "t/h/f:x");
  }

  @Test
  void pendingOnesCanBeAskedAfterAtTheirDecisionPoint() {
    Lab lab = new Lab(false);
    Transaction tx = observed(lab).begin();
    tx.set(row("a"), Y, "1");
    tx.notifyWeakly(row("h"), X);
    lab.store.fateOf(CommitRow.INSTANCE, 1, Fate.CRASH);
    Lab.die(tx);
    lab.store.heal();
    assertThat(notifications(lab)).singleElement().asString().contains("WEAK_PENDING");
    TransactionId id = tx.id().orElseThrow();
    assertThat(lab.process("q").outcome(id)).isInstanceOf(TransactionOutcome.Committed.class);
  }

  /** A worker asks between the prewrite of the notification and that of the primary. */
  @Test
  void askingForTheOutcomeOfACommitUnderWayDoesNotEndIt() {
    Lab lab = new Lab(false);
    PercolatorTransactions transactions = observed(lab);
    Transaction tx = transactions.begin();
    tx.set(row("a"), Y, "1");
    tx.notifyWeakly(row("h"), X);
    lab.store.fate(
        call -> {
          if (call.is(Prewrite.INSTANCE)) {
            TransactionId id = tx.id().orElseThrow();
            assertThat(transactions.outcome(id)).isEqualTo(new TransactionOutcome.Undecided());
          }
          return Fate.RUN;
        });
    tx.commit();
    assertThat(notifications(lab)).hasSize(1);
  }

  @Test
  void aRollbackTakesPendingOnesAway() {
    Lab lab = new Lab(false);
    PercolatorTransactions transactions = observed(lab);
    Transaction tx = transactions.begin();
    tx.set(row("a"), Y, "1");
    tx.notifyWeakly(row("h"), X);
    Transaction other = transactions.begin();
    other.set(row("a"), Y, "2");
    other.commit();
    assertThatThrownBy(tx::commit).hasMessageContaining("Others were first");
    assertThat(notifications(lab)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void weakNotificationsNeverConflict(boolean onePhase) {
    Lab lab = new Lab(onePhase);
    PercolatorTransactions transactions = observed(lab);
    Transaction first = transactions.begin();
    Transaction second = transactions.begin();
    first.notifyWeakly(row("a"), X);
    second.notifyWeakly(row("a"), X);
    second.set(row("b"), Y, "1");
    second.notifyWeakly(row("c"), X);
    assertThat(second.commit()).isGreaterThan(second.timestamp());
    assertThat(first.commit()).isEqualTo(first.timestamp());
    assertThat(notifications(lab)).hasSize(3).allMatch(line -> line.endsWith("WEAK"));
    assertThat(sink.changed).containsExactly("t/a/f:x", "t/c/f:x", "t/a/f:x");
  }

  @Test
  void aTransactionThatOnlyNotifiesTellsItsOutcomeByWhatIsThere() {
    Lab lab = new Lab(true);
    PercolatorTransactions transactions = observed(lab);
    Transaction tx = transactions.begin();
    tx.notifyWeakly(row("a"), X);
    lab.store.fate(call -> Fate.LOSE_ANSWER);
    assertThatThrownBy(tx::commit).isInstanceOf(CommitOutcomeUnknownException.class);
    lab.store.heal();
    TransactionId id = tx.id().orElseThrow();
    assertThat(transactions.outcome(id))
        .isEqualTo(new TransactionOutcome.Committed(tx.timestamp()));
    Transaction lost = transactions.begin();
    lost.notifyWeakly(row("h"), X);
    lab.store.fate(call -> Fate.LOSE);
    assertThatThrownBy(lost::commit).isInstanceOf(CommitOutcomeUnknownException.class);
    lab.store.heal();
    assertThat(transactions.outcome(lost.id().orElseThrow()))
        .isEqualTo(new TransactionOutcome.Unknown());
  }

  @Test
  void aSinkThatThrowsDoesNotTurnACommitIntoAFailure() {
    Lab lab = new Lab(true);
    PercolatorTransactions transactions = lab.process("p");
    transactions.observedBy(
        new ChangeSink() {
          @Override
          public boolean isObserved(String table, ColumnName column) {
            return true;
          }

          @Override
          public void changed(Row row, ColumnName column, long start, long commit) {
            throw new IllegalStateException("of the sink");
          }
        });
    Lab.write(transactions, "1", "a");
    assertThat(Lab.read(transactions, "a")).contains("1");
  }
}
