package io.braid.percolator;

import static io.braid.percolator.Lab.TABLE;
import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.Y;
import static io.braid.percolator.Lab.die;
import static io.braid.percolator.Lab.read;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.CommitRow;
import io.braid.percolator.rows.Heartbeat;
import io.braid.percolator.rows.OnePhaseCommit;
import io.braid.percolator.rows.Prewrite;
import io.braid.percolator.rows.ResolvePrimary;
import io.braid.percolator.rows.SnapshotRead;
import io.braid.testkit.runtime.ManualSeams;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Resolving asks as little as it can, waits where it must, and leaves nothing half done. */
class ResolutionTest {
  private final Lab lab = new Lab(false);
  private final PercolatorTransactions owner = lab.process("owner");
  private final ManualSeams readerSeams = lab.seams("reader");
  private final PercolatorTransactions reader = lab.process(readerSeams);

  private Transaction begun() {
    Lab.write(owner, "old", "a", "d", "h");
    Transaction tx = owner.begin();
    tx.set(row("a"), X, "new");
    tx.set(row("d"), X, "new");
    tx.set(row("h"), X, "new");
    return tx;
  }

  private void dieBeforeTheCommitPoint(Transaction tx) {
    lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    die(tx);
    lab.store.heal();
  }

  /** Fault 15: the prewrite of the primary arrives between the last look and the verdict. */
  @Test
  void aPrimaryThatArrivesBeforeTheVerdictStays() {
    Transaction tx = begun();
    lab.store.fate(
        call -> {
          if (call.is(Prewrite.INSTANCE) && call.on(row("a"))) {
            return Fate.HOLD;
          }
          if (call.is(Prewrite.INSTANCE) && call.on(row("h"))) {
            call.run();
            lab.store.fate(this::releaseBeforeTheVerdict);
            readerSeams.onSleep =
                () -> {
                  if (lab.store.held.isEmpty()) {
                    throw new Intercepted.Crash();
                  }
                };
            assertThatThrownBy(() -> read(reader, "h")).isInstanceOf(Intercepted.Crash.class);
            lab.store.heal();
          }
          return Fate.RUN;
        });
    tx.commit();
    assertThat(read(owner, "h")).contains("new");
  }

  private Fate releaseBeforeTheVerdict(Intercepted.Call<?, ?> call) {
    if (call.argument() instanceof ResolvePrimary.Request request && request.rollBackMissing()) {
      lab.store.release();
    }
    return Fate.RUN;
  }

  @Test
  void whatWasDecidedIsNotAskedForAgain() {
    dieBeforeTheCommitPoint(begun());
    lab.kill("owner");
    for (String key : List.of("h", "d")) {
      assertThat(read(reader, key)).contains("old");
    }
    assertThat(lab.store.count(ResolvePrimary.INSTANCE)).isEqualTo(1);
  }

  @Test
  void aMarkCostsReadersNothing() {
    dieBeforeTheCommitPoint(begun());
    lab.kill("owner");
    assertThat(read(reader, "a")).contains("old");
    assertThat(lab.cells()).anyMatch(line -> line.contains("ROLLED_BACK"));
    PercolatorTransactions other = lab.process("other");
    int trips = lab.store.trips;
    assertThat(read(other, "a")).contains("old");
    assertThat(lab.store.trips - trips).isEqualTo(1);
  }

  /** Fault 8: also by one who has not heard of the new epoch of the table. */
  @Test
  void whoKnowsAnOldEpochResolvesAllTheSame() {
    Transaction tx = begun();
    assertThat(read(reader, "a")).contains("old");
    reader.begin().close();
    dieBeforeTheCommitPoint(tx);
    lab.kill("owner");
    lab.base.raiseEpoch(TABLE, 3);
    assertThat(read(reader, "h")).contains("old");
    assertThat(reader.statistics().waits()).isZero();
    assertThat(lab.cells()).anyMatch(line -> line.contains("ROLLED_BACK"));
  }

  /** Fault 9: a committed value that cannot be rolled forward is waited for, and not for ever. */
  @ParameterizedTest
  @EnumSource(
      value = Fate.class,
      names = {"REFUSE", "LOSE"})
  void aReaderPausesWhileARowCannotBeRolledForward(Fate fate) {
    AtomicInteger attempts = new AtomicInteger();
    Transaction tx = begun();
    lab.store.fate(
        call -> {
          if (attempts.get() > 1000) {
            throw new AssertionError("The reader does not pause.");
          }
          attempts.incrementAndGet();
          return call.is(CommitRow.INSTANCE) ? fate : Fate.RUN;
        });
    tx.commit();
    assertThatThrownBy(() -> read(reader, "h")).isInstanceOf(TabletUnavailableException.class);
    lab.store.heal();
    assertThat(read(reader, "h")).contains("new");
  }

  /** Fault 9: a snapshot right at the commit timestamp shows all of the commit. */
  @Test
  void aSnapshotAtTheCommitTimestampShowsUnfinishedRows() {
    Transaction tx = begun();
    lab.store.fateOf(CommitRow.INSTANCE, 2, Fate.LOSE);
    long commit = tx.commit();
    try (Snapshot at = reader.snapshotAt(commit);
        Snapshot before = reader.snapshotAt(commit - 1)) {
      assertThat(before.get(row("h"), X)).contains("old");
      assertThat(at.get(row("a"), X)).contains("new");
      assertThat(at.get(row("h"), X)).contains("new");
    }
  }

  /** Fault 8: rows whose prewrite was executed but never answered are rolled back too. */
  @Test
  void aFailedCommitCleansUpWhatItWasNotToldOf() {
    Transaction tx = begun();
    lab.store.fate(
        call -> call.is(Prewrite.INSTANCE) && call.on(row("h")) ? Fate.LOSE_ANSWER : Fate.RUN);
    assertThatThrownBy(tx::commit).isInstanceOf(TabletUnavailableException.class);
    lab.store.heal();
    assertThat(lab.cells()).noneMatch(line -> line.contains("intent PUT"));
  }

  /** Fault 8: a table that was dropped and made anew meanwhile lacks a family. */
  @Test
  void aCommitThatMeetsAMissingFamilyHalfWayLeavesNothing() {
    Transaction tx = owner.begin();
    tx.set(row("a"), X, "1");
    tx.set(row("h"), Column.of("g", "x", Codecs.utf8()), "1");
    lab.base.dropTable(TABLE);
    lab.base.ensureTable(Families.transactional(TABLE, List.of("f")));
    assertThatThrownBy(tx::commit).isInstanceOf(UnknownTableException.class);
    assertThat(lab.cells()).noneMatch(line -> line.contains("intent PUT"));
  }

  /** Fault 14: where the first committer was certainly another, nothing more need be asked. */
  @Test
  void aFinalConflictIsReportedThoughTheStoreGoesAway() {
    Lab one = new Lab(true);
    PercolatorTransactions client = one.process("p");
    Transaction tx = client.begin();
    tx.set(row("a"), X, "1");
    AtomicInteger calls = new AtomicInteger();
    one.store.fate(
        call -> {
          if (call.is(OnePhaseCommit.INSTANCE) && calls.getAndIncrement() == 0) {
            one.store.heal();
            Lab.write(one.process("q"), "2", "a");
            one.store.fate(next -> next.is(ResolvePrimary.INSTANCE) ? Fate.LOSE : Fate.RUN);
            return Fate.LOSE;
          }
          return Fate.RUN;
        });
    assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
  }

  @Test
  void aWriterThatMeetsALiveLockGivesWayAtOnce() {
    Transaction tx = begun();
    dieBeforeTheCommitPoint(tx);
    long before = lab.store.count(Prewrite.INSTANCE);
    assertThatThrownBy(() -> Lab.write(reader, "other", "h")).isInstanceOf(ConflictException.class);
    assertThat(lab.store.count(Prewrite.INSTANCE) - before).isEqualTo(1);
  }

  @Test
  void aCommitThatIsSoonOverNeedsNoHeartbeat() {
    Transaction tx = begun();
    lab.store.fate(
        call -> {
          if (call.is(CommitPrimary.INSTANCE)) {
            lab.clocks.pass(lab.options.locks().heartbeat().toMillis() / 2 - 1);
            owner.heartbeat().beat();
            assertThat(lab.store.count(Heartbeat.INSTANCE)).isZero();
            lab.clocks.pass(2);
            owner.heartbeat().beat();
            assertThat(lab.store.count(Heartbeat.INSTANCE)).isEqualTo(1);
          }
          return Fate.RUN;
        });
    tx.commit();
  }

  /** Fault 16: nobody comes to a queue whose duty has ended. */
  @Test
  void aCommitAfterTheEndFinishesItsRowsItself() {
    PercolatorTransactions queueing =
        lab.process(
            lab.seams("queueing"),
            lab.options.duties(new PercolatorOptions.Duties(0, Duration.ofSeconds(30), 100)));
    Transaction tx = queueing.begin();
    tx.set(row("a"), X, "1");
    tx.set(row("h"), X, "1");
    queueing.close();
    tx.commit();
    assertThat(lab.cells()).noneMatch(line -> line.contains("intent"));
  }

  /** Fault 18: a scan shows the columns it names and asks after nothing else. */
  @Test
  void aScanLooksCloserOnlyAtWhatItNames() {
    Lab.write(owner, "old", "a");
    Transaction tx = owner.begin();
    tx.set(row("a"), Y, "named");
    tx.commit();
    Transaction locking = owner.begin();
    locking.lock(row("a"), Y);
    locking.set(row("a"), X, "other");
    locking.set(row("h"), X, "other");
    dieBeforeTheCommitPoint(locking);
    long reads = lab.store.count(SnapshotRead.INSTANCE);
    Column<String> z = Column.of("g", "z", Codecs.utf8());
    Scan named = Scan.of(TABLE).family("g").column(Y);
    try (Snapshot now = reader.snapshot();
        RowCursor cursor = now.scan(named.column(z))) {
      assertThat(cursor.stream().map(RowValues::values).toList())
          .singleElement()
          .satisfies(values -> assertThat(values).containsOnlyKeys(Y.name()));
    }
    assertThat(lab.store.count(SnapshotRead.INSTANCE)).isEqualTo(reads);
  }

  /** Fault 22: rows and scans raise the clock as single reads do. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSnapshotOfRowsStaysAsItIs(boolean scanning) {
    Lab one = new Lab(true);
    PercolatorTransactions client = one.process("p");
    Transaction early = client.begin();
    early.set(row("a"), X, "later");
    try (Snapshot snapshot = client.snapshot()) {
      assertThat(values(snapshot, scanning)).isEmpty();
      assertThat(early.commit()).isGreaterThan(snapshot.timestamp());
      assertThat(values(snapshot, scanning)).isEmpty();
    }
  }

  private static List<RowValues> values(Snapshot snapshot, boolean scanning) {
    if (!scanning) {
      RowValues values = snapshot.getRow(row("a"), "f");
      return values.isEmpty() ? List.of() : List.of(values);
    }
    try (RowCursor cursor = snapshot.scan(Scan.of(TABLE).family("f"))) {
      return cursor.stream().toList();
    }
  }
}
