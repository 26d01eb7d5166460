package io.braid.benchmarks.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.omid.OmidOptions;
import io.braid.omid.OmidTransactions;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.TransactionManager;
import io.braid.testkit.CellText;
import io.braid.testkit.CodecCheckingStore;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.hostile.ScriptedStore;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The first Omid, for comparison: the manager writes the entries. */
class LegacyManagerTest {
  private static final String TABLE = "t";
  private static final Column<String> X = Column.of("f", "x", Codecs.utf8());
  private static final String DECIDE = "omid.decide-entry";

  /** The process dies. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1;
  }

  /** Gives out 1, 2, 3 ... times {@link Timestamp#STEP}. */
  private static final class Steps implements TimestampOracle {
    private final AtomicLong issued = new AtomicLong();

    @Override
    public long next(int count) {
      return issued.addAndGet(count * Timestamp.STEP) - (count - 1) * Timestamp.STEP;
    }

    @Override
    public long lastIssued() {
      return issued.get();
    }
  }

  private final Clocks clocks = new Clocks();
  private final Steps oracle = new Steps();
  private final MemoryStore memory =
      new MemoryStore(MemoryOptions.defaults().reach(MemoryStore.Reach.TABLET).splitAt("b", "c"));
  private final ScriptedStore store = new ScriptedStore(new CodecCheckingStore(memory));
  private final OmidTransactions db;

  LegacyManagerTest() {
    clocks.wallMillis = Timestamp.wallMillis(0);
    memory.ensureTable(Families.transactional(TABLE, List.of("f")));
    memory.advanceClock(oracle.next());
    ManualSeams seams = new ManualSeams(clocks, "p");
    db = process(new LegacyManager(conflicts(), store, seams, Durability.BUFFERED), seams);
  }

  private LocalTransactionManager conflicts() {
    return new LocalTransactionManager(oracle, 1024);
  }

  private OmidTransactions process(TransactionManager manager, ManualSeams seams) {
    return new OmidTransactions(store, manager, oracle, seams, OmidOptions.defaults());
  }

  private static Row row(String key) {
    return Row.of(TABLE, key);
  }

  private Transaction prepare(String value, String... keys) {
    Transaction tx = db.begin();
    for (String key : keys) {
      tx.set(row(key), X, value);
    }
    return tx;
  }

  private static Optional<String> read(OmidTransactions transactions, String key) {
    try (Snapshot snapshot = transactions.snapshot()) {
      return snapshot.get(row(key), X);
    }
  }

  private List<String> entries() {
    return CellText.dump(memory, "~commits");
  }

  private List<String> tentative() {
    return CellText.dump(memory, TABLE).stream()
        .filter(line -> line.contains(" ~intent:"))
        .toList();
  }

  @Test
  void theEntryIsThereWhenTheCommitIsAnswered() {
    prepare("1", "a", "b").commit();
    assertThat(entries()).hasSize(1);
    assertThat(tentative()).hasSize(2);
    assertThat(read(db, "b")).contains("1");
  }

  /** No reader makes a writer abort: it needs no entry to know that the writer is not below it. */
  @Test
  void aReaderPassesOverAWriterWithoutAnEntry() {
    Transaction tx = prepare("2", "a");
    try (Snapshot before = db.snapshot()) {
      store.on(DECIDE).before(call -> assertThat(before.get(row("a"), X)).isEmpty());
      tx.commit();
      assertThat(store.waiting()).isEmpty();
      assertThat(before.get(row("a"), X)).isEmpty();
    }
    assertThat(read(db, "a")).contains("2");
  }

  @Test
  void theSecondWriterOfACellIsRefused() {
    try (Transaction one = prepare("1", "a");
        Transaction two = prepare("2", "a")) {
      one.commit();
      assertThatThrownBy(two::commit).isInstanceOf(ConflictException.class);
    }
    assertThat(read(db, "a")).contains("1");
  }

  /** A fence ends a writer whose entry is not written yet; its commit is not answered as done. */
  @Test
  void aWriterThatAFenceWasFasterThanAborts() {
    Transaction tx = prepare("1", "a");
    store.on(DECIDE).before(call -> db.settle(TABLE));
    assertThatThrownBy(tx::commit)
        .isInstanceOfSatisfying(
            ConflictException.class,
            e -> assertThat(e.conflicts().get(0).cause()).isEqualTo(Cause.FENCED));
    assertThat(read(db, "a")).isEmpty();
    assertThat(tentative()).isEmpty();
  }

  /** The answer of the entry is lost: only the entry tells, and it says committed. */
  @Test
  void aLostAnswerIsAskedFor() {
    store.on(DECIDE).number(1).loseAnswer();
    long commit = prepare("1", "a").commit();
    try (Snapshot snapshot = db.snapshot()) {
      assertThat(snapshot.lastChanged(row("a"), X)).hasValue(commit);
    }
  }

  /** Clients of Omid LL read the tentative cells and entries of a process that died. */
  @Test
  void omidLlReadsWhatTheFirstOmidCommittedAndEndsWhatItDidNot() {
    prepare("1", "a", "b").commit();
    Transaction open = prepare("2", "c");
    store
        .on(DECIDE)
        .before(
            call -> {
              throw new Crash();
            });
    assertThatThrownBy(open::commit).isInstanceOf(Crash.class);
    assertThat(tentative()).hasSize(3);
    clocks.alive.remove("p");
    OmidTransactions later = process(conflicts(), new ManualSeams(clocks, "q"));
    assertThat(read(later, "a")).contains("1");
    assertThat(read(later, "b")).contains("1");
    assertThat(read(later, "c")).isEmpty();
    try (Transaction again = later.begin()) {
      again.set(row("c"), X, "3");
      again.commit();
    }
    assertThat(read(later, "c")).contains("3");
  }

  @Test
  void nothingCommitsInOnePhase() {
    LegacyManager manager =
        new LegacyManager(conflicts(), store, new ManualSeams(clocks, "q"), Durability.BUFFERED);
    assertThatThrownBy(
            () ->
                new OmidTransactions(
                    store,
                    manager,
                    oracle,
                    new ManualSeams(clocks, "q"),
                    OmidOptions.defaults().onePhase(true)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
