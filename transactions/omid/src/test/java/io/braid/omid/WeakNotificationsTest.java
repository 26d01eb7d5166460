package io.braid.omid;

import static io.braid.omid.Lab.X;
import static io.braid.omid.Lab.row;
import static io.braid.omid.Lab.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.cells.Notification;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.testkit.hostile.Call;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Fault 35: weak notifications (Percolator, section 2.4) of transactions of Omid's protocol. */
class WeakNotificationsTest {
  private static final Column<String> CHANGED = Column.of("g", "changed", Codecs.utf8());
  private static final String WRITE = "omid.write-tentative";
  private static final String DECIDE = "omid.decide-entry";
  private static final String POST = "omid.post-commit";
  private static final String NOTIFY = "omid.notify-row";

  private final Lab lab = new Lab();
  private final OmidTransactions db = lab.process("p");
  private final OmidTransactions other = lab.process("q");

  @AfterEach
  void everyRuleOfTheScriptWasUsed() {
    assertThat(lab.store.waiting()).isEmpty();
  }

  private static Transaction notifying(
      OmidTransactions transactions, String value, String... keys) {
    Transaction tx = Lab.prepare(transactions, value, keys);
    tx.notifyWeakly(row("hot"), CHANGED);
    return tx;
  }

  private List<Notification> notifications() {
    return lab
        .memory
        .read(RowRead.of(row("hot"), Selection.family(Families.NOTIFY).newest(100)))
        .cells()
        .stream()
        .map(cell -> Notification.decode(cell.value()))
        .toList();
  }

  private List<Notification.Kind> kinds() {
    return notifications().stream().map(Notification::kind).toList();
  }

  /** What a worker learns that has seen the notification. */
  private TransactionOutcome asked(Notification notification, long start) {
    return other.outcome(new TransactionId(start, notification.decision()));
  }

  @Test
  void notifyingOneRowConflictsWithNobody() {
    Transaction first = notifying(db, "1", "a");
    Transaction second = notifying(other, "2", "c");
    first.commit();
    second.commit();
    db.postCommit().workSome();
    other.postCommit().workSome();
    assertThat(kinds()).containsExactly(Notification.Kind.WEAK, Notification.Kind.WEAK);
    assertThat(lab.entries()).isEmpty();
  }

  @Test
  void aNotificationIsPendingUntilThePostCommitAndStandsInARowThatIsWrittenToo() {
    Transaction tx = notifying(db, "1", "hot");
    tx.commit();
    assertThat(kinds()).containsExactly(Notification.Kind.WEAK_PENDING);
    db.postCommit().workSome();
    assertThat(kinds()).containsExactly(Notification.Kind.WEAK);
    assertThat(Lab.read(other, "hot")).contains("1");
  }

  @Test
  void whatAnAbortedTransactionHasNotifiedGoesWithItsWrites() {
    Transaction tx = notifying(db, "1", "a");
    write(other, "2", "a");
    assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    assertThat(notifications()).isEmpty();
  }

  @Test
  void aDeadClientsNotificationIsDroppedIfItHasNotCommitted() {
    Transaction tx = notifying(db, "1", "a");
    lab.dieBefore("p", DECIDE, tx);
    assertThat(kinds()).containsExactly(Notification.Kind.WEAK_PENDING);
    assertThat(asked(notifications().get(0), tx.timestamp()))
        .isInstanceOf(TransactionOutcome.RolledBack.class);
  }

  @Test
  void aDeadClientsNotificationIsFollowedIfItHasCommitted() {
    Transaction tx = notifying(db, "1", "a");
    lab.dieAfter("p", DECIDE, tx);
    assertThat(kinds()).containsExactly(Notification.Kind.WEAK_PENDING);
    assertThat(asked(notifications().get(0), tx.timestamp()))
        .isInstanceOf(TransactionOutcome.Committed.class);
  }

  /** As fault 19: who asks late finds no entry any more, and must not take it for aborted. */
  @Test
  void aSlowWorkerLearnsOfTheCommitAfterTheEntryIsGone() {
    Transaction tx = notifying(db, "1", "a");
    tx.commit();
    Notification seen = notifications().get(0);
    assertThat(seen.kind()).isEqualTo(Notification.Kind.WEAK_PENDING);
    db.postCommit().workSome();
    assertThat(lab.entries()).isEmpty();
    assertThat(asked(seen, tx.timestamp())).isInstanceOf(TransactionOutcome.Committed.class);
  }

  /** As fault 20: an entry that went first would leave the notification to be dropped. */
  @Test
  void theEntryStaysWhileANotificationIsNotConfirmed() {
    Transaction tx = notifying(db, "1", "a");
    tx.commit();
    lab.store.on(POST).touching(row("hot")).lose();
    db.postCommit().workSome();
    assertThat(lab.entries()).hasSize(1);
  }

  /** A copy of the call that arrives after the commit does not make it pending again. */
  @Test
  void aLateCopyOfTheWriteLeavesAConfirmedNotificationAlone() {
    List<Call<?>> copies = new ArrayList<>();
    lab.store.on(WRITE).before(copies::add);
    lab.store.on(WRITE).before(copies::add);
    notifying(db, "1", "a").commit();
    db.postCommit().workSome();
    copies.forEach(Call::run);
    assertThat(kinds()).containsExactly(Notification.Kind.WEAK);
    assertThat(lab.tentative()).isEmpty();
  }

  /** The sweep meets only the row that was written; the worker is told by the written cell. */
  @Test
  void afterTheSweepANotificationOfADeadClientIsStillFollowed() {
    Transaction tx = notifying(db, "1", "a");
    lab.dieAfter("p", DECIDE, tx);
    other.sweep().sweep();
    assertThat(lab.tentative()).isEmpty();
    assertThat(asked(notifications().get(0), tx.timestamp()))
        .isInstanceOf(TransactionOutcome.Committed.class);
  }

  @Test
  void aTransactionOfNotificationsAloneNeedsNobodysLeave() {
    Transaction tx = db.begin();
    tx.notifyWeakly(row("hot"), CHANGED);
    tx.notifyWeakly(row("a"), CHANGED);
    assertThat(tx.commit()).isEqualTo(tx.timestamp());
    assertThat(kinds()).containsExactly(Notification.Kind.WEAK);
    assertThat(lab.entries()).isEmpty();
    assertThat(asked(notifications().get(0), tx.timestamp()))
        .isEqualTo(new TransactionOutcome.Committed(tx.timestamp()));
  }

  @Test
  void notificationsAloneWhoseAnswerIsLostAreUnknown() {
    Transaction tx = db.begin();
    tx.notifyWeakly(row("hot"), CHANGED);
    for (int i = 0; i < lab.options.retries().storeAttempts(); i++) {
      lab.store.on(NOTIFY).lose();
    }
    assertThatThrownBy(tx::commit).isInstanceOf(CommitOutcomeUnknownException.class);
    assertThat(db.outcome(tx.id().orElseThrow())).isInstanceOf(TransactionOutcome.Unknown.class);
  }

  @Test
  void aColumnIsWrittenOrNotifiedNeverBoth() {
    Transaction tx = db.begin();
    tx.set(row("a"), X, "1");
    assertThatThrownBy(() -> tx.notifyWeakly(row("a"), X))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
