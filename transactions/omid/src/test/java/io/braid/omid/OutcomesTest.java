package io.braid.omid;

import static io.braid.omid.Lab.X;
import static io.braid.omid.Lab.read;
import static io.braid.omid.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.braid.core.data.Cell;
import io.braid.core.store.Durability;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.omid.rows.CommitEntries;
import io.braid.omid.rows.DecideEntry;
import io.braid.testkit.hostile.Call;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fault 14: whoever asks how a transaction ended is told what stays true, or that nobody knows. */
class OutcomesTest {
  private static final String DECIDE = "omid.decide-entry";
  private static final String FAST = "omid.fast-write";

  private final Lab lab = new Lab();
  private final OmidTransactions db = lab.process("p");
  private final OmidTransactions other = lab.process("q");

  private static TransactionId id(Transaction tx) {
    return tx.id().orElseThrow();
  }

  /** Takes away the records of column x of row a, as a collection may below the watermark. */
  private void collect() {
    for (Cell each : lab.memory.read(RowRead.of(row("a"), Selection.column(X.name()))).cells()) {
      lab.memory.write(
          List.of(RowWrite.remove(row("a"), X.name(), each.version())), Durability.BUFFERED);
    }
    lab.memory.raiseWatermark(lab.oracle.next());
  }

  /** Committed, made records, and forgotten. */
  private Transaction committed() {
    Transaction tx = Lab.prepare(db, "1", "a");
    tx.commit();
    db.postCommit().workSome();
    assertThat(lab.entries()).isEmpty();
    return tx;
  }

  @Test
  void whatWasToldAsRolledBackStaysSo() {
    List<Call<?>> late = new ArrayList<>();
    for (int i = 0; i < 2 * lab.options.retries().storeAttempts(); i++) {
      lab.store.on(DECIDE).lose(late::add);
    }
    Transaction tx = Lab.prepare(db, "1", "a");
    assertThatThrownBy(tx::commit).isInstanceOf(CommitOutcomeUnknownException.class);
    assertThat(other.outcome(id(tx))).isInstanceOf(TransactionOutcome.RolledBack.class);
    late.forEach(Call::run);
    assertThat(other.outcome(id(tx))).isInstanceOf(TransactionOutcome.RolledBack.class);
    assertThat(read(other, "a")).isEmpty();
  }

  /** After the post-commit only the cell tells; asking leaves nothing behind. */
  @Test
  void theRecordTellsWhenTheEntryIsGone() {
    Transaction tx = committed();
    assertThat(other.outcome(id(tx))).isInstanceOf(TransactionOutcome.Committed.class);
    assertThat(lab.entries()).isEmpty();
  }

  /** Fault 19: a slow reader has put "invalid" where the entry of a committed one had stood. */
  @Test
  void theRecordTellsAlsoAgainstAnEntryThatASlowReaderPut() {
    Transaction tx = committed();
    lab.memory.execute(
        DecideEntry.INSTANCE,
        new DecideEntry.Request(tx.timestamp(), CommitEntries.INVALID),
        Durability.BUFFERED);
    assertThat(other.outcome(id(tx))).isInstanceOf(TransactionOutcome.Committed.class);
  }

  @Test
  void whatMayHaveBeenCollectedIsUnknown() {
    Transaction tx = committed();
    collect();
    assertThat(other.outcome(id(tx))).isInstanceOf(TransactionOutcome.Unknown.class);
  }

  @Test
  void whoIsCommittingIsNotEndedByWhoAsksInItsProcess() {
    Transaction tx = Lab.prepare(db, "1", "a");
    TransactionId id = new TransactionId(tx.timestamp(), CommitEntries.of(tx.timestamp()));
    lab.store
        .on(DECIDE)
        .before(
            call -> assertThat(db.outcome(id)).isInstanceOf(TransactionOutcome.Undecided.class));
    tx.commit();
    assertThat(read(other, "a")).contains("1");
  }

  /** The answers to all proposals were lost; meanwhile its entry may have come and gone. */
  @Test
  void whoFindsItsOwnEntryForgottenDoesNotKnow() {
    int attempts = lab.options.retries().storeAttempts();
    for (int i = 1; i <= attempts; i++) {
      boolean last = i == attempts;
      lab.store.on(DECIDE).lose(call -> lab.memory.raiseWatermark(last ? lab.oracle.next() : 0));
    }
    Transaction tx = Lab.prepare(db, "1", "a");
    assertThatThrownBy(tx::commit).isInstanceOf(CommitOutcomeUnknownException.class);
    assertThat(other.outcome(id(tx))).isInstanceOf(TransactionOutcome.Unknown.class);
  }

  /** The first call has written, its answer was lost, and what it wrote was collected. */
  @Test
  void aFastWriteThatComesAgainBelowTheWatermarkDoesNotKnow() {
    FastSession fast = db.fast();
    lab.store.on(FAST).loseAnswer();
    lab.store.on(FAST).before(call -> collect());
    CommitOutcomeUnknownException unknown =
        catchThrowableOfType(
            CommitOutcomeUnknownException.class, () -> fast.write(row("a"), X, "1"));
    assertThat(unknown).isNotNull();
    assertThat(db.outcome(unknown.id())).isInstanceOf(TransactionOutcome.Unknown.class);
  }
}
