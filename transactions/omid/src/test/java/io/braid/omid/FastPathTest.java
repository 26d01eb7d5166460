package io.braid.omid;

import static io.braid.omid.Lab.X;
import static io.braid.omid.Lab.Y;
import static io.braid.omid.Lab.row;
import static io.braid.omid.Lab.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.braid.core.data.Row;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.testkit.hostile.Call;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Single-key transactions without the manager (section 4). */
class FastPathTest {
  private static final String FAST = "omid.fast-write";
  private static final Row A = row("a");

  private final Lab lab = new Lab();
  private final OmidTransactions db = lab.process("p");
  private final FastSession fast = db.fast();

  @Test
  void writesAndReadsMeetRegularOnes() {
    assertThat(fast.read(A, X)).isEmpty();
    long version = fast.write(A, X, "1");
    assertThat(fast.read(A, X)).contains("1");
    assertThat(db.snapshot().get(A, X)).contains("1");
    assertThat(fast.readVersion(A, X).version()).isEqualTo(version);
    write(db, "2", "a");
    assertThat(fast.read(A, X)).contains("2");
    db.postCommit().workSome();
    assertThat(fast.read(A, X)).contains("2");
    String large = "z".repeat(4000);
    fast.write(A, X, large);
    assertThat(fast.read(A, X)).contains(large);
    assertThat(db.snapshot().get(A, X)).contains(large);
  }

  @Test
  void aConditionalWriteFailsWhenSomebodyWroteSince() {
    long version = fast.write(A, X, "1");
    long next = fast.writeIf(version, A, X, "2");
    assertThatThrownBy(() -> fast.writeIf(version, A, X, "3"))
        .isInstanceOf(ConflictException.class);
    write(db, "4", "a");
    db.postCommit().workSome();
    assertThatThrownBy(() -> fast.writeIf(next, A, X, "5")).isInstanceOf(ConflictException.class);
    assertThat(fast.read(A, X)).contains("4");
    assertThatThrownBy(() -> fast.writeIf(-1, A, X, "6"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(fast.read(A, X)).contains("4");
  }

  /** Fault 21: a fast write meets a tentative cell: one of the two goes on, not both. */
  @Test
  void aFastWriteGivesWayToATentativeCell() {
    lab.store
        .on("omid.decide-entry")
        .before(
            call ->
                assertThatThrownBy(() -> fast.write(A, X, "fast"))
                    .isInstanceOf(ConflictException.class));
    write(db, "1", "a");
    assertThat(db.snapshot().get(A, X)).contains("1");
  }

  /** Fault 21, figure 3: a fast write after a regular read makes the later regular write abort. */
  @Test
  void aRegularWriteAfterAFastWriteThatItDidNotSeeAborts() {
    fast.write(A, X, "0");
    Transaction tx = db.begin();
    assertThat(tx.get(A, X)).contains("0");
    long version = fast.write(A, X, "1");
    assertThat(version).isGreaterThan(tx.timestamp());
    assertThat(tx.get(A, X)).contains("0");
    tx.set(A, X, "2");
    assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    assertThat(fast.read(A, X)).contains("1");
  }

  /** Fault 22: no version appears below a snapshot that was served, however many there are. */
  @Test
  void snapshotsStayAsTheyWereWhenLocalBitsRunOut() {
    fast.write(A, X, "0");
    try (Snapshot before = db.snapshot()) {
      for (int i = 1; i <= 2 * Timestamp.STEP; i++) {
        fast.write(A, X, String.valueOf(i));
        assertThat(before.get(A, X)).contains("0");
      }
    }
    assertThat(db.snapshot().get(A, X)).contains(String.valueOf(2 * Timestamp.STEP));
  }

  /** Fault 22: nor below a regular commit that has become a record there, whoever knew of it. */
  @Test
  void aFastWriteComesAboveCommitsThatItDidNotKnowOf() {
    FastSession.Request early = fast.request();
    long commit = write(db, "1", "a");
    db.postCommit().workSome();
    assertThat(fast.write(early, RowChange.of(A).set(X, "2"))).isGreaterThan(commit);
    assertThat(fast.read(A, X)).contains("2");
  }

  /** Fault 23: of two fast writes on two tablets no snapshot shows the second without the first. */
  @Test
  void laterWritesOfASessionHaveHigherVersions() {
    long last = 0;
    for (int i = 0; i < 40; i++) {
      long version = fast.write(row(i % 3 == 0 ? "a" : i % 3 == 1 ? "c" : "h"), X, "" + i);
      assertThat(version).isGreaterThan(last);
      last = version;
    }
  }

  /** Fault 13: a fast write whose answer was lost is repeated, and written once. */
  @Test
  void aRepeatedFastWriteIsOneVersion() {
    List<Call<?>> copies = new ArrayList<>();
    lab.store.on(FAST).after(copies::add);
    lab.store.on(FAST).number(1).loseAnswer();
    fast.write(A, X, "1");
    long version = fast.write(A, X, "2");
    copies.forEach(Call::run);
    assertThat(fast.read(A, X)).contains("2");
    assertThat(fast.readVersion(A, X).version()).isEqualTo(version);
  }

  /** Fault 14: without any answer the outcome is unknown, and can be asked for. */
  @Test
  void aFastWriteWithoutAnyAnswerIsUnknown() {
    lab.store.on(FAST).loseAnswer();
    for (int i = 1; i < 6; i++) {
      lab.store.on(FAST).lose();
    }
    assertThatThrownBy(() -> fast.write(A, X, "1"))
        .isInstanceOfSatisfying(
            CommitOutcomeUnknownException.class,
            e -> assertThat(db.outcome(e.id())).isInstanceOf(TransactionOutcome.Committed.class));
  }

  /** Fault 14: a fast write that was refused, or never came, did not happen: nor will it later. */
  @Test
  void aFastWriteThatHasNotWrittenIsToldAsRolledBack() {
    for (boolean arrives : new boolean[] {true, false}) {
      if (arrives) {
        lab.dieBefore("q", "omid.decide-entry", Lab.prepare(lab.process("q"), "q", "a"));
      }
      List<Call<?>> copies = new ArrayList<>();
      for (int i = 0; i < lab.options.retries().storeAttempts(); i++) {
        if (arrives) {
          lab.store.on(FAST).loseAnswer();
        } else {
          lab.store.on(FAST).lose(copies::add);
        }
      }
      TransactionId id = unknown(() -> fast.write(A, X, "1"));
      assertThat(db.outcome(id)).isInstanceOf(TransactionOutcome.RolledBack.class);
      db.sweep().sweep();
      copies.forEach(Call::run);
      assertThat(fast.read(A, X)).isEmpty();
      assertThat(lab.process("r").outcome(TransactionId.parse(id.toString())))
          .isInstanceOf(TransactionOutcome.RolledBack.class);
    }
  }

  /** Fault 14: when its traces may have been collected, nobody can tell, and it is not guessed. */
  @Test
  void aFastWriteOfLongAgoIsUnknown() {
    for (int i = 0; i < lab.options.retries().storeAttempts(); i++) {
      lab.store.on(FAST).lose();
    }
    TransactionId id = unknown(() -> fast.write(A, X, "1"));
    lab.memory.raiseWatermark(lab.oracle.next());
    assertThat(db.outcome(id)).isInstanceOf(TransactionOutcome.Unknown.class);
  }

  private static TransactionId unknown(ThrowingCallable write) {
    return catchThrowableOfType(CommitOutcomeUnknownException.class, write).id();
  }

  /** Fault 24: what a dead client left does not block fast writes for ever. */
  @Test
  void tentativeCellsOfTheDeadAreSweptOutOfTheWay() {
    lab.dieBefore("q", "omid.decide-entry", Lab.prepare(lab.process("q"), "1", "a"));
    assertThatThrownBy(() -> fast.write(A, X, "2")).isInstanceOf(ConflictException.class);
    db.sweep().sweep();
    fast.write(A, X, "3");
    assertThat(fast.read(A, X)).contains("3");
  }

  /** All columns of a row in one trip; a condition holds for each of those that are written. */
  @Test
  void severalColumnsAreReadAndWrittenTogether() {
    long version = fast.write(RowChange.of(A).set(X, "x1").set(Y, "y1"));
    FastSession.Versioned<RowValues> read = fast.readVersion(A, List.of(X, Y));
    assertThat(read.version()).isEqualTo(version);
    assertThat(read.value().get(Y)).contains("y1");
    long next = fast.writeIf(version, RowChange.of(A).set(X, "x2").delete(Y));
    assertThat(fast.read(A, List.of(X, Y)).get(Y)).isEmpty();
    assertThatThrownBy(() -> fast.writeIf(version, RowChange.of(A).set(Y, "y3")))
        .isInstanceOf(ConflictException.class);
    assertThat(db.snapshot().lastChanged(A, Y)).hasValue(next);
  }

  /** What is asked for happens in a regular transaction where the fast path gives way. */
  @Test
  void aSessionMayUseRegularTransactionsInstead() {
    FastSession either = db.fast(FastOptions.DEFAULT.orRegular(true));
    lab.dieBefore("q", "omid.decide-entry", Lab.prepare(lab.process("q"), "1", "a"));
    assertThatThrownBy(() -> fast.write(A, X, "2")).isInstanceOf(ConflictException.class);
    long version = either.write(A, X, "2");
    assertThat(db.snapshot().get(A, X)).contains("2");
    either.write(row("b"), X, "1");
    assertThatThrownBy(() -> either.writeIf(version - 1, A, X, "3"))
        .isInstanceOf(ConflictException.class);
    assertThat(either.writeIf(version, A, X, "4")).isGreaterThan(version);
  }

  /** A write under a name is one write, whoever repeats it (Fault 58), and whatever came since. */
  @Test
  void aRepeatedRequestAnswersWhatTheFirstOneDid() {
    FastSession.Request request = fast.request();
    long version = fast.write(request, RowChange.of(A).set(X, "1"));
    fast.write(A, X, "2");
    FastSession other = lab.process("q").fast();
    assertThat(other.write(request, RowChange.of(A).set(X, "1"))).isEqualTo(version);
    assertThat(fast.read(A, X)).contains("2");
  }

  /** Fault 58: what is written under a name that another write has is not taken for that. */
  @Test
  void anotherWriteUnderTheSameNameIsDone() {
    FastSession.Request request = fast.request();
    long first = fast.write(request, RowChange.of(A).set(X, "1"));
    long second = fast.write(request, RowChange.of(A).set(X, "2"));
    assertThat(second).isGreaterThan(first);
    assertThat(fast.read(A, X)).contains("2");
    assertThat(fast.write(request, RowChange.of(A).set(X, "1"))).isEqualTo(first);
    assertThat(fast.write(request, RowChange.of(A).delete(X))).isGreaterThan(second);
    assertThat(fast.read(A, X)).isEmpty();
  }

  /**
   * Fault 26: what an earlier run wrote may have been collected. So a late one is not done, and
   * nobody is told that it is rolled back: it may have committed.
   */
  @Test
  void aNamedWriteBelowTheWatermarkIsUnknown() {
    FastSession.Request request = fast.request();
    lab.memory.raiseWatermark(lab.oracle.next());
    assertThatThrownBy(() -> fast.write(request, RowChange.of(A).set(X, "1")))
        .isInstanceOf(CommitOutcomeUnknownException.class);
    assertThat(fast.read(A, X)).isEmpty();
  }

  /** Fault 23: a session that goes on elsewhere writes above what it wrote before. */
  @Test
  void aSessionThatGoesOnElsewhereStaysAboveWhatItWrote() {
    long version = fast.write(A, X, "1");
    long later = version + 5;
    FastSession elsewhere = lab.process("q").fast(FastOptions.DEFAULT.after(later));
    assertThat(elsewhere.write(row("h"), X, "2")).isGreaterThan(later);
  }

  /** A session sees commits of its own process before their post-commit, and passes over others. */
  @Test
  void readsSeeCommitsOfTheirOwnProcessAtOnce() {
    OmidTransactions other = lab.process("q");
    write(db, "1", "a");
    assertThat(fast.read(A, X)).contains("1");
    assertThat(other.fast().read(A, X)).isEmpty();
    assertThat(other.snapshot().get(A, X)).contains("1");
  }

  /** Fault 14: a refusal that leaves no doubt is reported as one, though an answer was lost. */
  @Test
  void aRefusalAfterALostAnswerIsCertain() {
    lab.dieBefore("q", "omid.decide-entry", Lab.prepare(lab.process("q"), "1", "a"));
    lab.store.on(FAST).loseAnswer();
    assertThatThrownBy(() -> fast.write(A, X, "2")).isInstanceOf(ConflictException.class);
  }

  /** An index that comes while a write is prepared is not missed. */
  @Test
  void anIndexThatComesMeanwhileIsNotPassedOver() {
    boolean[] indexed = new boolean[1];
    db.indexedBy(
        table -> {
          boolean before = indexed[0];
          if (!before) {
            indexed[0] = true;
            lab.memory.raiseEpoch(Lab.TABLE, lab.memory.epoch(Lab.TABLE) + 1);
            db.learn(Lab.TABLE);
          }
          return before;
        },
        (table, column) -> false);
    db.begin().close();
    fast.write(A, X, "1");
    assertThat(lab.store.calls("omid.write-tentative")).isEqualTo(1);
    assertThat(db.snapshot().get(A, X)).contains("1");
  }
}
