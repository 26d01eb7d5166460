package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.die;
import static io.braid.percolator.Lab.read;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.transaction.BlockedByTransactionException;
import io.braid.core.transaction.Transaction;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.Prewrite;
import io.braid.percolator.rows.ResolvePrimary;
import io.braid.percolator.rows.RollbackRow;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Fault 15: who is alive and working is left alone, whatever the clocks say; others are not. */
class LivenessTest {
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

  /** Fault 15. */
  @Test
  void aLiveOwnerIsLeftAloneUntilItsTimeToLiveIsOver() {
    Transaction tx = begun();
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    die(tx);
    lab.store.heal();
    long begun = lab.clocks.nanos;
    assertThat(read(reader, "h")).contains("old");
    assertThat(Duration.ofNanos(lab.clocks.nanos - begun))
        .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(11));
  }

  /** Fault 15: a slow commit whose heartbeat goes on is never cleaned up. */
  @Test
  void theHeartbeatOfASlowOwnerIsRespected() {
    Transaction tx = begun();
    readerSeams.onSleep =
        () -> {
          if (lab.clocks.nanos / 1_000_000_000 % 2 == 0) {
            owner.heartbeat().beat();
          }
        };
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.store.heal();
            lab.clocks.pass(60_000);
            assertThatThrownBy(() -> read(reader, "h"))
                .isInstanceOf(BlockedByTransactionException.class);
          }
          return Fate.RUN;
        });
    tx.commit();
    assertThat(read(reader, "h")).contains("new");
  }

  /** Fault 15: the reader's clock stands an hour ahead, so every lock looks old to it. */
  @Test
  void aClockThatStepsForwardDoesNotCondemnALiveOwner() {
    Transaction tx = begun();
    readerSeams.wallOffsetMillis = 3_600_000;
    readerSeams.onSleep = () -> owner.heartbeat().beat();
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.store.heal();
            lab.clocks.pass(1_500);
            assertThatThrownBy(() -> read(reader, "h"))
                .isInstanceOf(BlockedByTransactionException.class);
          }
          return Fate.RUN;
        });
    tx.commit();
    assertThat(read(reader, "h")).contains("new");
  }

  /** Fault 15: the owner's clock steps back an hour while it commits; its heart still beats. */
  @Test
  void aClockThatStepsBackDoesNotStopTheHeartbeat() {
    Transaction tx = begun();
    readerSeams.onSleep = () -> owner.heartbeat().beat();
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.store.heal();
            ownerSeams.wallOffsetMillis = -3_600_000;
            lab.clocks.pass(1_500);
            assertThatThrownBy(() -> read(reader, "h"))
                .isInstanceOf(BlockedByTransactionException.class);
          }
          return Fate.RUN;
        });
    tx.commit();
  }

  /** Fault 15: the lock comes from a clock an hour ahead; it expires all the same. */
  @Test
  void aLockFromTheFutureExpires() {
    Transaction tx = begun();
    ownerSeams.wallOffsetMillis = 3_600_000;
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    die(tx);
    lab.store.heal();
    assertThat(read(reader, "h")).contains("old");
  }

  /** Fault 15: a lock refreshed between the reader's look and its verdict stays. */
  @Test
  void aVerdictIsVoidWhenTheLockWasRefreshedMeanwhile() {
    Transaction tx = begun();
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.store.heal();
            lab.clocks.pass(20_000);
            refreshBeforeEachVerdict();
            assertThatThrownBy(() -> read(reader, "h"))
                .isInstanceOf(BlockedByTransactionException.class);
            lab.store.heal();
          }
          return Fate.RUN;
        });
    tx.commit();
  }

  private void refreshBeforeEachVerdict() {
    lab.store.fate(
        call -> {
          if (call.argument() instanceof ResolvePrimary.Request request
              && request.rollBackUpTo() != ResolvePrimary.NEVER) {
            owner.heartbeat().beat();
          }
          return Fate.RUN;
        });
  }

  /** Fault 15: a secondary is met while the prewrite of the primary is on its way. */
  @Test
  void aMissingPrimaryOfALiveOwnerIsGivenTime() {
    Transaction tx = begun();
    readerSeams.onSleep =
        () -> {
          lab.store.release();
          throw new Intercepted.Crash();
        };
    lab.store.fate(
        call -> {
          if (call.is(Prewrite.INSTANCE) && call.on(row("a"))) {
            return Fate.HOLD;
          }
          if (call.is(Prewrite.INSTANCE) && call.on(row("h"))) {
            call.run();
            lab.store.heal();
            assertThatThrownBy(() -> read(reader, "h")).isInstanceOf(Intercepted.Crash.class);
          }
          return Fate.RUN;
        });
    tx.commit();
    assertThat(lab.store.count(ResolvePrimary.INSTANCE)).isEqualTo(1);
    assertThat(read(owner, "h")).contains("new");
  }

  /** Fault 15: but not for ever. */
  @Test
  void aMissingPrimaryOfAStuckOwnerIsRolledBack() {
    Transaction tx = begun();
    lab.store.fate(
        call ->
            call.is(Prewrite.INSTANCE) && call.on(row("a")) || call.is(ResolvePrimary.INSTANCE)
                ? Fate.LOSE
                : call.is(RollbackRow.INSTANCE) ? Fate.CRASH : Fate.RUN);
    die(tx);
    lab.store.heal();
    assertThat(read(reader, "h")).contains("old");
    assertThat(lab.cells()).anyMatch(l -> l.startsWith("a") && l.contains("ROLLED_BACK"));
  }
}
