package io.braid.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.runtime.ReadProgress;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletClock;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.Timestamp;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RocksStoreTest {
  /** The common pool may have one thread alone, and calls here wait for each other. */
  private static final Executor THREADS = body -> new Thread(body).start();

  private static final long T = 1000 * Timestamp.STEP;
  private static final Row ROW = Fixtures.row("r");

  @TempDir Path directory;
  private RocksStore store;

  @BeforeEach
  void open() {
    store = RocksStore.open(directory, Fixtures.SMALL);
    store.ensureTable(Fixtures.schema());
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void reopen() {
    close();
    open();
  }

  /** Fault 82: who reads in vain can give up. */
  @Test
  void aScanThatFindsNothingSaysThatItGoesOn() {
    for (int i = 0; i < 2 * ReadProgress.CELLS + 10; i++) {
      Fixtures.put(store, "r" + i, Fixtures.DATA, T, "v");
    }
    ScanRequest nothing =
        ScanRequest.of(Fixtures.TABLE, KeyRange.ALL, Selection.column(ColumnName.of("d", "none")));
    List<Long> reports = new ArrayList<>();
    assertThat(ReadProgress.during(reports::add, () -> Fixtures.all(store, nothing))).isEmpty();
    assertThat(reports).hasSizeGreaterThanOrEqualTo(2).containsOnly(0L);
    assertThatThrownBy(
            () ->
                ReadProgress.during(
                    bytes -> {
                      throw new IllegalStateException("enough");
                    },
                    () -> Fixtures.all(store, nothing)))
        .hasMessage("enough");
  }

  @Test
  void dataSchemaAndEpochSurviveReopening() {
    Fixtures.put(store, "r", Fixtures.DATA, 3, "x");
    store.raiseEpoch(Fixtures.TABLE, 7);
    store.raiseEpoch(Fixtures.TABLE, 5);
    store.splitTablet(Fixtures.TABLE, Bytes.of("m"));
    reopen();
    assertThat(store.epoch(Fixtures.TABLE)).isEqualTo(7);
    assertThat(store.tables()).containsExactly(Fixtures.schema());
    assertThat(newest(Fixtures.DATA)).isEqualTo("x");
  }

  /** From the first large value on, records go to RocksDB one by one. */
  @ParameterizedTest
  @EnumSource(Durability.class)
  void recordsAroundLargeValuesKeepTheirOrder(Durability durability) {
    String large = "v".repeat(Fixtures.LARGE);
    Row other = Fixtures.row("other");
    ColumnName apart = ColumnName.of("l", "q");
    store.advanceClock(T);
    Outcome<Long> outcome =
        store.execute(
            Fixtures.procedure(
                List.of(ROW, other),
                (rows, argument) -> {
                  rows.put(ROW, Fixtures.SPARSE, 1, Bytes.of("small"));
                  rows.put(ROW, Fixtures.DATA, 1, Bytes.of("before"));
                  rows.put(other, apart, 1, Bytes.of(large));
                  rows.put(ROW, Fixtures.DATA, 1, Bytes.of("after"));
                  rows.delete(ROW, Fixtures.SPARSE, 1);
                  rows.put(other, Fixtures.DATA, 1, Bytes.of(large + "x"));
                  return 0L;
                }),
            0L,
            durability);
    assertThat(Fixtures.done(outcome)).isZero();
    reopen();
    assertThat(newest(Fixtures.DATA)).isEqualTo("after");
    assertThat(newest(Fixtures.SPARSE)).isNull();
    RowCells cells =
        store.read(new RowRead(other, List.of(Selection.family("d"), Selection.family("l")), 0));
    assertThat(cells.cells())
        .extracting(each -> each.value().toUtf8())
        .containsExactly(large + "x", large);
  }

  @Test
  void memoryThatEndsBeforeAnythingIsWrittenEndsOneCallOnly() {
    Outcome<Long> outcome =
        store.execute(
            Fixtures.procedure(
                List.of(ROW),
                (rows, argument) -> {
                  rows.put(ROW, Fixtures.DATA, 1, Bytes.of("x"));
                  throw new OutOfMemoryError("on purpose");
                }),
            0L,
            Durability.SYNCED);
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.NotExecuted.class,
            not -> assertThat(not.reason()).isEqualTo(Outcome.Reason.UNAVAILABLE));
    assertThat(store.refusesWrites()).isEmpty();
    assertThat(newest(Fixtures.DATA)).isNull();
    Fixtures.put(store, "r", Fixtures.DATA, 2, "goes on");
    assertThat(newest(Fixtures.DATA)).isEqualTo("goes on");
  }

  @Test
  void clockIsColdAfterReopening() {
    store.advanceClock(T);
    assertThat(draw(0)).isEqualTo(T + 1);
    reopen();
    assertThat(draw(T)).isEqualTo(TabletClock.EXHAUSTED);
    store.advanceClock(T + Timestamp.STEP);
    assertThat(draw(0)).isEqualTo(T + Timestamp.STEP + 1);
  }

  @Test
  void readsScansAndProceduresRaiseTheClockToTheirSnapshot() {
    store.advanceClock(T);
    store.read(new RowRead(ROW, List.of(Selection.family("d")), T + 10));
    assertThat(draw(0)).isEqualTo(T + 11);
    store
        .scan(ScanRequest.of(Fixtures.TABLE, KeyRange.ALL, Selection.family("d")).at(T + 20))
        .close();
    assertThat(draw(0)).isEqualTo(T + 21);
    store.execute(Fixtures.reading(List.of(ROW), T + 30, (rows, n) -> n), 1L, Durability.BUFFERED);
    assertThat(draw(0)).isEqualTo(T + 31);
  }

  /** Fault 22: a scan at 100 passes while a local commit at 51 is drawn but not applied. */
  @Test
  void scanWaitsForACommitThatIsDrawnButNotApplied() throws InterruptedException {
    store.advanceClock(T);
    CountDownLatch drawn = new CountDownLatch(1);
    CountDownLatch apply = new CountDownLatch(1);
    var commit =
        Fixtures.procedure(
            List.of(ROW),
            (rows, n) -> {
              long version = rows.clock().next(0);
              drawn.countDown();
              await(apply);
              rows.put(ROW, Fixtures.DATA, version, Bytes.of("committed"));
              return version;
            });
    CompletableFuture<Long> writer =
        CompletableFuture.supplyAsync(
            () -> Fixtures.done(store.execute(commit, 0L, Durability.BUFFERED)), THREADS);
    await(drawn);
    var request = ScanRequest.of(Fixtures.TABLE, KeyRange.ALL, Selection.family("d")).at(T + 100);
    List<RowCells> scanned = new ArrayList<>();
    Thread scan = new Thread(() -> scanned.addAll(Fixtures.all(store, request)));
    try {
      assertThat(Fixtures.all(store, request.at(T))).as("below the draw: no wait").isEmpty();
      scan.start();
      while (scan.getState() == Thread.State.RUNNABLE) {
        Thread.onSpinWait();
      }
      assertThat(scan.getState()).isEqualTo(Thread.State.WAITING);
    } finally {
      apply.countDown();
    }
    scan.join();
    assertThat(scanned).hasSize(1);
    assertThat(writer.join()).isEqualTo(T + 1);
  }

  /** Fault 22: a reader waits for what is drawn and not applied in its own rows, for no other. */
  @Test
  void onlyReadersOfARowWaitForACommitThatIsDrawnThere() throws InterruptedException {
    store.advanceClock(T);
    CountDownLatch drawn = new CountDownLatch(1);
    CountDownLatch apply = new CountDownLatch(1);
    var commit =
        Fixtures.procedure(
            List.of(ROW),
            (rows, n) -> {
              long version = rows.clock().next(0);
              drawn.countDown();
              await(apply);
              rows.put(ROW, Fixtures.DATA, version, Bytes.of("committed"));
              return version;
            });
    CompletableFuture<Long> writer =
        CompletableFuture.supplyAsync(
            () -> Fixtures.done(store.execute(commit, 0L, Durability.BUFFERED)), THREADS);
    await(drawn);
    Row other = Row.of(Fixtures.TABLE, "another");
    var reading =
        Fixtures.reading(
            List.of(ROW),
            T + 100,
            (rows, n) -> rows.newest(ROW, Fixtures.DATA, T + 100) == null ? 0L : 1L);
    AtomicLong seen = new AtomicLong(-1);
    Thread reader =
        new Thread(() -> seen.set(Fixtures.done(store.execute(reading, 1L, Durability.BUFFERED))));
    try {
      assertThat(store.read(new RowRead(other, List.of(Selection.family("d")), T + 100)).cells())
          .isEmpty();
      store.execute(
          Fixtures.reading(List.of(other), T + 100, (rows, n) -> n), 1L, Durability.BUFFERED);
      reader.start();
      while (reader.getState() == Thread.State.RUNNABLE) {
        Thread.onSpinWait();
      }
      assertThat(reader.getState()).isEqualTo(Thread.State.WAITING);
    } finally {
      apply.countDown();
    }
    reader.join();
    assertThat(seen).hasValue(1);
    assertThat(writer.join()).isEqualTo(T + 1);
  }

  @Test
  void procedureThatThrowsChangesNothingAndBlocksNobody() {
    store.advanceClock(T);
    var failing =
        Fixtures.procedure(
            List.of(ROW),
            (rows, n) -> {
              rows.put(ROW, Fixtures.DATA, rows.clock().next(0), Bytes.of("x"));
              rows.put(ROW, Fixtures.SPARSE, 1, Bytes.of("x"));
              throw new IllegalStateException("no");
            });
    assertThatThrownBy(() -> store.execute(failing, 0L, Durability.BUFFERED)).hasMessage("no");
    assertThat(store.read(new RowRead(ROW, List.of(Selection.family("d")), T + 100)).isEmpty())
        .isTrue();
    Fixtures.put(store, "r", Fixtures.SPARSE, 2, "y");
    Fixtures.remove(store, "r", Fixtures.SPARSE, 2);
    assertThat(store.read(RowRead.of(ROW, Selection.family("s"))).isEmpty()).isTrue();
  }

  @Test
  void itemsOfOneCallOnOneRowSeeEachOther() {
    var increment =
        Fixtures.procedure(
            List.of(ROW),
            (rows, by) -> {
              Cell before = rows.newest(ROW, Fixtures.DATA, Long.MAX_VALUE);
              long sum = by + (before == null ? 0 : before.value().longAt(0));
              long version = before == null ? 1 : before.version() + 1;
              rows.put(ROW, Fixtures.DATA, version, Bytes.ofLong(sum));
              return sum;
            });
    var outcomes = store.execute(increment, List.of(1L, 10L, 100L), Durability.BUFFERED);
    assertThat(outcomes.stream().map(Fixtures::done)).containsExactly(1L, 11L, 111L);
  }

  @Test
  void proceduresReachOnlyTheRowsTheyName() {
    var straying =
        Fixtures.procedure(
            List.of(ROW),
            (rows, n) -> {
              rows.put(Fixtures.row("other"), Fixtures.DATA, 1, Bytes.EMPTY);
              return n;
            });
    assertThatThrownBy(() -> store.execute(straying, 0L, Durability.BUFFERED))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("did not name");
    var writingReader =
        Fixtures.reading(
            List.of(ROW),
            0,
            (rows, n) -> {
              rows.put(ROW, Fixtures.DATA, 1, Bytes.EMPTY);
              return n;
            });
    assertThatThrownBy(() -> store.execute(writingReader, 0L, Durability.BUFFERED))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void unknownTablesAndFamiliesAreRefused() {
    assertThatThrownBy(() -> store.read(RowRead.of(Row.of("none", "r"))))
        .isInstanceOf(UnknownTableException.class);
    assertThatThrownBy(() -> store.read(RowRead.of(ROW, Selection.family("none"))))
        .isInstanceOf(UnknownTableException.class);
    assertThatThrownBy(() -> Fixtures.put(store, "r", ColumnName.of("none", "q"), 1, "x"))
        .isInstanceOf(UnknownTableException.class);
  }

  @Test
  void droppedTableComesBackEmpty() {
    Fixtures.put(store, "r", Fixtures.DATA, 1, "x");
    Fixtures.put(store, "r", Fixtures.SPARSE, 1, "x");
    RowScanner open =
        store.scan(ScanRequest.of(Fixtures.TABLE, KeyRange.ALL, Selection.family("d")));
    store.dropTable(Fixtures.TABLE);
    store.dropTable(Fixtures.TABLE);
    assertThatThrownBy(open::next).isInstanceOf(TabletUnavailableException.class);
    open.close();
    assertThat(store.tables()).isEmpty();
    reopen();
    assertThat(store.read(RowRead.of(ROW, Selection.family("d"), Selection.family("s"))).isEmpty())
        .isTrue();
  }

  /** A reused cursor must not step over a tombstone into another row, nor miss its end. */
  @Test
  void seeksEndWithTheirColumnHoweverManyTombstonesLieBehind() {
    for (int i = 0; i < 300; i++) {
      Fixtures.put(store, "r" + i, Fixtures.SPARSE, i, "x");
      Fixtures.remove(store, "r" + i, Fixtures.SPARSE, i);
    }
    Fixtures.put(store, "r9", Fixtures.SPARSE, 1, "here");
    Fixtures.put(store, "r8", Fixtures.DATA, 5, "there");
    store.flush();
    var look =
        Fixtures.procedure(
            List.of(Fixtures.row("r8"), Fixtures.row("r9")),
            (rows, n) -> {
              assertThat(rows.newest(Fixtures.row("r8"), Fixtures.DATA, 4)).isNull();
              assertThat(Fixtures.text(rows.newest(Fixtures.row("r8"), Fixtures.DATA, 5)))
                  .isEqualTo("there");
              assertThat(rows.newest(Fixtures.row("r8"), Fixtures.DATA, -1)).isNull();
              assertThat(rows.family(Fixtures.row("r8"), "s", Bytes.EMPTY)).isEmpty();
              assertThat(rows.family(Fixtures.row("r9"), "s", Bytes.EMPTY)).hasSize(1);
              assertThat(rows.family(Fixtures.row("r9"), "s", Bytes.of("x"))).isEmpty();
              return n;
            });
    store.execute(look, 1L, Durability.BUFFERED);
  }

  @Test
  void keysLongerThanACursorsEndAreRead() {
    List<Row> rows = new ArrayList<>();
    for (int length : new int[] {10, 20_000, 40_000, 15, 100_000, 3}) {
      Row row = Fixtures.row("k".repeat(length));
      rows.add(row);
      Fixtures.put(store, row.key().toUtf8(), Fixtures.DATA, length, "x");
    }
    for (Row row : rows) {
      assertThat(store.read(RowRead.of(row, Selection.column(Fixtures.DATA))).cells())
          .extracting(Cell::version)
          .containsExactly((long) row.key().length());
    }
  }

  @Test
  void callsAfterCloseAreRefusedAndOpenScansEnd() {
    Fixtures.put(store, "r", Fixtures.DATA, 1, "x");
    RowScanner scan =
        store.scan(ScanRequest.of(Fixtures.TABLE, KeyRange.ALL, Selection.family("d")));
    assertThat(Objects.requireNonNull(scan.next()).row()).isEqualTo(ROW);
    store.close();
    store.close();
    assertThatThrownBy(scan::next).isInstanceOf(TabletUnavailableException.class);
    scan.close();
    assertThatThrownBy(store::tables).isInstanceOf(TabletUnavailableException.class);
    assertThatThrownBy(() -> store.advanceClock(T)).isInstanceOf(TabletUnavailableException.class);
    assertThatThrownBy(store::stats).isInstanceOf(TabletUnavailableException.class);
  }

  @Test
  void closeWaitsForCallsInFlight() {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    var slow =
        Fixtures.procedure(
            List.of(ROW),
            (rows, n) -> {
              running.countDown();
              await(go);
              rows.put(ROW, Fixtures.DATA, 1, Bytes.of("late"));
              return n;
            });
    CompletableFuture<Long> call =
        CompletableFuture.supplyAsync(
            () -> Fixtures.done(store.execute(slow, 5L, Durability.BUFFERED)), THREADS);
    await(running);
    CompletableFuture<Void> closing = CompletableFuture.runAsync(store::close, THREADS);
    assertThat(closing).isNotDone();
    go.countDown();
    assertThat(call.join()).isEqualTo(5);
    closing.join();
    open();
    assertThat(newest(Fixtures.DATA)).isEqualTo("late");
  }

  /** A compaction of minutes must not stand between the others and a raised epoch. */
  @Test
  void longWorkLetsOthersBeAloneButNobodyDropWhatItUses() throws Exception {
    Fixtures.put(store, "r", Fixtures.DATA, 3, "x");
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CompletableFuture<Void> work =
        CompletableFuture.runAsync(
            () ->
                store.takingLong(
                    db -> {
                      running.countDown();
                      await(go);
                    }),
            THREADS);
    await(running);
    CompletableFuture.runAsync(
            () -> {
              store.raiseEpoch(Fixtures.TABLE, 7);
              store.raiseWatermark(1);
              store.reclaim(Fixtures.TABLE, KeyRange.ALL);
            },
            THREADS)
        .get(30, TimeUnit.SECONDS);
    assertThat(newest(Fixtures.DATA)).isEqualTo("x");
    CompletableFuture<Void> drop =
        CompletableFuture.runAsync(() -> store.dropTable(Fixtures.TABLE), THREADS);
    assertThat(newest(Fixtures.DATA)).isEqualTo("x");
    assertThat(drop).isNotDone();
    go.countDown();
    work.join();
    drop.get(30, TimeUnit.SECONDS);
    assertThat(store.table(Fixtures.TABLE)).isEmpty();
  }

  private long draw(long atLeast) {
    return Fixtures.done(
        store.execute(
            Fixtures.procedure(List.of(ROW), (rows, n) -> rows.clock().next(n)),
            atLeast,
            Durability.BUFFERED));
  }

  private @org.jspecify.annotations.Nullable String newest(ColumnName column) {
    var cells = store.read(RowRead.of(ROW, Selection.column(column).newest(1))).cells();
    return cells.isEmpty() ? null : Fixtures.text(cells.get(0));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
