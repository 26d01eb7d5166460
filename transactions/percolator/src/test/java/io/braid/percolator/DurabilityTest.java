package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.read;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.store.Durability;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Transaction;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.CommitRow;
import io.braid.percolator.rows.Prewrite;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the death of the machine takes away, and what it must not. */
class DurabilityTest {
  private static Lab lab(boolean onePhase) {
    return new Lab(new Lab(onePhase).options.durability(Durability.SYNCED));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAcknowledgedSyncedCommitIsNeverLost(boolean onePhase) {
    Lab lab = lab(onePhase);
    PercolatorTransactions transactions = lab.process("p");
    Lab.write(transactions, "1", "a", "aa");
    lab.store.fateOf(CommitRow.INSTANCE, Integer.MAX_VALUE, Fate.LOSE);
    Lab.write(transactions, "1", "b", "d", "h");
    lab.kill("p");
    lab.memory().crash();
    lab.store.heal();
    PercolatorTransactions later = lab.process("q");
    for (String key : List.of("h", "d", "b", "aa", "a")) {
      assertThat(read(later, key)).contains("1");
    }
  }

  @Test
  void theSyncIsAtTheCommitPointAndNowhereElse() {
    Lab lab = lab(false);
    PercolatorTransactions transactions = lab.process("p");
    long before = lab.memory().syncs();
    Lab.write(transactions, "1", "a", "d", "h");
    assertThat(lab.memory().syncs() - before).isEqualTo(1);
    before = lab.memory().syncs();
    read(transactions, "a");
    assertThat(lab.memory().syncs() - before).isZero();
  }

  @Test
  void aMachineThatDiesBeforeTheCommitPointLeavesNothingVisible() {
    Lab lab = lab(false);
    Lab.write(lab.process("p"), "old", "a", "h");
    Transaction tx = lab.process("p").begin();
    tx.set(row("a"), X, "new");
    tx.set(row("h"), X, "new");
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    Lab.die(tx);
    lab.kill("p");
    lab.memory().crash();
    lab.store.heal();
    PercolatorTransactions later = lab.process("q");
    assertThat(read(later, "a")).contains("old");
    assertThat(read(later, "h")).contains("old");
  }

  /** Fault 10: the owner, on another machine, comes to its commit point after the crash. */
  @Test
  void aRollbackThatWasSeenSurvivesTheMachine() {
    Lab lab = lab(false);
    PercolatorTransactions owner = lab.process("p");
    PercolatorTransactions reader = lab.process("q");
    Lab.write(owner, "old", "a", "h");
    Transaction tx = owner.begin();
    tx.set(row("a"), X, "new");
    tx.set(row("h"), X, "new");
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.store.heal();
            Lab.write(reader, "another", "c");
            lab.kill("p");
            assertThat(read(reader, "h")).contains("old");
            lab.memory().crash();
          }
          return Fate.RUN;
        });
    assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    assertThat(read(reader, "h")).contains("old");
    assertThat(read(reader, "a")).contains("old");
  }

  /** Fault 1: the sync of the commit point has to cover every intent. */
  @Test
  void whatComesBeforeASyncedCommitPointIsOrderedBeforeIt() {
    Lab lab = lab(false);
    Lab.write(lab.process("p"), "1", "a", "h");
    assertThat(lab.store.calls)
        .filteredOn(call -> call.is(Prewrite.INSTANCE))
        .hasSize(2)
        .allMatch(call -> call.durability() == Durability.ORDERED);
  }
}
