package io.braid.changes.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.atomic.AtomicLoad;
import io.braid.batch.atomic.StageWriter;
import io.braid.batch.input.RawRecord;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.rows.LoadRow;
import io.braid.batch.sink.SinkRecord;
import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowMutation;
import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.percolator.garbage.CollectionRequest;
import io.braid.testkit.Seeds;
import io.braid.testkit.hostile.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Change feeds: nothing is missing, the order is right, the resolved timestamp never lies. Fault
 * 88.
 */
class ChangeLogsTest {
  private static void assertOrdered(List<Change> changes) {
    assertThat(changes.stream().map(Change::position).toList()).isSorted().doesNotHaveDuplicates();
  }

  private static CellWrite cell(String value) {
    return new CellWrite(FeedBench.column("x").name(), Intent.Kind.PUT, Bytes.of(value), false);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyWayOfWritingIsInTheFeedInOrder(boolean omid) {
    try (FeedBench bench = new FeedBench(omid)) {
      bench.write("one", "k1", "k2");
      bench.write("two", "k1", "k4", "k7");
      bench.write("a value that is too large", "k1", "k5");
      try (Transaction tx = bench.transactions.begin()) {
        tx.delete(FeedBench.row("k1"), FeedBench.column("x"));
        tx.set(FeedBench.row("k1"), FeedBench.column("y"), "y");
        tx.commit();
      }
      if (omid) {
        bench.transactions.fast().write(FeedBench.row("k8"), FeedBench.column("x"), "fast");
      }
      try (Snapshot begin = bench.transactions.snapshot()) {
        loadOne(bench, begin.timestamp());
        bench.percolator.pin("l", begin.timestamp());
        loadAtomically(bench, begin.timestamp());
      }
      List<Change> changes = await(bench, bench.logs.feed(FeedBench.TABLE, null));
      assertOrdered(changes);
      assertThat(FeedBench.texts(changes)).isEqualTo(bench.commits()).hasSizeGreaterThan(12);
      assertThat(marks(bench)).isZero();
    }
  }

  private static void loadOne(FeedBench bench, long start) {
    long epoch = bench.memory.epoch(FeedBench.TABLE);
    RowMutation mutation =
        new RowMutation(FeedBench.row("k9"), epoch, List.of(cell("loaded")), List.of());
    assertThat(
            bench.store.execute(
                LoadRow.INSTANCE,
                new LoadRow.Request(mutation, start, Conflicts.NEWER),
                Durability.SYNCED))
        .isInstanceOf(Outcome.Done.class);
  }

  private static void loadAtomically(FeedBench bench, long start) {
    AtomicLoad load =
        new AtomicLoad(
            bench.context, "l", FeedBench.TABLE, start, Conflicts.NEWER, Duration.ofSeconds(5));
    load.begin();
    List<SinkRecord> records = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      records.add(
          new SinkRecord(
              new RawRecord(i, Bytes.of("L")), FeedBench.row("l" + i), List.of(cell("L"))));
    }
    new StageWriter(bench.context, "l", start, Conflicts.NEWER).write(records);
    // A load that is not committed holds nothing back.
    await(bench, bench.logs.feed(FeedBench.TABLE, null));
    long commit = load.commit();
    bench.logs.advance(FeedBench.TABLE);
    load.settle();
    assertThat(bench.logs.list().get(0).begin()).isLessThan(commit);
  }

  private static int marks(FeedBench bench) {
    int marks = 0;
    ScanRequest all =
        ScanRequest.of(FeedBench.TABLE, KeyRange.ALL, Selection.family(Families.CHANGES));
    try (RowScanner scanner = bench.memory.scan(all)) {
      for (var row = scanner.next(); row != null; row = scanner.next()) {
        marks += row.cells().size();
      }
    }
    return marks;
  }

  /** Each call of a commit is a moment at which a reader asks how far the feed is resolved. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void resolvedNeverPassesACommitThatIsOnItsWay(boolean omid) {
    try (FeedBench bench = new FeedBench(omid)) {
      ChangeFeed feed = bench.logs.feed(FeedBench.TABLE, null);
      Map<Long, List<Change>> seen = new TreeMap<>();
      AtomicInteger asked = new AtomicInteger();
      ThreadLocal<Boolean> asking = ThreadLocal.withInitial(() -> false);
      bench.store.before =
          call -> {
            if (asking.get() || !call.isProcedure()) {
              return;
            }
            asking.set(true);
            synchronized (seen) {
              ChangeBatch batch = feed.next(100);
              seen.computeIfAbsent(batch.resolved(), each -> new ArrayList<>())
                  .addAll(batch.changes());
              asked.incrementAndGet();
            }
            asking.set(false);
          };
      for (int i = 0; i < 5; i++) {
        bench.write("v" + i, "k1", "k4", "k7");
        bench.write("w" + i, "k2");
      }
      bench.store.before = call -> {};
      List<Change> all = new ArrayList<>();
      List<Change> rest = await(bench, feed);
      synchronized (seen) {
        long resolved = 0;
        for (Map.Entry<Long, List<Change>> each : seen.entrySet()) {
          for (Change change : each.getValue()) {
            assertThat(change.commit()).isGreaterThan(resolved).isLessThanOrEqualTo(each.getKey());
          }
          resolved = each.getKey();
          all.addAll(each.getValue());
        }
      }
      all.addAll(rest);
      assertOrdered(all);
      assertThat(FeedBench.texts(all)).isEqualTo(bench.commits()).hasSize(20);
      assertThat(asked).hasValueGreaterThan(20);
    }
  }

  /** What comes until all that was committed has: the second phase follows in the background. */
  private static List<Change> await(FeedBench bench, ChangeFeed feed) {
    long until = bench.oracle.next();
    List<Change> all = new ArrayList<>();
    while (feed.position().timestamp() < until) {
      all.addAll(bench.drain(feed));
    }
    return all;
  }

  /** The clock of a tablet that nobody used lags; a round raises it. */
  @Test
  void aFastWriteAfterARoundComesAboveWhatWasResolved() {
    try (FeedBench bench = new FeedBench(true)) {
      bench.logs.advance(FeedBench.TABLE);
      long resolved = bench.logs.list().get(0).resolved();
      assertThat(bench.transactions.fast().write(FeedBench.row("k1"), FeedBench.column("x"), "v"))
          .isGreaterThan(resolved);
      assertThat(bench.drain(bench.logs.feed(FeedBench.TABLE, Position.after(resolved))))
          .hasSize(1);
    }
  }

  @Test
  void aTransactionWhoseOwnerIsGoneHoldsTheFeedBackUntilItIsDecided() {
    try (FeedBench bench = new FeedBench(false)) {
      long before = bench.oracle.next();
      AtomicReference<Long> during = new AtomicReference<>();
      bench.store.lost = call -> call.name().equals("percolator.commit-primary");
      try (Transaction tx = bench.transactions.begin()) {
        tx.set(FeedBench.row("k1"), FeedBench.column("x"), "never");
        tx.set(FeedBench.row("k7"), FeedBench.column("x"), "never");
        bench.store.before =
            call -> {
              if (call.name().equals("percolator.commit-primary") && during.get() == null) {
                bench.logs.advance(FeedBench.TABLE);
                during.set(bench.logs.list().get(0).resolved());
              }
            };
        assertThatThrownBy(tx::commit).isInstanceOf(RuntimeException.class);
        assertThat(during.get()).isEqualTo(tx.timestamp()).isGreaterThan(before);
      }
    }
  }

  /** Every blind write of rounds is lost in its turn; the round after makes up for it. */
  @ParameterizedTest
  @CsvSource({"1", "2", "3", "4", "5", "6", "7"})
  void aRoundThatBreaksOffAnywhereIsMadeUpForByTheNext(int lost) {
    try (FeedBench bench = new FeedBench(false)) {
      for (int i = 0; i < 9; i++) {
        bench.write("v" + i, "k" + i, "k" + (i + 4) % 9);
      }
      AtomicInteger writes = new AtomicInteger();
      bench.store.lost =
          call -> call.name().equals(Call.WRITE) && writes.incrementAndGet() % 7 == lost - 1;
      ChangeFeed feed = bench.logs.feed(FeedBench.TABLE, null);
      List<Change> all = new ArrayList<>();
      for (int attempt = 0; attempt < 30; attempt++) {
        try {
          all.addAll(feed.next(3).changes());
        } catch (StoreException e) {
          // The next round tries again.
        }
      }
      bench.store.lost = call -> false;
      all.addAll(await(bench, feed));
      assertOrdered(all);
      assertThat(FeedBench.texts(all)).isEqualTo(bench.commits()).hasSize(18);
    }
  }

  @Test
  void aFeedGoesOnFromAnyPositionWhileTabletsSplitAndVersionsAreCollected() {
    Seeds.check(
        6,
        random -> {
          try (FeedBench bench = new FeedBench(random.nextBoolean())) {
            TreeSet<String> written = new TreeSet<>();
            List<Change> all = new ArrayList<>();
            String position = bench.logs.feed(FeedBench.TABLE, null).position().toString();
            for (int i = 0; i < 60; i++) {
              String value = random.nextInt(4) == 0 ? "a large value " + i : "v" + i;
              bench.write(value, "k" + random.nextInt(9), "m" + i % 7);
              written.addAll(bench.commits());
              switch (random.nextInt(4)) {
                case 0 -> bench.memory.splitTablet(FeedBench.TABLE, Bytes.of("k" + i % 10 + "5"));
                case 1 ->
                    bench
                        .percolator
                        .collector()
                        .collect(CollectionRequest.keep(Duration.ZERO), each -> {}, () -> false);
                case 2 -> {
                  // As another process would.
                  ChangeFeed feed = bench.logs.feed(FeedBench.TABLE, Position.parse(position));
                  all.addAll(feed.next(1 + random.nextInt(5)).changes());
                  position = feed.position().toString();
                }
                default -> bench.logs.advance(FeedBench.TABLE);
              }
            }
            ChangeFeed feed = bench.logs.feed(FeedBench.TABLE, Position.parse(position));
            all.addAll(await(bench, feed));
            written.addAll(bench.commits());
            assertOrdered(all);
            assertThat(FeedBench.texts(all)).isEqualTo(written);
          }
        });
  }

  @Test
  void whatIsNotKeptIsRefusedAndNotLeftOut() {
    try (FeedBench bench = new FeedBench(false)) {
      ChangeFeed old = bench.logs.feed(FeedBench.TABLE, null);
      long first = bench.write("one", "k1");
      bench.write("two", "k1");
      bench.logs.advance(FeedBench.TABLE);
      bench.logs.trim(FeedBench.TABLE, first);
      assertThatThrownBy(() -> old.next(1))
          .isInstanceOf(ChangesException.class)
          .hasMessageContaining("read the table again");
      assertThatThrownBy(() -> bench.logs.feed(FeedBench.TABLE, Position.after(first - 1)))
          .isInstanceOf(ChangesException.class);
      List<Change> left = bench.drain(bench.logs.feed(FeedBench.TABLE, Position.after(first)));
      assertThat(left).hasSize(1);

      bench.logs.stop(FeedBench.TABLE);
      assertThatThrownBy(() -> bench.logs.feed(FeedBench.TABLE, null))
          .isInstanceOf(ChangesException.class)
          .hasMessageContaining("--keep");
      bench.write("three", "k1");
      bench.logs.keep(FeedBench.TABLE, Duration.ofDays(1));
      bench.transactions.run(
          tx -> {
            tx.set(FeedBench.row("k1"), FeedBench.column("x"), "four");
            return "";
          });
      assertThat(FeedBench.texts(bench.drain(bench.logs.feed(FeedBench.TABLE, null))))
          .singleElement()
          .asString()
          .endsWith("four");
    }
  }

  /** A round that saw no log removes no mark of one that begins meanwhile. */
  @Test
  void marksOfALogThatBeginsWhileOthersAreDiscardedStay() {
    try (FeedBench bench = new FeedBench(false)) {
      bench.logs.stop(FeedBench.TABLE);
      bench.write("before", "k1", "k5");
      AtomicReference<Runnable> atScan = new AtomicReference<>(() -> {});
      CellStore store =
          new ForwardingStore(bench.store) {
            @Override
            public RowScanner scan(ScanRequest request) {
              if (request.table().equals(FeedBench.TABLE)) {
                atScan.getAndSet(() -> {}).run();
              }
              return super.scan(request);
            }
          };
      ChangeLogs racing =
          new ChangeLogs(store, bench.transactions, bench.oracle, bench.seams, table -> {});
      racing.close();
      bench.write("too early", "k8");
      atScan.set(
          () -> {
            bench.logs.keep(FeedBench.TABLE, Duration.ofDays(1));
            bench.transactions.run(
                tx -> {
                  tx.set(FeedBench.row("k2"), FeedBench.column("x"), "kept");
                  tx.set(FeedBench.row("k7"), FeedBench.column("x"), "kept");
                  return "";
                });
          });
      racing.round();
      assertThat(FeedBench.texts(bench.drain(bench.logs.feed(FeedBench.TABLE, null))))
          .hasSize(2)
          .allMatch(each -> each.endsWith("kept"));
    }
  }
}
