package io.braid.percolator;

import static io.braid.percolator.Lab.X;
import static io.braid.percolator.Lab.Y;
import static io.braid.percolator.Lab.read;
import static io.braid.percolator.Lab.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.BlockedByTransactionException;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.percolator.Intercepted.Fate;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.CommitRow;
import io.braid.percolator.rows.EndWriting;
import io.braid.percolator.rows.Heartbeat;
import io.braid.percolator.rows.Prewrite;
import io.braid.percolator.rows.ResolvePrimary;
import io.braid.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions that outgrow their memory and write their intents before they commit. */
class StreamedTest {
  /** No memory at all: every write goes to the store at once. */
  private static final Limits NONE = new Limits(4096, 1 << 20, 1, 1 << 30);

  private final Lab lab = lab(NONE);
  private final PercolatorTransactions transactions = lab.process("p");
  private final PercolatorTransactions other = lab.process("q");

  private static Lab lab(Limits limits) {
    return new Lab(
        PercolatorOptions.defaults()
            .limits(limits)
            .smallValueBytes(8)
            .readWait(Duration.ZERO)
            .duties(new PercolatorOptions.Duties(0, Duration.ofSeconds(30), 0)));
  }

  private Transaction begun(String value, String... keys) {
    Transaction tx = transactions.begin();
    for (String key : keys) {
      tx.set(row(key), X, value);
    }
    return tx;
  }

  @Test
  void whatMemoryCannotHoldIsWrittenEarlyAndCommittedTogether() {
    Lab roomy = lab(new Limits(4096, 1 << 20, 20_000, 1 << 30));
    PercolatorTransactions process = roomy.process("p");
    Transaction tx = process.begin();
    String value = "v".repeat(100);
    for (int i = 0; i < 1000; i++) {
      tx.set(row("k" + i), X, value);
      if (i % 100 == 99) {
        assertThat(tx.get(row("k" + i / 2), X)).contains(value);
      }
    }
    long before = roomy.store.count(Prewrite.INSTANCE);
    assertThat(before).isGreaterThan(900);
    assertThat(read(roomy.process("q"), "k7")).isEmpty();
    long commit = tx.commit();
    try (Snapshot snapshot = process.snapshot()) {
      for (int i = 0; i < 1000; i++) {
        assertThat(snapshot.lastChanged(row("k" + i), X)).hasValue(commit);
      }
    }
    assertThat(roomy.cells()).noneMatch(cell -> cell.contains(": intent"));
    Transaction tooLarge = lab(new Limits(4096, 1 << 20, 1, 250)).process("p").begin();
    tooLarge.set(row("a"), X, value);
    tooLarge.set(row("b"), X, value);
    assertThatThrownBy(() -> tooLarge.set(row("c"), X, value)).hasMessageContaining("limit of 250");
  }

  /** Observers are told of each change, early or late, strong or weak, and of none that is not. */
  @Test
  void observersAreToldOfEveryChangeThatStreamed() {
    Set<String> told = new TreeSet<>();
    long[] committed = new long[1];
    transactions.observedBy(
        new ChangeSink() {
          @Override
          public boolean isObserved(String table, ColumnName column) {
            return column.equals(X.name());
          }

          @Override
          public void changed(Row row, ColumnName column, long start, long commit) {
            committed[0] = commit;
            told.add(row.key().toUtf8() + " " + column.qualifier().toUtf8());
          }
        });
    begun("never", "z1", "z2").rollback();
    Transaction unseen = transactions.begin();
    unseen.set(row("y1"), Y, "not observed");
    unseen.set(row("y2"), Y, "not observed");
    unseen.commit();
    assertThat(told).isEmpty();

    Transaction tx = begun("v", "a", "d", "e");
    tx.notifyWeakly(row("w"), Y);
    tx.set(row("h"), X, "v");
    tx.set(row("h"), Y, "v");
    long commit = tx.commit();

    assertThat(told).containsExactly("a x", "d x", "e x", "h x", "w y");
    assertThat(committed[0]).isEqualTo(commit);
  }

  /** The same program, with memory and without, does the same. */
  @Test
  void whoeverReadsItsOwnWritesCannotTellWhereTheyStand() {
    Seeds.each(60, seed -> assertThat(run(NONE, seed)).isEqualTo(run(Limits.DEFAULT, seed)));
  }

  private static List<String> run(Limits limits, long seed) {
    Random random = new Random(seed);
    PercolatorTransactions process = lab(limits).process("p");
    process.run(
        tx -> {
          for (int i = 0; i < 6; i++) {
            tx.set(row("" + random.nextInt(8)), random.nextBoolean() ? X : Y, "old");
          }
          return tx;
        });
    List<String> seen = new ArrayList<>();
    Transaction tx = process.begin();
    RowCursor open = tx.scan(Scan.of(Lab.TABLE).family("f"));
    boolean more = true;
    for (int i = 0; i < 40; i++) {
      step(tx, random, i, seen);
      if (random.nextInt(4) == 0 && more) {
        more = open.hasNext();
        seen.add("open " + (more ? text(open.next()) : "ended"));
      }
    }
    tx.commit();
    try (Snapshot after = process.snapshot()) {
      scan(after, seen);
    }
    return seen;
  }

  private static void step(Transaction tx, Random random, int i, List<String> seen) {
    String key = "" + random.nextInt(8);
    Column<String> column = random.nextBoolean() ? X : Y;
    switch (random.nextInt(9)) {
      case 0, 1 -> tx.set(row(key), column, "v" + i);
      case 2 -> tx.set(row(key), column, "a large value, of number " + i);
      case 3 -> tx.delete(row(key), column);
      case 4 -> tx.lock(row(key), column);
      case 5 -> seen.add("get " + tx.get(row(key), column));
      case 6 -> seen.add("row " + text(tx.getRow(row(key), "f")));
      case 7 ->
          seen.add(
              "all "
                  + text(
                      Objects.requireNonNull(
                          tx.getAll(List.of(row(key), row("3")), List.of(X, Y)).get(row(key)))));
      default -> scan(tx, seen);
    }
  }

  private static void scan(Snapshot snapshot, List<String> seen) {
    try (RowCursor cursor = snapshot.scan(Scan.of(Lab.TABLE).family("f").limit(5))) {
      while (cursor.hasNext()) {
        seen.add("scan " + text(cursor.next()));
      }
    }
  }

  private static String text(RowValues row) {
    Map<String, String> values = new TreeMap<>();
    row.values().forEach((column, value) -> values.put(column.toString(), value.toUtf8()));
    return row.row() + " " + values;
  }

  /**
   * Fault 18: it draws its commit timestamp when it has written all, above every snapshot of now.
   */
  @Test
  void nobodyWaitsForOneThatIsStillWriting() {
    Lab.write(other, "old", "a", "h");
    Transaction tx = begun("new", "a", "h");
    try (Snapshot snapshot = other.snapshot()) {
      assertThat(snapshot.get(row("a"), X)).contains("old");
      assertThat(snapshot.get(row("h"), X)).contains("old");
      assertThat(snapshot.getRow(row("a"), "f").get(X)).contains("old");
      tx.commit();
      assertThat(snapshot.get(row("a"), X)).contains("old");
    }
    assertThat(read(other, "a")).contains("new");
  }

  /** Fault 1: a snapshot drawn after the commit timestamp must not go past the intents. */
  @Test
  void oneThatHasWrittenAllIsWaitedFor() {
    Lab.write(other, "old", "a", "h");
    Transaction tx = begun("new", "a", "h");
    try (Snapshot early = other.snapshot()) {
      assertThat(early.get(row("h"), X)).contains("old");
      lab.store.fate(
          call -> {
            if (call.is(CommitPrimary.INSTANCE)) {
              lab.store.heal();
              assertThatThrownBy(() -> read(other, "h"))
                  .isInstanceOf(BlockedByTransactionException.class);
              assertThat(early.get(row("a"), X)).contains("old");
            }
            return Fate.RUN;
          });
      tx.commit();
    }
    assertThat(read(other, "h")).contains("new");
  }

  /** Fault 13: what a store resends comes late, after the cell was written anew. */
  @Test
  void aLateCallOfAnEarlierRoundBringsNothingBack() {
    lab.store.fate(
        call ->
            call.is(Prewrite.INSTANCE) && call.on(row("b")) && lab.store.held.isEmpty()
                ? Fate.HOLD
                : Fate.RUN);
    Transaction tx = begun("first", "a", "b");
    tx.set(row("b"), X, "a second one that is large");
    lab.store.release();
    assertThat(tx.get(row("b"), X)).contains("a second one that is large");
    tx.set(row("b"), X, "third");
    tx.commit();
    assertThat(read(other, "b")).contains("third");
    assertThat(lab.cells()).noneMatch(cell -> cell.contains("f~large"));
  }

  /** Faults 11, 13: the answers of all calls are lost once, and all come again at the end. */
  @Test
  void everyCallMayComeTwice() {
    List<Intercepted.Call<?, ?>> again = new ArrayList<>();
    lab.store.fate(
        call -> {
          again.add(call);
          return again.size() % 2 == 1 ? Fate.LOSE_ANSWER : Fate.RUN;
        });
    Transaction tx = begun("1", "a", "b", "h");
    tx.set(row("b"), X, "2");
    tx.delete(row("h"), X);
    tx.set(row("a"), X, "3");
    long commit = tx.commit();
    lab.store.heal();
    List<String> cells = lab.cells();
    again.forEach(Intercepted.Call::run);
    assertThat(lab.cells()).isEqualTo(cells);
    assertThat(transactions.outcome(tx.id().orElseThrow()))
        .isEqualTo(new TransactionOutcome.Committed(commit));
    assertThat(read(other, "a")).contains("3");
    assertThat(read(other, "b")).contains("2");
    assertThat(read(other, "h")).isEmpty();
  }

  enum Death {
    WHILE_WRITING,
    BEFORE_ALL_IS_SAID_TO_BE_WRITTEN,
    BEFORE_THE_COMMIT_POINT,
    AFTER_THE_COMMIT_POINT
  }

  /** Faults 8, 9, 16: others find out at the primary, and a sweep cleans up what nobody reads. */
  @ParameterizedTest
  @EnumSource(Death.class)
  void aDeadOneIsRolledBackOrForwardAsAWhole(Death death) {
    Lab.write(other, "old", "a", "b", "h");
    Transaction tx = begun("new", "a", "b", "h");
    if (death == Death.BEFORE_ALL_IS_SAID_TO_BE_WRITTEN) {
      lab.store.fateOf(EndWriting.INSTANCE, 1, Fate.CRASH);
    } else if (death == Death.BEFORE_THE_COMMIT_POINT) {
      lab.store.fateOf(CommitPrimary.INSTANCE, 1, Fate.CRASH);
    } else if (death == Death.AFTER_THE_COMMIT_POINT) {
      lab.store.fateOf(CommitRow.INSTANCE, 1, Fate.CRASH);
    }
    if (death != Death.WHILE_WRITING) {
      Lab.die(tx);
    }
    lab.store.heal();
    lab.kill("p");
    String expected = death == Death.AFTER_THE_COMMIT_POINT ? "new" : "old";
    assertThat(read(other, "h")).contains(expected);
    other.sweep().sweep(0);
    assertThat(lab.cells()).noneMatch(cell -> cell.contains(": intent PUT"));
    for (String key : List.of("a", "b", "h")) {
      assertThat(read(other, key)).contains(expected);
    }
  }

  /** Faults 10, 14: rolled back by others while it writes; it must notice, and never commit. */
  @Test
  void oneThatWasRolledBackReadsNothingAsIfItHadNotWritten() {
    Lab.write(other, "old", "a", "h");
    Transaction tx = begun("new", "a", "h");
    lab.kill("p");
    assertThat(read(other, "h")).contains("old");
    assertThatThrownBy(() -> tx.get(row("h"), X)).isInstanceOf(ConflictException.class);
    assertThatThrownBy(tx::commit).isInstanceOf(IllegalStateException.class);
    Transaction second = begun("new", "a", "h");
    assertThat(read(other, "h")).contains("old");
    assertThatThrownBy(() -> second.set(row("c"), X, "new")).isInstanceOf(ConflictException.class);
    Transaction third = begun("new", "a", "h");
    assertThat(read(other, "h")).contains("old");
    assertThatThrownBy(third::commit).isInstanceOf(ConflictException.class);
    assertThat(read(other, "a")).contains("old");
  }

  @Test
  void aRollbackLeavesAMarkAndNothingElse() {
    Transaction tx = begun("new", "a", "b", "h");
    tx.rollback();
    assertThat(lab.cells()).hasSize(1).allMatch(cell -> cell.contains("ROLLED_BACK"));
    assertThat(read(other, "a")).isEmpty();
  }

  @Test
  void aConflictEndsItAtTheWriteThatMetIt() {
    Transaction tx = transactions.begin();
    tx.set(row("a"), X, "new");
    Lab.write(other, "other", "h");
    assertThatThrownBy(() -> tx.set(row("h"), X, "new")).isInstanceOf(ConflictException.class);
    assertThat(read(other, "a")).isEmpty();
    assertThat(lab.cells()).filteredOn(cell -> cell.contains(": intent")).hasSize(1);
    List<String> bodies = new ArrayList<>();
    transactions.run(
        again -> {
          bodies.add("run");
          again.set(row("a"), X, "new");
          if (bodies.size() == 1) {
            Lab.write(other, "another", "h");
          }
          again.set(row("h"), X, "new");
          return again;
        });
    assertThat(bodies).hasSize(2);
    assertThat(read(other, "h")).contains("new");
  }

  /** Fault 16: what cannot even be planned must not leave what was written before. */
  @Test
  void oneThatCannotGoOnLeavesNothingInTheWay() {
    Transaction tx = begun("new", "a");
    lab.base.ensureTable(Families.transactional("late", List.of("f")));
    lab.base.raiseEpoch("late", 7);
    assertThatThrownBy(() -> tx.set(Row.of("late", "k"), X, "new"))
        .isInstanceOf(ConflictException.class);
    requireGivenUp(lab, transactions);
    Lab some = lab(new Limits(4096, 1 << 20, 300, 1 << 30));
    PercolatorTransactions process = some.process("p");
    Transaction last = process.begin();
    for (String key : List.of("a", "b", "c")) {
      last.set(row(key), X, "new");
    }
    assertThat(some.store.count(Prewrite.INSTANCE)).isPositive();
    process.observedBy(
        new ChangeSink() {
          @Override
          public boolean isObserved(String table, ColumnName column) {
            throw new IllegalStateException("planted");
          }

          @Override
          public void changed(Row row, ColumnName column, long start, long commit) {}
        });
    assertThatThrownBy(last::commit).hasMessage("planted");
    requireGivenUp(some, process);
  }

  @Test
  void whoLooksAtOneSeesTheFirstOfItsCells() {
    Lab roomy = lab(new Limits(4096, 1 << 20, 200_000, 1 << 30));
    PercolatorTransactions process = roomy.process("p");
    Transaction tx = process.begin();
    for (int i = 0; i < 1500; i++) {
      tx.set(row("k" + i), X, "v");
    }
    TransactionTraces traces = process.traces(tx.timestamp());
    assertThat(traces.state()).isEqualTo(TransactionTraces.State.UNDECIDED);
    assertThat(traces.cells()).hasSize(1000);
    assertThat(traces.more()).isTrue();
    tx.rollback();
    assertThat(process.traces(tx.timestamp()).more()).isFalse();
  }

  private static void requireGivenUp(Lab lab, PercolatorTransactions process) {
    process.finish().finishSome();
    assertThat(lab.cells()).noneMatch(cell -> cell.contains(": intent PUT"));
    lab.clocks.pass(5000);
    long before = lab.store.count(Heartbeat.INSTANCE);
    process.heartbeat().beat();
    assertThat(lab.store.count(Heartbeat.INSTANCE)).isEqualTo(before);
  }

  /** Fault 14. */
  @Test
  void aLostAnswerAtTheCommitPointIsUnknownAndCanBeAskedFor() {
    Transaction tx = begun("new", "a", "h");
    lab.store.fate(
        call ->
            call.is(CommitPrimary.INSTANCE)
                ? Fate.LOSE_ANSWER
                : call.is(ResolvePrimary.INSTANCE) ? Fate.LOSE : Fate.RUN);
    assertThatThrownBy(tx::commit).isInstanceOf(CommitOutcomeUnknownException.class);
    lab.store.heal();
    assertThat(other.outcome(tx.id().orElseThrow()))
        .isInstanceOf(TransactionOutcome.Committed.class);
    assertThat(read(other, "h")).contains("new");
  }

  /** Fault 15: the primary is kept fresh for as long as it writes. */
  @Test
  void itsPrimaryIsKeptFreshWhileItWrites() {
    Transaction tx = begun("new", "a", "h");
    for (int i = 0; i < 20; i++) {
      lab.clocks.nanos += Duration.ofSeconds(2).toNanos();
      lab.clocks.wallMillis += 2000;
      transactions.heartbeat().beat();
      assertThat(read(other, "h")).isEmpty();
    }
    tx.commit();
    assertThat(read(other, "h")).contains("new");
  }

  @Test
  void weakNotificationsGoWithIt() {
    Column<String> weak = Column.of("f", "w", Codecs.utf8());
    Transaction tx = begun("new", "a");
    tx.notifyWeakly(row("c"), weak);
    tx.notifyWeakly(row("h"), weak);
    assertThat(lab.cells()).filteredOn(cell -> cell.contains("WEAK_PENDING")).hasSize(2);
    tx.commit();
    assertThat(lab.cells()).filteredOn(cell -> cell.contains("WEAK")).hasSize(2);
    assertThat(lab.cells()).noneMatch(cell -> cell.contains("WEAK_PENDING"));
    Transaction second = begun("new", "b");
    second.notifyWeakly(row("g"), weak);
    second.rollback();
    assertThat(lab.cells()).noneMatch(cell -> cell.contains("WEAK_PENDING"));
  }
}
