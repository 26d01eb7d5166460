package io.braid.store.rocksdb.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.store.rocksdb.Fixtures;
import io.braid.store.rocksdb.RocksOptions;
import io.braid.store.rocksdb.RocksStore;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 61: a torn last record is cut, damage before it refuses to start. */
class LogCheckTest {
  /** Write buffers large enough for one log to hold everything. */
  private static final RocksOptions OPTIONS = Fixtures.SMALL.withMemoryBytes(128L << 20);

  private static final int ROWS = 60;
  // Longer than a block of the log now and then, so that records are split into fragments.
  private static final String[] VALUES = {"v".repeat(10), "w".repeat(3000), "x".repeat(70_000)};

  @TempDir Path directory;

  @BeforeEach
  void fill() {
    try (RocksStore store = RocksStore.open(directory, OPTIONS)) {
      store.ensureTable(Fixtures.schema());
      for (int i = 0; i < ROWS; i++) {
        Fixtures.put(store, "r" + i, Fixtures.DATA, 1, VALUES[i % VALUES.length]);
      }
    }
  }

  @Test
  void wholeLogLosesNothing() {
    assertThat(rowsAfterOpening()).isEqualTo(ROWS);
  }

  @Test
  void tornLastRecordIsCutAtEveryLength() throws IOException {
    Path log = log();
    byte[] whole = Files.readAllBytes(log);
    Path copies = Files.createDirectories(directory.resolve("copy"));
    Path copy = copies.resolve("000001.log");
    long last = 0;
    for (int cut = whole.length - 1; cut > whole.length - 100_000; cut -= 9973) {
      Files.write(copy, java.util.Arrays.copyOf(whole, cut));
      LogCheck.check(copies);
      long left = Files.size(copy);
      assertThat(left).isLessThanOrEqualTo(cut);
      LogCheck.check(copies);
      assertThat(Files.size(copy)).isEqualTo(left);
      last = left;
    }
    assertThat(last).isGreaterThan(0);
  }

  @Test
  void storeOpensWithoutTheTornRecord() throws IOException {
    try (RandomAccessFile log = new RandomAccessFile(log().toFile(), "rw")) {
      log.setLength(log.length() - 7);
    }
    assertThat(rowsAfterOpening()).isEqualTo(ROWS - 1);
    assertThat(rowsAfterOpening()).isEqualTo(ROWS - 1);
  }

  @Test
  void lastRecordWithGarbageInItIsCut() throws IOException {
    flip(Files.size(log()) - 20);
    assertThat(rowsAfterOpening()).isEqualTo(ROWS - 1);
  }

  @Test
  void zerosBehindTheLastRecordAreCut() throws IOException {
    try (RandomAccessFile log = new RandomAccessFile(log().toFile(), "rw")) {
      log.setLength(log.length() + 100_000);
    }
    assertThat(rowsAfterOpening()).isEqualTo(ROWS);
  }

  @Test
  void damageBeforeWholeRecordsRefusesToStart() throws IOException {
    for (long at : new long[] {40, Files.size(log()) / 3, Files.size(log()) / 2}) {
      flip(at);
      assertThatThrownBy(this::rowsAfterOpening)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is damaged at byte")
          .hasMessageContaining("Restore");
      flip(at);
    }
    assertThat(rowsAfterOpening()).isEqualTo(ROWS);
  }

  /** Two logs are there: the end of the first is missing, the second is whole. */
  @Test
  void tornLogBeforeAWholeOneRefusesToStart() throws IOException {
    Path first = log();
    Files.copy(first, directory.resolve("rocksdb/099999.log"));
    try (RandomAccessFile log = new RandomAccessFile(first.toFile(), "rw")) {
      log.setLength(log.length() - 7);
    }
    assertThatThrownBy(this::rowsAfterOpening)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is damaged at byte");
  }

  @Test
  void damagedSortedFileIsReportedNotReturned() throws IOException {
    try (RocksStore store = RocksStore.open(directory, OPTIONS)) {
      store.compact();
    }
    Path file = largest(".sst");
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(2000);
      byte[] noise = new byte[200];
      new java.util.SplittableRandom(1).nextBytes(noise);
      bytes.write(noise);
    }
    assertThatThrownBy(this::rowsAfterOpening).isInstanceOf(StoreException.class);
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.setLength(bytes.length() / 2);
    }
    assertThatThrownBy(this::rowsAfterOpening)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot be opened");
  }

  private int rowsAfterOpening() {
    int rows = 0;
    try (RocksStore store = RocksStore.open(directory, OPTIONS)) {
      for (int i = 0; i < ROWS; i++) {
        var cells =
            store.read(RowRead.of(Fixtures.row("r" + i), Selection.column(Fixtures.DATA))).cells();
        if (!cells.isEmpty()) {
          assertThat(cells.get(0).value().toUtf8()).isEqualTo(VALUES[i % VALUES.length]);
          rows++;
        }
      }
    }
    return rows;
  }

  private void flip(long at) throws IOException {
    try (RandomAccessFile log = new RandomAccessFile(log().toFile(), "rw")) {
      log.seek(at);
      int b = log.read();
      log.seek(at);
      log.write(b ^ 0x10);
    }
  }

  private Path log() throws IOException {
    return largest(".log");
  }

  private Path largest(String suffix) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("rocksdb"))) {
      return files
          .filter(file -> file.toString().endsWith(suffix))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }
}
