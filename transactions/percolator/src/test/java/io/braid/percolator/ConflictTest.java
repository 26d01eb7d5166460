package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.read;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.core.transaction.Transaction;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.CommitRow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writers that meet the locks of others. */
class ConflictTest {
  private final Lab lab = new Lab(false);
  private final PercolatorTransactions owner = lab.process("owner");

  private Transaction locksStandingIn(String... keys) {
    Transaction tx = owner.begin();
    for (String key : keys) {
      tx.set(row(key), X, "theirs");
    }
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    Lab.die(tx);
    lab.store.heal();
    return tx;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWriterGivesWayToALiveLockAndLeavesNothing(boolean onePhase) {
    Transaction theirs = locksStandingIn("a", "aa", "h");
    List<String> before = lab.cells();
    PercolatorTransactions writer =
        lab.process(lab.seams("writer"), lab.options.onePhase(onePhase));
    Transaction tx = writer.begin();
    tx.set(row("a"), X, "mine");
    tx.set(row("aa"), X, "mine");
    tx.set(row("ab"), X, "mine");
    ConflictException conflict = catchThrowableOfType(ConflictException.class, tx::commit);
    assertThat(conflict.conflicts())
        .containsExactly(
            new Conflict(row("a"), X.name(), Cause.LOCKED, theirs.timestamp()),
            new Conflict(row("aa"), X.name(), Cause.LOCKED, theirs.timestamp()));
    assertThat(lab.cells()).filteredOn(l -> !l.contains("ROLLED_BACK")).isEqualTo(before);
    assertThat(writer.statistics().conflicts()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWriterClearsTheLocksOfTheDeadAway(boolean onePhase) {
    locksStandingIn("a", "aa", "h");
    lab.kill("owner");
    PercolatorTransactions writer =
        lab.process(lab.seams("writer"), lab.options.onePhase(onePhase));
    Lab.write(writer, "mine", "a", "aa");
    assertThat(read(writer, "a")).contains("mine");
    assertThat(read(writer, "h")).isEmpty();
  }

  @Test
  void aWriterThatBeganBeforeTheOtherCommittedConflictsAfterRollingForward() {
    PercolatorTransactions writer = lab.process("writer");
    Transaction tx = writer.begin();
    tx.set(row("h"), X, "mine");
    lab.store.fateOf(CommitRow.INSTANCE, 1, Fate.LOSE);
    long commit = Lab.write(owner, "theirs", "a", "h");
    lab.store.heal();
    ConflictException conflict = catchThrowableOfType(ConflictException.class, tx::commit);
    assertThat(conflict.conflicts())
        .containsExactly(new Conflict(row("h"), X.name(), Cause.NEWER_COMMIT, commit));
    assertThat(read(writer, "h")).contains("theirs");
  }

  @Test
  void aRollbackTakesLargeValuesAlong() {
    locksStandingIn("h");
    Transaction tx = owner.begin();
    tx.set(row("a"), X, "large".repeat(1000));
    tx.set(row("h"), X, "large".repeat(1000));
    assertThat(catchThrowableOfType(ConflictException.class, tx::commit)).isNotNull();
    assertThat(lab.cells()).singleElement().asString().contains("theirs");
  }

  /** Fault 15: a lock that was old when it was met gets two heartbeats' time, no more. */
  @Test
  void anOldLockOfALiveOwnerIsClearedAfterTwoHeartbeats() {
    locksStandingIn("a", "h");
    lab.clocks.pass(Duration.ofHours(1).toMillis());
    long begin = lab.clocks.nanos;
    assertThat(read(lab.process("reader"), "h")).isEmpty();
    assertThat(Duration.ofNanos(lab.clocks.nanos - begin))
        .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(5));
  }
}
