package io.braid.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletClock;
import io.braid.core.time.Timestamp;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many threads at once: rows at one instant, snapshots that do not move, filters that count. */
class ConcurrencyTest {
  @TempDir Path directory;
  private RocksStore store;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean stop = new AtomicBoolean();

  @BeforeEach
  void open() {
    store = RocksStore.open(directory, Fixtures.SMALL);
    store.ensureTable(Fixtures.schema());
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    store.close();
  }

  /** Writers put the same version into three families; readers never see them differ. */
  @Test
  void readersAndScansSeeARowAtOneInstantOverAllFamilies() throws Exception {
    List<Row> rows = List.of(Fixtures.row("a"), Fixtures.row("b"));
    List<ColumnName> columns =
        List.of(Fixtures.DATA, ColumnName.of("e", "q"), ColumnName.of("s", "q"));
    Procedure<Long, Long> move =
        Fixtures.procedure(
            rows,
            (access, version) -> {
              for (Row row : rows) {
                for (ColumnName column : columns) {
                  access.put(row, column, version, Bytes.EMPTY);
                  access.delete(row, column, version - 1);
                }
              }
              return version;
            });
    Future<?> writer =
        threads.submit(
            () -> {
              for (long version = 1; version <= 6000; version++) {
                store.execute(move, version, Durability.BUFFERED);
              }
              stop.set(true);
            });
    Selection[] all = {Selection.family("s"), Selection.family("d"), Selection.family("e")};
    Future<Long> reads =
        threads.submit(
            until(
                () -> {
                  for (RowCells row :
                      store.read(
                          List.of(RowRead.of(rows.get(0), all), RowRead.of(rows.get(1), all)))) {
                    assertOneVersion(row);
                  }
                }));
    Future<Long> scans =
        threads.submit(
            until(
                () -> {
                  ScanRequest scan = ScanRequest.of(Fixtures.TABLE, KeyRange.ALL, all);
                  Fixtures.all(store, scan).forEach(ConcurrencyTest::assertOneVersion);
                }));
    writer.get();
    assertThat(reads.get()).isPositive();
    assertThat(scans.get()).isPositive();
    assertThat(store.stats().snapshotReads()).isPositive();
  }

  private static void assertOneVersion(RowCells row) {
    if (!row.isEmpty()) {
      assertThat(row.cells()).hasSize(3);
      assertThat(row.cells().stream().map(Cell::version).distinct()).hasSize(1);
    }
  }

  /** Once anybody saw a version, nobody sees an older one as the newest, however it is read. */
  @Test
  void newestVersionNeverGoesBack() throws Exception {
    Row row = Fixtures.row("r");
    Procedure<Long, Long> increment =
        Fixtures.procedure(
            List.of(row),
            (access, n) -> {
              Cell newest = access.newest(row, Fixtures.DATA, Long.MAX_VALUE);
              long version = newest == null ? 1 : newest.version() + 1;
              access.put(row, Fixtures.DATA, version, Bytes.ofLong(version));
              return version;
            });
    AtomicLong seen = new AtomicLong();
    Procedure<Long, Long> look =
        Fixtures.reading(
            List.of(row),
            0,
            (access, n) -> {
              Cell newest = access.newest(row, Fixtures.DATA, Long.MAX_VALUE);
              return newest == null ? 0L : newest.value().longAt(0);
            });
    List<Future<Long>> readers = new ArrayList<>();
    for (int r = 0; r < 2; r++) {
      readers.add(
          threads.submit(
              until(
                  () -> {
                    long before = seen.get();
                    long now = Fixtures.done(store.execute(look, 0L, Durability.BUFFERED));
                    assertThat(now).isGreaterThanOrEqualTo(before);
                    seen.accumulateAndGet(now, Math::max);
                  })));
    }
    Future<Long> rowReader =
        threads.submit(
            until(
                () -> {
                  long before = seen.get();
                  Selection newest = Selection.column(Fixtures.DATA).newest(1);
                  List<Cell> cells = store.read(RowRead.of(row, newest)).cells();
                  long now = cells.isEmpty() ? 0 : cells.get(0).version();
                  assertThat(now).isGreaterThanOrEqualTo(before);
                  seen.accumulateAndGet(now, Math::max);
                }));
    List<Future<?>> writers = new ArrayList<>();
    for (int w = 0; w < 2; w++) {
      writers.add(
          threads.submit(
              () -> {
                for (int i = 0; i < 4000; i++) {
                  store.execute(increment, 0L, Durability.BUFFERED);
                }
              }));
    }
    for (Future<?> writer : writers) {
      writer.get();
    }
    stop.set(true);
    for (Future<Long> reader : readers) {
      assertThat(reader.get()).isPositive();
    }
    assertThat(rowReader.get()).isPositive();
    assertThat(Fixtures.done(store.execute(look, 0L, Durability.BUFFERED))).isEqualTo(8000);
    assertThat(store.stats().newestHits()).isPositive();
  }

  /** What a reader saw at its snapshot is what is there at the end: no commit slipped below it. */
  @Test
  void noCommitAppearsBelowASnapshotThatWasServed() throws Exception {
    AtomicLong oracle = new AtomicLong(1000 * Timestamp.STEP);
    store.advanceClock(oracle.get());
    List<Future<?>> writers = new ArrayList<>();
    AtomicLong left = new AtomicLong(2);
    for (int w = 0; w < 2; w++) {
      Row row = Fixtures.row("w" + w);
      Procedure<Long, Long> commit =
          Fixtures.procedure(
              List.of(row),
              (access, start) -> {
                long version = access.clock().next(start);
                if (version != TabletClock.EXHAUSTED) {
                  access.put(row, Fixtures.DATA, version, Bytes.EMPTY);
                }
                return version;
              });
      writers.add(
          threads.submit(
              () -> {
                for (int i = 0; i < 4000; i++) {
                  long start = i % 10 == 0 ? oracle.addAndGet(Timestamp.STEP) : oracle.get();
                  store.execute(commit, start, Durability.BUFFERED);
                }
                stop.set(left.decrementAndGet() == 0);
              }));
    }
    record Served(long snapshot, int cells) {}
    List<Served> served = new ArrayList<>();
    while (!stop.get()) {
      long snapshot = oracle.get() + served.size() % 40;
      served.add(new Served(snapshot, count(snapshot)));
    }
    for (Future<?> writer : writers) {
      writer.get();
    }
    for (Served one : served) {
      assertThat(count(one.snapshot)).as("cells at " + one.snapshot).isEqualTo(one.cells);
    }
    assertThat(served).isNotEmpty();
  }

  private int count(long snapshot) {
    Selection upTo = Selection.column(Fixtures.DATA).upTo(snapshot);
    int cells = 0;
    for (int w = 0; w < 2; w++) {
      cells +=
          store.read(new RowRead(Fixtures.row("w" + w), List.of(upTo), snapshot)).cells().size();
    }
    return cells;
  }

  /**
   * Each thread puts and removes sparse cells in rows of its own, some of which share counters with
   * rows of others, and finds exactly what it put.
   */
  @Test
  void presenceFilterNeverMissesACellAndForgetsRemovedOnes() throws Exception {
    // The hash codes of Aa and BB are the same, and so are those of what is made of them.
    List<String> colliding = List.of("AaAa", "AaBB", "BBAa", "BBBB");
    List<Future<Integer>> workers = new ArrayList<>();
    for (int w = 0; w < 4; w++) {
      List<String> mine = List.of(colliding.get(w), "own" + w);
      SplittableRandom random = new SplittableRandom(w);
      workers.add(threads.submit(() -> putAndRemove(mine, random)));
    }
    int checks = 0;
    for (Future<Integer> worker : workers) {
      checks += worker.get();
    }
    assertThat(checks).isPositive();
    long before = store.stats().presenceHits();
    for (String key : colliding) {
      store.read(RowRead.of(Fixtures.row(key), Selection.family("s")));
    }
    assertThat(store.stats().presenceHits()).as("all counted down").isEqualTo(before + 4);
  }

  private int putAndRemove(List<String> keys, SplittableRandom random) {
    List<java.util.Set<Long>> there = new ArrayList<>();
    keys.forEach(key -> there.add(new java.util.TreeSet<>()));
    for (int i = 0; i < 1500; i++) {
      int k = random.nextInt(keys.size());
      Row row = Fixtures.row(keys.get(k));
      long version = random.nextInt(4);
      java.util.Set<Long> versions = there.get(k);
      int what = random.nextInt(6);
      Procedure<Long, Long> change =
          Fixtures.procedure(
              List.of(row),
              (access, v) -> {
                if (what % 2 == 0) {
                  access.family(row, "s", Bytes.EMPTY);
                }
                if (what != 1) {
                  access.delete(row, Fixtures.SPARSE, v);
                }
                if (what > 1) {
                  access.put(row, Fixtures.SPARSE, v, Bytes.EMPTY);
                }
                if (what > 3) {
                  access.delete(row, Fixtures.SPARSE, v);
                }
                return v;
              });
      store.execute(change, version, Durability.BUFFERED);
      if (what == 0 || what > 3) {
        versions.remove(version);
      } else if (what > 1) {
        versions.add(version);
      }
      assertThat(versions(row)).containsExactlyInAnyOrderElementsOf(versions);
    }
    for (int k = 0; k < keys.size(); k++) {
      for (long version : List.copyOf(there.get(k))) {
        Fixtures.remove(store, keys.get(k), Fixtures.SPARSE, version);
      }
      assertThat(versions(Fixtures.row(keys.get(k)))).isEmpty();
    }
    return 1500;
  }

  private List<Long> versions(Row row) {
    return store.read(RowRead.of(row, Selection.family("s"))).cells().stream()
        .map(Cell::version)
        .toList();
  }

  /** Commits that are synced share the syncs of the log. */
  @Test
  void concurrentSyncedCommitsShareSyncs() throws Exception {
    int writers = 64;
    int commits = 20;
    long before = store.stats().walSyncs();
    List<Future<?>> all = new ArrayList<>();
    for (int w = 0; w < writers; w++) {
      String key = "w" + w;
      all.add(
          threads.submit(
              () -> {
                for (int i = 1; i <= commits; i++) {
                  Fixtures.write(
                      store,
                      io.braid.core.store.RowWrite.put(
                          Fixtures.row(key), Fixtures.cell(Fixtures.DATA, i, "x")),
                      Durability.SYNCED);
                }
              }));
    }
    for (Future<?> one : all) {
      one.get();
    }
    long syncs = store.stats().walSyncs() - before;
    assertThat(syncs).isBetween((long) commits, (long) writers * commits / 4);
  }

  @Test
  void bufferedAndOrderedWritesDoNotSync() {
    long before = store.stats().walSyncs();
    for (Durability durability : List.of(Durability.BUFFERED, Durability.ORDERED)) {
      Fixtures.write(
          store,
          io.braid.core.store.RowWrite.put(Fixtures.row("r"), Fixtures.cell(Fixtures.DATA, 1, "x")),
          durability);
    }
    assertThat(store.stats().walSyncs()).isEqualTo(before);
    Fixtures.write(
        store,
        io.braid.core.store.RowWrite.put(Fixtures.row("r"), Fixtures.cell(Fixtures.DATA, 2, "x")),
        Durability.SYNCED);
    assertThat(store.stats().walSyncs()).isEqualTo(before + 1);
  }

  /** Threads read, scan and write while the store closes: refused or answered, never a crash. */
  @Test
  void closingUnderLoadIsSafe() throws Exception {
    for (int i = 0; i < 500; i++) {
      Fixtures.put(store, "r" + i, Fixtures.DATA, 1, "x");
    }
    for (int round = 0; round < 10; round++) {
      RocksStore current = store;
      List<Future<?>> all = new ArrayList<>();
      AtomicLong calls = new AtomicLong();
      for (int t = 0; t < 6; t++) {
        int kind = t % 3;
        all.add(threads.submit(() -> useUntilClosed(current, kind, calls)));
      }
      while (calls.get() < 200) {
        Thread.onSpinWait();
      }
      current.close();
      for (Future<?> one : all) {
        one.get();
      }
      open();
    }
  }

  private static void useUntilClosed(RocksStore store, int kind, AtomicLong calls) {
    try {
      while (true) {
        switch (kind) {
          case 0 -> store.read(RowRead.of(Fixtures.row("r7"), Selection.family("d")));
          case 1 ->
              Fixtures.all(
                  store, ScanRequest.of(Fixtures.TABLE, KeyRange.ALL, Selection.family("d")));
          default -> Fixtures.put(store, "r8", Fixtures.SPARSE, 1, "x");
        }
        calls.incrementAndGet();
      }
    } catch (io.braid.core.store.TabletUnavailableException e) {
      assertThat(e).isNotNull();
    }
  }

  private Callable<Long> until(Runnable body) {
    return () -> {
      long rounds = 0;
      while (!stop.get()) {
        body.run();
        rounds++;
      }
      return rounds;
    };
  }
}
