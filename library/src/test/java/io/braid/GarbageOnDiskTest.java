package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionException;
import io.braid.percolator.garbage.CollectionReport;
import io.braid.percolator.garbage.CollectionRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Garbage collection over RocksDB. */
class GarbageOnDiskTest {
  private static final String TABLE = "accounts";
  private static final Column<Long> BALANCE = Column.of("f", "balance", Codecs.int64());
  private static final Column<String> NOTE = Column.of("f", "note", Codecs.utf8());
  private static final int ACCOUNTS = 8;
  private static final CollectionRequest NOW = CollectionRequest.keep(Duration.ZERO);

  @TempDir Path dir;

  private static CollectionReport collect(Braid db) {
    return db.operations().collector().collect(NOW, each -> {}, () -> false).orElseThrow();
  }

  /**
   * Faults 26 and 27: money moves between accounts that are closed and opened again, while
   * collections follow each other. Every snapshot shows the whole sum, twice.
   */
  @Test
  void snapshotsReadTheSameWhileCollectionsRun() throws Exception {
    try (Braid db = Braid.open(dir.resolve("data"))) {
      db.ensureTable(TABLE, "f");
      db.run(
          tx -> {
            for (int i = 0; i < ACCOUNTS; i++) {
              tx.set(account(i), BALANCE, 100L);
            }
            return 0;
          });
      AtomicBoolean ended = new AtomicBoolean();
      AtomicLong collected = new AtomicLong();
      ExecutorService threads = Executors.newCachedThreadPool();
      List<Future<Object>> work = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        int seed = i;
        work.add(threads.submit(() -> transfers(db, seed)));
        work.add(threads.submit(() -> readings(db)));
      }
      Future<Object> collecting =
          threads.submit(
              () -> {
                while (!ended.get()) {
                  collected.addAndGet(collect(db).counts().removed());
                }
                return 0;
              });
      for (Future<Object> each : work) {
        each.get();
      }
      ended.set(true);
      collecting.get();
      threads.shutdown();
      try (Snapshot last = db.snapshot()) {
        assertThat(sum(last)).isEqualTo(100L * ACCOUNTS);
      }
      collected.addAndGet(collect(db).counts().removed());
      assertThat(collected.get()).isGreaterThan(100);
      assertThat(collect(db).counts().removed()).isZero();
    }
  }

  private static Object transfers(Braid db, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 400; i++) {
      Row from = account(random.nextInt(ACCOUNTS));
      Row to = account(random.nextInt(ACCOUNTS));
      if (from.equals(to)) {
        continue;
      }
      try {
        db.run(
            tx -> {
              long moved = tx.get(from, BALANCE).orElse(0L);
              long there = tx.get(to, BALANCE).orElse(0L);
              tx.delete(from, BALANCE);
              tx.set(to, BALANCE, there + moved);
              tx.set(to, NOTE, "x".repeat(2000));
              return moved;
            });
      } catch (ConflictException e) {
        // The other one was faster, many times.
      }
    }
    return 0;
  }

  private static Object readings(Braid db) {
    for (int i = 0; i < 300; i++) {
      try (Snapshot snapshot = db.snapshot()) {
        assertThat(sum(snapshot)).isEqualTo(100L * ACCOUNTS);
        long again = 0;
        for (int account = 0; account < ACCOUNTS; account++) {
          again += snapshot.get(account(account), BALANCE).orElse(0L);
          snapshot.get(account(account), NOTE);
        }
        assertThat(again).isEqualTo(100L * ACCOUNTS);
      }
    }
    return 0;
  }

  private static long sum(Snapshot snapshot) {
    long sum = 0;
    try (RowCursor rows = snapshot.scan(Scan.of(TABLE).column(BALANCE))) {
      while (rows.hasNext()) {
        sum += rows.next().get(BALANCE).orElse(0L);
      }
    }
    return sum;
  }

  private static Row account(int number) {
    return Row.of(TABLE, "account-" + number);
  }

  @Test
  void theFilesShrink() throws Exception {
    Path data = dir.resolve("data");
    SplittableRandom random = new SplittableRandom(1);
    try (Braid db = Braid.open(data)) {
      db.ensureTable(TABLE, "f");
      for (int round = 0; round < 20; round++) {
        db.run(
            tx -> {
              for (int i = 0; i < 200; i++) {
                tx.set(account(i), NOTE, text(random, i % 2 == 0 ? 500 : 1500));
              }
              return 0;
            });
      }
      db.store().reclaim(TABLE, KeyRange.ALL);
      long before = size(data);
      CollectionReport report = collect(db);
      assertThat(report.counts().superseded()).isEqualTo(19 * 200);
      assertThat(report.counts().large()).isEqualTo(19 * 100);
      awaitSmaller(data, before / 4);
      try (Snapshot snapshot = db.snapshot()) {
        assertThat(snapshot.get(account(7), NOTE).orElseThrow()).hasSize(1500);
      }
    }
  }

  private static String text(SplittableRandom random, int length) {
    return random
        .ints(length, 33, 127)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Without the log, which has bounds of its own. */
  /** RocksDB removes files that nobody needs any more in the background. */
  private static void awaitSmaller(Path directory, long bound) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (size(directory) >= bound && System.nanoTime() < end) {
      Thread.sleep(20);
    }
    assertThat(size(directory)).isLessThan(bound);
  }

  private static long size(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .mapToLong(GarbageOnDiskTest::length)
          .sum();
    }
  }

  private static long length(Path file) {
    try {
      return Files.exists(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fault 26: what was refused before a restart is refused after it; a pin outlives both. */
  @Test
  void theWatermarkAndPinsOutliveTheProcess() {
    Path data = dir.resolve("data");
    long first;
    long second;
    try (Braid db = Braid.open(data)) {
      db.ensureTable(TABLE, "f");
      first = write(db, 1);
      second = write(db, 2);
      write(db, 3);
      db.transactions().pin("second", second);
      assertThat(collect(db).counts().superseded()).isEqualTo(1);
    }
    try (Braid db = Braid.open(data)) {
      assertThatThrownBy(() -> db.transactions().snapshotAt(first))
          .isInstanceOfSatisfying(
              TransactionException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
      assertThat(collect(db).heldBy()).isEqualTo("pin second");
      try (Snapshot pinned = db.transactions().snapshotAt(second)) {
        assertThat(pinned.get(account(0), BALANCE)).contains(2L);
      }
    }
  }

  private static long write(Braid db, long value) {
    try (var tx = db.begin()) {
      tx.set(account(0), BALANCE, value);
      return tx.commit();
    }
  }
}
