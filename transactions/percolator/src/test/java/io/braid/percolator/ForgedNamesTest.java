package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.CommitRow;
import io.braid.percolator.rows.OnePhaseCommit;
import io.braid.percolator.rows.Prewrite;
import io.braid.testkit.runtime.ManualSeams;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault 81: a question for the outcome of a transaction by a made-up name does no harm. */
class ForgedNamesTest {
  private static final long HOUR_MILLIS = 3_600_000;

  private Lab lab = new Lab(false);
  private PercolatorTransactions owner = lab.process("owner");
  private ManualSeams strangerSeams = lab.seams("stranger");
  private PercolatorTransactions stranger = lab.process(strangerSeams);

  private void inOnePhase() {
    lab = new Lab(true);
    owner = lab.process("owner");
    strangerSeams = lab.seams("stranger");
    stranger = lab.process(strangerSeams);
  }

  /** Asks by every name that a cell gives, and again when the owner has had its time. */
  private void askByMadeUpNames(long start, String... keys) {
    for (int times = 0; times < 2; times++) {
      for (String key : keys) {
        stranger.outcome(new TransactionId(start, new PrimaryCell(row(key), X.name())));
      }
      lab.clocks.pass(HOUR_MILLIS);
    }
  }

  private static void set(Transaction tx, String value) {
    for (String key : List.of("a", "d", "h")) {
      tx.set(row(key), X, value);
    }
  }

  private void assertAll(String value) {
    for (PercolatorTransactions each : List.of(stranger, owner)) {
      for (String key : List.of("a", "d", "h")) {
        assertThat(Lab.read(each, key)).as(key).contains(value);
      }
    }
  }

  /** Before its prewrites, between them, and before its commit point. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "d", "h", "commit"})
  void acknowledgedCommitsLoseNoRow(String before) {
    Transaction tx = owner.begin();
    set(tx, "new");
    lab.store.fate(
        call -> {
          boolean now =
              before.equals("commit")
                  ? call.is(CommitPrimary.INSTANCE)
                  : call.is(Prewrite.INSTANCE) && call.on(row(before));
          if (now) {
            lab.store.heal();
            askByMadeUpNames(tx.timestamp(), "d", "h", "z");
          }
          return Fate.RUN;
        });

    tx.commit();

    assertAll("new");
  }

  @Test
  void aCommitInOnePhaseIsNotKeptOut() {
    inOnePhase();
    Transaction tx = owner.begin();
    tx.set(row("a1"), X, "new");
    tx.set(row("a2"), X, "new");
    lab.store.fate(
        call -> {
          if (call.is(OnePhaseCommit.INSTANCE)) {
            lab.store.heal();
            askByMadeUpNames(tx.timestamp(), "a2", "z");
          }
          return Fate.RUN;
        });

    tx.commit();

    assertThat(Lab.read(stranger, "a1")).contains("new");
    assertThat(Lab.read(stranger, "a2")).contains("new");
  }

  @Test
  void readersLearnNothingFromAMadeUpName() {
    Transaction tx = owner.begin();
    set(tx, "new");
    lab.store.fateOf(CommitRow.INSTANCE, 1, Fate.CRASH);
    Lab.die(tx);
    lab.store.heal();
    lab.kill("owner");

    askByMadeUpNames(tx.timestamp(), "z", "d");

    for (String key : List.of("h", "d", "a")) {
      assertThat(Lab.read(stranger, key)).as(key).contains("new");
    }
  }

  @Test
  void aStartThatNobodyHasIsRefusedAndACellThatIsNotThereTellsNothing() {
    long start = owner.begin().timestamp();
    PrimaryCell primary = new PrimaryCell(row("a"), X.name());
    for (long wrong : new long[] {start + (Timestamp.STEP << 30), start + 1, -1}) {
      assertThatThrownBy(() -> stranger.outcome(new TransactionId(wrong, primary)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    for (Row row : List.of(Row.of("nowhere", "a"), Row.of("~braid", "oracle"))) {
      assertThat(stranger.outcome(new TransactionId(start, new PrimaryCell(row, X.name()))))
          .isInstanceOf(TransactionOutcome.Unknown.class);
    }
    ColumnName nothing = new ColumnName("nothing", Bytes.EMPTY);
    assertThat(stranger.outcome(new TransactionId(start, new PrimaryCell(row("a"), nothing))))
        .isInstanceOf(TransactionOutcome.Unknown.class);
    assertThat(lab.cells()).isEmpty();
  }
}
