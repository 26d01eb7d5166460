package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.data.Row;
import io.braid.core.store.Procedure;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.percolator.garbage.CollectionRequest;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.CommitRow;
import io.braid.percolator.rows.Heartbeat;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A table goes while intents in others still name a primary in it. */
class DroppedTableTest {
  private static final Row IN_U = Row.of("u", "k");

  private final Lab lab = new Lab(false);
  private final PercolatorTransactions other = lab.process("q");

  private void dieAt(Procedure<?, ?> procedure) {
    Transaction tx = lab.process("p").begin();
    tx.set(row("a"), X, "new");
    tx.set(IN_U, X, "new");
    lab.store.fateOf(procedure, 1, Intercepted.Fate.CRASH);
    Lab.die(tx);
    lab.store.heal();
    lab.kill("p");
  }

  private Optional<String> inU() {
    try (Snapshot snapshot = other.snapshot()) {
      return snapshot.get(IN_U, X);
    }
  }

  private void collect() {
    CollectionRequest all = CollectionRequest.keep(Duration.ZERO);
    assertThat(other.collector().collect(all, report -> {}, () -> false)).isPresent();
  }

  /** Fault 16: nobody can decide there any more, and nothing can commit there. */
  @Test
  void whatNamesAPrimaryThatIsGoneIsInNobodysWay() {
    dieAt(CommitPrimary.INSTANCE);
    lab.base.dropTable(Lab.TABLE);
    assertThat(inU()).isEmpty();
    other.sweep().sweep(0);
    collect();
    Transaction later = other.begin();
    later.set(IN_U, X, "later");
    later.commit();
    assertThat(inU()).contains("later");
  }

  /** Fault 9: what has committed is carried out before the evidence goes. */
  @Test
  void whatHasCommittedStandsAfterTheTableOfItsPrimaryIsDropped() {
    dieAt(CommitRow.INSTANCE);
    other.settleBeforeDrop(Lab.TABLE);
    lab.base.dropTable(Lab.TABLE);
    assertThat(inU()).contains("new");
    collect();
    assertThat(inU()).contains("new");
  }

  /** Fault 10: one that was about to commit while the table goes is rolled back as a whole. */
  @Test
  void nothingCommitsAtAPrimaryThatIsAboutToGo() {
    PercolatorTransactions process = lab.process("p");
    Transaction tx = process.begin();
    tx.set(row("a"), X, "new");
    tx.set(IN_U, X, "new");
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.store.heal();
            other.settleBeforeDrop(Lab.TABLE);
          }
          return Intercepted.Fate.RUN;
        });
    assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    lab.base.dropTable(Lab.TABLE);
    assertThat(inU()).isEmpty();
  }

  /** Fault 15: the heartbeat of the others goes on. */
  @Test
  void thatTheTableOfOneIsGoneStopsNoHeartbeatOfOthers() {
    PercolatorTransactions process = lab.process("p");
    PrimaryCell gone = new PrimaryCell(Row.of("gone", "a"), X.name());
    PrimaryCell there = new PrimaryCell(IN_U, X.name());
    process.heartbeat().begin(gone, 2);
    process.heartbeat().begin(there, 3);
    lab.clocks.pass(5000);
    process.heartbeat().beat();
    assertThat(lab.store.calls).anyMatch(call -> call.is(Heartbeat.INSTANCE) && call.on(IN_U));
  }
}
