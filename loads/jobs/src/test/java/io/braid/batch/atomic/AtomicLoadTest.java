package io.braid.batch.atomic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.Bench;
import io.braid.batch.Bench.Troubled.Fate;
import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.LoadableTables;
import io.braid.batch.input.RawRecord;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.sink.SinkRecord;
import io.braid.batch.sink.WriteResult;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowMutation;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.KeyRange;
import io.braid.core.loads.DecideLoad;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.loads.LoadState;
import io.braid.core.loads.LoadState.Phase;
import io.braid.core.loads.SettleRow;
import io.braid.core.loads.StageRow;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads that become visible at one timestamp, under both protocols. Faults 44 and 45. */
class AtomicLoadTest {
  private static final int KEYS = 40;

  private static AtomicLoad load(Bench bench, long start, Conflicts conflicts) {
    return load(bench.context, start, conflicts);
  }

  private static AtomicLoad load(LoadContext context, long start, Conflicts conflicts) {
    return new AtomicLoad(context, "l", Bench.TABLE, start, conflicts, Duration.ofSeconds(5));
  }

  private static String key(int i) {
    return String.format("k%02d", i);
  }

  private static SinkRecord record(int i, String value) {
    return new SinkRecord(
        new RawRecord(i, Bytes.of(value)),
        Bench.row(key(i)),
        List.of(new CellWrite(Bench.column("x").name(), Intent.Kind.PUT, Bytes.of(value), false)));
  }

  private static List<SinkRecord> records(String value) {
    List<SinkRecord> records = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      records.add(record(i, value));
    }
    return records;
  }

  /** Begins a load and stages a value in every row. */
  private static long stage(Bench bench, Conflicts conflicts) {
    try (Snapshot begin = bench.transactions.snapshot()) {
      long start = begin.timestamp();
      bench.percolator.pin("l", start);
      load(bench, start, conflicts).begin();
      StageWriter writer = new StageWriter(bench.context, "l", start, conflicts);
      assertThat(writer.write(records("L")))
          .allMatch(result -> result instanceof WriteResult.Written);
      return start;
    }
  }

  private static void write(Bench bench, String key, String value) {
    try (Transaction tx = bench.transactions.begin()) {
      tx.set(Bench.row(key), Bench.column("x"), value);
      tx.commit();
    }
  }

  private static LoadState state(Bench bench) {
    return Objects.requireNonNull(LoadDecisions.look(bench.memory, "l"));
  }

  /** How many staged cells stand in the table. */
  private static int intents(Bench bench) {
    int cells = 0;
    ScanRequest request =
        ScanRequest.of(Bench.TABLE, KeyRange.ALL, Selection.family(Families.INTENT));
    try (RowScanner scanner = bench.memory.scan(request)) {
      for (var row = scanner.next(); row != null; row = scanner.next()) {
        for (Cell cell : row.cells()) {
          // Those of writers go when their post-commit comes to them.
          cells += Intent.decode(cell.value()).decision() instanceof LoadRecord ? 1 : 0;
        }
      }
    }
    return cells;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allOfItIsVisibleAtOneTimestampAndOthersGoOnMeanwhile(boolean omid) {
    for (Conflicts policy : List.of(Conflicts.NEWER, Conflicts.LOAD)) {
      try (Bench bench = new Bench(omid, ChangeSink.NONE)) {
        write(bench, key(1), "old");
        long start = stage(bench, policy);
        assertThat(bench.table()).isEqualTo(Map.of(key(1), "x=old"));
        write(bench, key(2), "mine");
        Snapshot before = bench.transactions.snapshot();

        long commit = load(bench, start, policy).commit();
        assertThat(before.get(Bench.row(key(3)), Bench.column("x"))).isEmpty();
        assertThat(before.get(Bench.row(key(2)), Bench.column("x"))).contains("mine");
        Map<String, String> expected = new TreeMap<>();
        for (int i = 0; i < KEYS; i++) {
          expected.put(key(i), "x=L");
        }
        if (policy == Conflicts.NEWER) {
          expected.put(key(2), "x=mine");
        }
        try (Snapshot at = bench.transactions.snapshotAt(commit)) {
          assertThat(at.lastChanged(Bench.row(key(7)), Bench.column("x"))).hasValue(commit);
        }
        assertThat(bench.table()).isEqualTo(expected);
        write(bench, key(5), "after");
        assertThat(load(bench, start, policy).settle()).isLessThanOrEqualTo(KEYS);
        expected.put(key(5), "x=after");
        assertThat(bench.table()).isEqualTo(expected);
        assertThat(intents(bench)).isZero();
        assertThat(before.get(Bench.row(key(3)), Bench.column("x"))).isEmpty();
        before.close();
        assertThat(load(bench, start, policy).commit()).isEqualTo(commit);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAbortedLoadIsNeverSeenAndLeavesNothing(boolean omid) {
    try (Bench bench = new Bench(omid, ChangeSink.NONE)) {
      long start = stage(bench, Conflicts.NEWER);
      long epoch = bench.memory.epoch(Bench.TABLE);
      assertThat(load(bench, start, Conflicts.NEWER).abort()).isTrue();
      assertThat(bench.table()).isEmpty();
      write(bench, key(3), "mine");
      load(bench, start, Conflicts.NEWER).settle();
      assertThat(intents(bench)).isZero();
      assertThat(bench.table()).isEqualTo(Map.of(key(3), "x=mine"));

      // A call that was sent before, and comes late, stages nothing.
      RowMutation late =
          new RowMutation(Bench.row(key(4)), epoch, record(4, "L").cells(), List.of());
      Outcome<StageRow.Answer> outcome =
          bench.memory.execute(
              StageRow.INSTANCE, new StageRow.Request(late, "l", start), Durability.BUFFERED);
      assertThat(((Outcome.Done<StageRow.Answer>) outcome).result().kind())
          .isEqualTo(StageRow.Kind.STALE_EPOCH);
      StageWriter writer = new StageWriter(bench.context, "l", start, Conflicts.NEWER);
      writer.write(List.of(record(4, "L")));
      assertThat(intents(bench)).isEqualTo(1);
      load(bench, start, Conflicts.NEWER).settle();
      assertThat(intents(bench)).isZero();
      assertThatThrownBy(() -> load(bench, start, Conflicts.NEWER).commit())
          .hasMessageContaining("given up");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void failNamesWhatOthersWrote(boolean omid) {
    try (Bench bench = new Bench(omid, ChangeSink.NONE)) {
      long start = stage(bench, Conflicts.FAIL);
      write(bench, key(8), "mine");
      assertThatThrownBy(() -> load(bench, start, Conflicts.FAIL).commit())
          .isInstanceOf(JobException.class)
          .hasMessageContaining("t/k08/f:x");
      assertThat(bench.table()).isEqualTo(Map.of(key(8), "x=mine"));
      // Writers go on again, although the epoch has changed.
      write(bench, key(9), "mine");
      assertThat(load(bench, start, Conflicts.FAIL).abort()).isTrue();
    }
  }

  /** A transaction that read before the load committed does not write over it unknowingly. */
  @ParameterizedTest
  @CsvSource({"false,NEWER", "true,NEWER", "false,LOAD", "true,LOAD"})
  void aTransactionFromBeforeTheCommitConflicts(boolean omid, Conflicts policy) {
    try (Bench bench = new Bench(omid, ChangeSink.NONE)) {
      long start = stage(bench, policy);
      Transaction tx = bench.transactions.begin();
      assertThat(tx.get(Bench.row(key(1)), Bench.column("x"))).isEmpty();
      tx.set(Bench.row(key(1)), Bench.column("x"), "read nothing");
      load(bench, start, policy).commit();
      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
      assertThat(bench.table()).containsEntry(key(1), "x=L");
      bench.transactions.run(
          again -> {
            again.set(
                Bench.row(key(2)),
                Bench.column("x"),
                again.get(Bench.row(key(2)), Bench.column("x")).orElse("") + "+");
            return 0;
          });
      assertThat(bench.table()).containsEntry(key(2), "x=L+");
    }
  }

  /** Fault 44: whatever call of the commit fails or dies, all or nothing of the load is visible. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCommitThatDiesAnywhereIsTakenToItsEnd(boolean omid) {
    for (int deadAt = 1; deadAt <= 6; deadAt++) {
      for (Fate last : List.of(deadAt % 2 == 0 ? Fate.LOST : Fate.ANSWER_LOST)) {
        try (Bench bench = new Bench(omid, ChangeSink.NONE)) {
          long start = stage(bench, Conflicts.NEWER);
          AtomicInteger calls = new AtomicInteger();
          int dead = deadAt;
          bench.store.fate =
              call -> {
                if (!call.name().equals(DecideLoad.INSTANCE.name())
                    && !call.name().equals(SettleRow.INSTANCE.name())) {
                  return Fate.PASS;
                }
                int n = calls.incrementAndGet();
                return n < dead ? Fate.PASS : n == dead ? last : Fate.REFUSED;
              };
          // Another process, which dies.
          LoadContext context =
              new LoadContext(
                  bench.store,
                  bench.transactions,
                  LoadableTables.ALL,
                  bench.oracle,
                  ChangeSink.NONE,
                  new SystemSeams(),
                  bench.context.limits(),
                  1024);
          try {
            AtomicLoad dying =
                new AtomicLoad(
                    context, "l", Bench.TABLE, start, Conflicts.NEWER, Duration.ofMillis(1));
            dying.commit();
            dying.settle();
          } catch (StoreException e) {
            // died
          }
          bench.store.fate = call -> Fate.PASS;
          int seen = bench.table().size();
          assertThat(seen).as("dead at call %d, %s", dead, last).isIn(0, KEYS);
          write(bench, key(3), "mine");
          long commit = load(bench, start, Conflicts.NEWER).commit();
          load(bench, start, Conflicts.NEWER).settle();
          assertThat(bench.table()).hasSize(KEYS).containsEntry(key(3), "x=mine");
          assertThat(intents(bench)).isZero();
          try (Snapshot at = bench.transactions.snapshotAt(commit)) {
            assertThat(at.lastChanged(Bench.row(key(7)), Bench.column("x"))).hasValue(commit);
          }
        }
      }
    }
  }

  /** A load that is closing is committed by whoever asks, above the timestamps drawn before. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReaderDecidesALoadThatIsClosing(boolean omid) {
    try (Bench bench = new Bench(omid, ChangeSink.NONE)) {
      stage(bench, Conflicts.NEWER);
      LoadDecisions.decide(
          bench.memory, DecideLoad.Request.draining("l", DecideLoad.Step.DRAIN, "dead/1"));
      bench.memory.raiseEpoch(Bench.TABLE, 7);
      LoadDecisions.decide(
          bench.memory, DecideLoad.Request.draining("l", DecideLoad.Step.CLOSE, "dead/2"));
      assertThat(state(bench).phase()).isEqualTo(Phase.DRAINING);
      LoadDecisions.decide(
          bench.memory, DecideLoad.Request.draining("l", DecideLoad.Step.CLOSE, "dead/1"));
      Snapshot before = bench.transactions.snapshot();
      assertThat(before.get(Bench.row(key(1)), Bench.column("x"))).isEmpty();
      assertThat(state(bench).commit()).isGreaterThan(before.timestamp());
      assertThat(bench.table()).hasSize(KEYS);
      assertThat(before.get(Bench.row(key(2)), Bench.column("x"))).isEmpty();
      before.close();
    }
  }

  /**
   * Fault 45, at random: clients append to lists while a load replaces them all. An acknowledged
   * append is lost only to a load that came after it and wins; a snapshot sees all of the load or
   * nothing.
   */
  @ParameterizedTest
  @CsvSource({"false,NEWER", "true,NEWER", "false,LOAD", "true,LOAD"})
  void appendsAreNeitherLostNorMaskedAndNoSnapshotTears(boolean omid, Conflicts policy)
      throws Exception {
    for (int seed = 0; seed < 2; seed++) {
      try (Bench bench = new Bench(omid, ChangeSink.NONE)) {
        appends(bench, policy, new Random(seed));
      }
    }
  }

  private record Append(int key, String element, long commit) {}

  private static void appends(Bench bench, Conflicts policy, Random random) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    ConcurrentLinkedQueue<Append> appends = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    Map<Long, Integer> untouched = new ConcurrentHashMap<>();
    List<Thread> threads = new ArrayList<>();
    for (int client = 0; client < 3; client++) {
      String name = "c" + client;
      Random own = new Random(random.nextLong());
      threads.add(thread(failures, () -> append(bench, name, own, stop, appends)));
    }
    threads.add(thread(failures, () -> look(bench, stop, untouched)));
    Thread.sleep(10);
    long start = stage(bench, policy);
    Thread.sleep(random.nextInt(20));
    long commit = load(bench, start, policy).commit();
    Thread.sleep(random.nextInt(20));
    load(bench, start, policy).settle();
    stop.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    untouched.forEach(
        (snapshot, seen) ->
            assertThat(seen).as("snapshot %d", snapshot).isEqualTo(snapshot < commit ? 0 : 20));
    assertThat(intents(bench)).isZero();
    judge(bench, policy, start, commit, appends);
  }

  private static Thread thread(ConcurrentLinkedQueue<Throwable> failures, Runnable body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (RuntimeException | Error e) {
                failures.add(e);
              }
            });
    thread.start();
    return thread;
  }

  private static void append(
      Bench bench,
      String name,
      Random random,
      AtomicBoolean stop,
      ConcurrentLinkedQueue<Append> appends) {
    for (int n = 0; !stop.get(); n++) {
      int one = random.nextInt(20);
      int other = random.nextInt(20);
      String element = name + "." + n;
      try (Transaction tx = bench.transactions.begin()) {
        for (int key : one == other ? List.of(one) : List.of(one, other)) {
          String list = tx.get(Bench.row(key(key)), Bench.column("x")).orElse("");
          tx.set(Bench.row(key(key)), Bench.column("x"), list + " " + element);
        }
        long commit = tx.commit();
        appends.add(new Append(one, element, commit));
        if (one != other) {
          appends.add(new Append(other, element, commit));
        }
      } catch (ConflictException e) {
        // Not appended.
      }
    }
  }

  /** Counts in snapshots how much of the load shows in rows that nobody else writes. */
  private static void look(Bench bench, AtomicBoolean stop, Map<Long, Integer> untouched) {
    while (!stop.get()) {
      try (Snapshot now = bench.transactions.snapshot()) {
        int seen = 0;
        for (int i = 20; i < KEYS; i++) {
          seen += now.get(Bench.row(key(i)), Bench.column("x")).isPresent() ? 1 : 0;
        }
        untouched.put(now.timestamp(), seen);
      }
    }
  }

  private static void judge(
      Bench bench,
      Conflicts policy,
      long start,
      long commit,
      ConcurrentLinkedQueue<Append> appends) {
    Map<String, String> table = bench.table();
    for (int key = 0; key < 20; key++) {
      int at = key;
      List<Append> own =
          appends.stream()
              .filter(append -> append.key == at)
              .sorted(java.util.Comparator.comparingLong(Append::commit))
              .toList();
      boolean newer = own.stream().anyMatch(a -> a.commit > start && a.commit < commit);
      boolean replaced = policy == Conflicts.LOAD || !newer;
      StringBuilder expected = new StringBuilder(replaced ? "x=L" : "x=");
      own.stream()
          .filter(append -> !replaced || append.commit > commit)
          .forEach(append -> expected.append(' ').append(append.element));
      assertThat(table.get(key(key)))
          .as("key %d, load %d to %d, %s", key, start, commit, own)
          .isEqualTo(expected.toString());
    }
  }
}
