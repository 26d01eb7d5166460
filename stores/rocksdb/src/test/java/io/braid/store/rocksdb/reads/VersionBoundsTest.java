package io.braid.store.rocksdb.reads;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.SortedFileWriter;
import io.braid.store.rocksdb.Fixtures;
import io.braid.store.rocksdb.RocksOptions;
import io.braid.store.rocksdb.RocksStore;
import io.braid.store.rocksdb.engine.Engine;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conflict checks from memory: whatever was written, wherever it came from, is found. */
class VersionBoundsTest {
  private static final long LATE = 1L << 50;

  @TempDir Path directory;
  private RocksStore store;

  @BeforeEach
  void open() {
    store = RocksStore.open(directory.resolve("store"), Fixtures.SMALL);
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

  @Test
  void columnWithoutNewVersionsTakesNoSeek() {
    Fixtures.put(store, "r", Fixtures.DATA, 5, "x");
    long seeks = store.stats().seeks();
    assertThat(above("r", 5)).isZero();
    assertThat(above("never written", 5)).isZero();
    assertThat(store.stats().seeks()).isEqualTo(seeks);
    assertThat(above("r", 4)).isEqualTo(5);
  }

  @Test
  void versionsFromBeforeTheOpeningAreFound() {
    Fixtures.put(store, "r", Fixtures.DATA, 5, "x");
    Fixtures.put(store, "s", Fixtures.DATA, LATE, "x");
    Fixtures.put(store, "t", Fixtures.DATA, Long.MAX_VALUE, "x");
    for (int i = 0; i < 2; i++) {
      reopen();
      assertThat(above("r", 4)).isEqualTo(5);
      assertThat(above("s", LATE - 1)).isEqualTo(LATE);
      assertThat(above("t", LATE)).isEqualTo(Long.MAX_VALUE);
      assertThat(above("u", LATE)).isZero();
    }
  }

  @Test
  void someTimeAfterTheOpeningNothingIsSoughtAgain() {
    Fixtures.put(store, "r", Fixtures.DATA, LATE, "x");
    reopen();
    long seeks = store.stats().seeks();
    assertThat(above("r", 2 * LATE)).isZero();
    assertThat(store.stats().seeks()).isEqualTo(seeks);
  }

  @Test
  void versionsOfIngestedFilesAreFound() {
    Path file = directory.resolve("file");
    try (SortedFileWriter writer = store.sortedFile(Fixtures.TABLE, "d", file)) {
      writer.put(Bytes.of("r"), Fixtures.DATA.qualifier(), LATE, Bytes.of("x"));
      writer.finish();
    }
    assertThat(above("r", 4)).isZero();
    store.ingest(Fixtures.TABLE, "d", List.of(file));
    assertThat(above("r", 4)).isEqualTo(LATE);
    reopen();
    assertThat(above("r", 4)).isEqualTo(LATE);
  }

  /** Two writers find the bound too low; the one with the lower version comes second. */
  @Test
  void higherBoundThatWasWrittenMeanwhileStays() {
    try (Engine engine = Fixtures.engine(directory.resolve("bounds"))) {
      VersionBounds bounds = new VersionBounds(engine, true, RocksOptions.LEAST_MEMORY);
      VersionBounds.Raise high = bounds.raiseTo(2 * LATE);
      bounds.covered(high);
      VersionBounds.Raise low = bounds.raiseTo(LATE);
      assertThat(low.bound()).isLessThan(high.bound());
      assertThat(low.outdated()).isEmpty();
      bounds.covered(low);
      assertThat(bounds.raiseTo(3 * LATE).outdated())
          .containsExactlyInAnyOrder(low.bound(), high.bound());
    }
  }

  /** Few rows over many places, versions far apart, and reopened now and then. */
  @Test
  void agreesWithAModelWhateverIsWritten() {
    SplittableRandom random = new SplittableRandom(7);
    TreeMap<String, Long> newest = new TreeMap<>();
    for (int step = 0; step < 1500; step++) {
      String row = "r" + random.nextInt(20);
      long version = random.nextLong(1, 20) << random.nextInt(50);
      if (random.nextBoolean()) {
        Fixtures.put(store, row, Fixtures.DATA, version, "x");
        newest.merge(row, version, Math::max);
      } else {
        long expected = newest.getOrDefault(row, 0L);
        assertThat(above(row, version))
            .as("step %d", step)
            .isEqualTo(expected > version ? expected : 0);
      }
      if (step % 500 == 499) {
        reopen();
      }
    }
  }

  private long above(String key, long version) {
    Row row = Fixtures.row(key);
    return Fixtures.done(
        store.execute(
            Fixtures.procedure(
                List.of(row), (rows, n) -> rows.newestAbove(row, Fixtures.DATA, version)),
            0L,
            Durability.BUFFERED));
  }
}
