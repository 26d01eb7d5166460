package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.Y;
import static io.braid.percolator.Lab.die;
import static io.braid.percolator.Lab.read;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.store.Durability;
import io.braid.core.store.RowWrite;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.CommitRow;
import io.braid.percolator.rows.Prewrite;
import io.braid.percolator.rows.ResolvePrimary;
import io.braid.percolator.rows.RollbackRow;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to the intents that somebody left behind, and to somebody who is still there. */
class CleanupFaultsTest {
  private final Lab lab = new Lab(false);
  private final ManualSeams ownerSeams = lab.seams("owner");
  private final PercolatorTransactions owner = lab.process(ownerSeams);
  private final ManualSeams readerSeams = lab.seams("reader");
  private final PercolatorTransactions reader = lab.process(readerSeams);

  /** A transaction over three rows, with its primary in {@code a}, over older values. */
  private Transaction begun() {
    Lab.write(owner, "old", "a", "d", "h");
    Transaction tx = owner.begin();
    tx.set(row("a"), X, "new");
    tx.set(row("d"), X, "new");
    tx.set(row("h"), X, "new");
    return tx;
  }

  /** Fault 8. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void afterACrashAmongThePrewritesReadersRollBack(int done) {
    Transaction tx = begun();
    lab.store.fate(
        call ->
            call.is(Prewrite.INSTANCE) && lab.store.count(Prewrite.INSTANCE) == 3 + done + 1
                    || call.is(CommitPrimary.INSTANCE)
                ? Fate.CRASH
                : Fate.RUN);
    die(tx);
    lab.store.heal();
    lab.kill("owner");
    for (String key : List.of("h", "a", "d")) {
      assertThat(read(reader, key)).contains("old");
    }
    assertThat(lab.cells()).noneMatch(line -> line.contains("intent PUT"));
    assertThat(reader.statistics().waits()).isZero();
  }

  /** Fault 9. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "d", "h"})
  void afterACrashBehindTheCommitPointWhoeverComesFirstRollsForward(String first) {
    Transaction tx = begun();
    lab.store.fateOf(CommitRow.INSTANCE, 1, Fate.CRASH);
    die(tx);
    lab.store.heal();
    lab.kill("owner");
    assertThat(read(reader, first)).contains("new");
    for (String key : List.of("a", "d", "h")) {
      assertThat(read(reader, key)).contains("new");
    }
    assertThat(lab.cells()).noneMatch(line -> line.contains("intent"));
  }

  /** Fault 9: the owner lives and is only slow with its secondaries; nobody waits for it. */
  @Test
  void secondariesOfALiveOwnerAreRolledForwardAtOnce() {
    Transaction tx = begun();
    lab.store.fateOf(CommitRow.INSTANCE, 2, Fate.HOLD);
    tx.commit();
    assertThat(read(reader, "h")).contains("new");
    assertThat(reader.statistics().waits()).isZero();
    lab.store.release();
    assertThat(read(reader, "d")).contains("new");
  }

  /** Fault 9: a writer rolls forward as well, and conflicts only if the commit is newer. */
  @Test
  void aWriterRollsForwardWhatCommittedBeforeItBegan() {
    Transaction tx = begun();
    lab.store.fateOf(CommitRow.INSTANCE, 2, Fate.LOSE);
    tx.commit();
    Lab.write(reader, "newest", "h");
    assertThat(read(reader, "h")).contains("newest");
    assertThat(reader.statistics().rolledForward()).isEqualTo(1);
  }

  /** Fault 9: nobody reads the cell, its owner lives, and says that it was written just now. */
  @Test
  void whoEndsTheTransactionsOfATableRollsForwardWhateverTheirAge() {
    ownerSeams.wallOffsetMillis = Duration.ofHours(1).toMillis();
    Transaction tx = begun();
    lab.store.fateOf(CommitRow.INSTANCE, 2, Fate.LOSE);
    tx.commit();
    assertThat(lab.cells()).anyMatch(line -> line.contains("intent"));
    reader.end(row("h").table(), Timestamp.MAX);
    assertThat(lab.cells()).noneMatch(line -> line.contains("intent"));
  }

  /** Fault 10: the cleanup comes first. */
  @Test
  void aCommitThatComesAfterTheCleanupIsRefused() {
    Transaction tx = begun();
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.kill("owner");
            assertThat(read(reader, "h")).contains("old");
          }
          return Fate.RUN;
        });
    ConflictException conflict = catchThrowableOfType(ConflictException.class, tx::commit);
    assertThat(conflict.conflicts()).extracting("cause").containsExactly(Cause.ROLLED_BACK);
    for (String key : List.of("a", "d", "h")) {
      assertThat(read(reader, key)).contains("old");
    }
  }

  /** Fault 10: the commit comes first, though the reader has judged the owner dead by then. */
  @Test
  void aCleanupThatComesAfterTheCommitRollsForward() {
    Transaction tx = begun();
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.kill("owner");
            lab.store.fate(
                asked -> {
                  if (asked.is(ResolvePrimary.INSTANCE)) {
                    call.run();
                  }
                  return Fate.RUN;
                });
            assertThat(read(reader, "h")).contains("new");
          }
          return Fate.RUN;
        });
    tx.commit();
    for (String key : List.of("a", "d", "h")) {
      assertThat(read(reader, key)).contains("new");
    }
  }

  /** Fault 11. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "h"})
  void aPrewriteThatArrivesAfterTheRollbackDoesNoHarm(String held) {
    Transaction tx = begun();
    lab.store.fate(call -> call.is(Prewrite.INSTANCE) && call.on(row(held)) ? Fate.HOLD : Fate.RUN);
    assertThatThrownBy(tx::commit).isInstanceOf(TabletUnavailableException.class);
    lab.store.heal();
    List<String> before = lab.cells();
    lab.store.release();
    if (held.equals("a")) {
      assertThat(lab.cells()).isEqualTo(before);
    }
    for (String key : List.of("a", "d", "h")) {
      assertThat(read(reader, key)).contains("old");
    }
    assertThat(reader.statistics().waits()).isZero();
    assertThat(lab.cells()).noneMatch(line -> line.contains("intent PUT"));
  }

  /**
   * Fault 11: the mark stands with the intents, so another commit at its timestamp is no matter.
   */
  @Test
  void aRollbackMarkNeverHidesARecord() {
    Transaction tx = begun();
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    die(tx);
    lab.store.heal();
    lab.kill("owner");
    assertThat(read(reader, "a")).contains("old");
    assertThat(lab.cells())
        .anyMatch(line -> line.startsWith("a") && line.contains("intent ROLLED_BACK"));
    Lab.write(reader, "later", "a");
    assertThat(read(reader, "a")).contains("later");
    try (Snapshot past = reader.snapshotAt(tx.timestamp())) {
      assertThat(past.get(row("a"), X)).contains("old");
    }
  }

  /** Fault 11: a rolled-back one-phase commit leaves a mark that a late copy runs into. */
  @Test
  void askingForTheOutcomeOfWhatNeverArrivedKeepsItFromArriving() {
    Lab one = new Lab(true);
    PercolatorTransactions client = one.process("p");
    Transaction tx = client.begin();
    tx.set(row("a"), X, "1");
    one.store.fate(call -> Fate.HOLD);
    assertThatThrownBy(tx::commit).hasMessageContaining("unknown");
    one.store.heal();
    assertThat(client.outcome(tx.id().orElseThrow()))
        .isEqualTo(new TransactionOutcome.RolledBack());
    one.store.release();
    assertThat(read(client, "a")).isEmpty();
    assertThat(client.outcome(tx.id().orElseThrow()))
        .isEqualTo(new TransactionOutcome.RolledBack());
  }

  /** Fault 12. */
  @Test
  void aPrimaryThatIsInsertedAndDeletedDecides() {
    Transaction tx = owner.begin();
    tx.set(row("a"), X, "1");
    tx.delete(row("a"), X);
    tx.set(row("h"), X, "1");
    lab.store.fateOf(CommitRow.INSTANCE, 1, Fate.CRASH);
    die(tx);
    lab.store.heal();
    lab.kill("owner");
    assertThat(read(reader, "h")).contains("1");
    assertThat(read(reader, "a")).isEmpty();
  }

  /** Fault 12. */
  @ParameterizedTest
  @EnumSource(
      value = Fate.class,
      names = {"CRASH", "CRASH_AFTER"})
  void aPrimaryThatIsOnlyLockedDecides(Fate fate) {
    Transaction tx = owner.begin();
    tx.lock(row("a"), X);
    tx.set(row("h"), X, "1");
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, fate);
    die(tx);
    lab.store.heal();
    lab.kill("owner");
    assertThat(read(reader, "h").isPresent()).isEqualTo(fate == Fate.CRASH_AFTER);
  }

  /** Fault 16. */
  @Test
  void theSweepFindsOrphanedLocksThatNobodyReads() {
    Transaction tx = begun();
    tx.set(row("c"), Y, "new");
    lab.store.fateOf(CommitRow.INSTANCE, 1, Fate.CRASH);
    die(tx);
    Transaction other = owner.begin();
    other.set(row("b"), X, "1");
    other.set(row("e"), X, "1");
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    die(other);
    lab.store.heal();
    reader.sweep().sweep(0);
    assertThat(lab.cells()).filteredOn(l -> l.contains("intent PUT")).hasSize(5);
    lab.kill("owner");
    reader.sweep().sweep(0);
    assertThat(lab.cells()).noneMatch(line -> line.contains("intent PUT"));
    assertThat(read(reader, "d")).contains("new");
    assertThat(read(reader, "e")).isEmpty();
  }

  /** Fault 16: an intent of another protocol, in front of them, is passed over. */
  @Test
  void theSweepGetsPastIntentsOfOtherProtocols() {
    Transaction tx = begun();
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    die(tx);
    lab.store.heal();
    lab.kill("owner");
    Intent foreign =
        new Intent(
            Intent.Kind.PUT,
            new DecisionPoint.CommitEntry("~commits", Bytes.of("1")),
            "owner",
            0,
            Bytes.of("1"));
    Cell tentative = new Cell(Families.intent(X.name()), 1, foreign.encode());
    lab.base.write(List.of(RowWrite.put(row("A"), tentative)), Durability.BUFFERED);
    reader.sweep().sweep(0);
    RowWrite settled = RowWrite.remove(row("A"), tentative.column(), tentative.version());
    lab.base.write(List.of(settled), Durability.BUFFERED);
    assertThat(lab.cells()).noneMatch(line -> line.contains("intent PUT"));
  }

  /** Fault 18: intents above the snapshot, and locks that change no value, stop nobody. */
  @Test
  void aReaderPassesIntentsThatCannotConcernIt() {
    Lab.write(owner, "old", "a", "d", "h");
    Snapshot before = reader.snapshot();
    Transaction locks = owner.begin();
    locks.lock(row("a"), X);
    locks.set(row("d"), X, "new");
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.store.heal();
            assertThat(before.get(row("d"), X)).contains("old");
            assertThat(read(reader, "a")).contains("old");
          }
          return Fate.RUN;
        });
    locks.commit();
    assertThat(lab.store.count(ResolvePrimary.INSTANCE)).isZero();
    assertThat(reader.statistics().waits()).isZero();
  }

  /** Fault 18: what is known not to concern the snapshot is passed even if it cannot be removed. */
  @Test
  void aReaderPassesRolledBackIntentsThatItCannotRemove() {
    Transaction tx = begun();
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    die(tx);
    lab.kill("owner");
    lab.store.fateOf(RollbackRow.INSTANCE, Integer.MAX_VALUE, Fate.REFUSE);
    assertThat(read(reader, "h")).contains("old");
    assertThat(reader.statistics().waits()).isZero();
  }

  /** Fault 18. */
  @Test
  void aReaderWaitsForALiveWriterAndThenSeesItsCommit() {
    Transaction tx = begun();
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.store.heal();
            readerSeams.onSleep =
                () -> {
                  readerSeams.onSleep = () -> {};
                  call.run();
                };
            // The snapshot is newer than the commit timestamp that the writer has drawn.
            assertThat(read(reader, "h")).contains("new");
          }
          return Fate.RUN;
        });
    tx.commit();
    assertThat(reader.statistics().waits()).isEqualTo(1);
  }
}
