package io.braid.store.rocksdb.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Procedure;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.store.rocksdb.Fixtures;
import io.braid.store.rocksdb.RocksStore;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PresenceFilterTest {
  private static final Bytes ROW = Bytes.of("r");

  private final PresenceMemory memory = new PresenceMemory(10);
  private final PresenceFilter filter = new PresenceFilter(memory);

  @Test
  void silenceLastsUntilACellIsAdded() {
    long silence = filter.silence();
    assertThat(filter.lasted(silence)).isTrue();
    filter.up(ROW);
    assertThat(filter.lasted(silence)).isFalse();
    assertThat(filter.silence()).isEqualTo(PresenceFilter.NO_SILENCE);
    assertThat(filter.lasted(filter.silence())).isFalse();
    filter.down(ROW);
    assertThat(filter.lasted(silence)).as("a cell was there meanwhile").isFalse();
    assertThat(filter.lasted(filter.silence())).isTrue();
  }

  /** What is remembered of a cell goes with it, and a key that shares its place is another. */
  @Test
  void removalsAreRightWhateverIsRemembered(@TempDir Path directory) {
    try (RocksStore store = RocksStore.open(directory, Fixtures.SMALL)) {
      store.ensureTable(Fixtures.schema());
      ScanRequest scan = ScanRequest.of(Fixtures.TABLE, KeyRange.ALL, Selection.family("s"));
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 34_000; i++) {
          Fixtures.put(store, "r" + i, Fixtures.SPARSE, 1, "x");
        }
        assertThat(Fixtures.all(store, scan)).hasSize(34_000);
        for (int i = 0; i < 34_000; i++) {
          Fixtures.remove(store, "r" + i, Fixtures.SPARSE, 1);
          if (i % 100 == 0) {
            Fixtures.remove(store, "r" + i, Fixtures.SPARSE, 1);
          }
        }
        assertThat(Fixtures.all(store, scan)).isEmpty();
      }
    }
  }

  @Test
  void aCellIsRememberedWhileItIsThere() {
    filter.remember(ROW);
    assertThat(filter.remembers(Bytes.of("r"))).isTrue();
    assertThat(filter.remembers(Bytes.of("s"))).isFalse();
    filter.forget(Bytes.of("s"));
    assertThat(filter.remembers(ROW)).isTrue();
    filter.forget(Bytes.of("r"));
    assertThat(filter.remembers(ROW)).isFalse();
  }

  @Test
  void aSmallValueIsRememberedAsItWasPutLast() {
    filter.remember(ROW, Bytes.of("a"));
    assertThat(filter.value(Bytes.of("r"))).isEqualTo(Bytes.of("a"));
    filter.remember(ROW, Bytes.of("b"));
    assertThat(filter.value(ROW)).isEqualTo(Bytes.of("b"));
    filter.remember(ROW);
    assertThat(filter.value(ROW)).as("it is there as it was").isEqualTo(Bytes.of("b"));
    filter.remember(ROW, Bytes.wrap(new byte[600]));
    assertThat(filter.remembers(ROW)).isTrue();
    assertThat(filter.value(ROW)).as("a large one").isNull();
    filter.forget(ROW);
    assertThat(filter.value(ROW)).isNull();
  }

  /** Whatever is answered from memory is what RocksDB has. */
  @Test
  void aProcedureReadsWhatWasPutLast(@TempDir Path directory) {
    SplittableRandom random = new SplittableRandom(5);
    Map<String, String> model = new HashMap<>();
    try (RocksStore store = RocksStore.open(directory, Fixtures.SMALL)) {
      store.ensureTable(Fixtures.schema());
      for (int i = 0; i < 4000; i++) {
        String key = "r" + random.nextInt(30);
        Row row = Fixtures.row(key);
        String next = random.nextInt(3) == 0 ? null : i + "x".repeat(random.nextInt(700));
        String[] seen = new String[1];
        Procedure<Long, Long> procedure =
            Fixtures.procedure(
                List.of(row),
                (rows, version) -> {
                  seen[0] = Fixtures.text(rows.at(row, Fixtures.SPARSE, version));
                  if (next == null) {
                    rows.delete(row, Fixtures.SPARSE, version);
                  } else {
                    rows.put(row, Fixtures.SPARSE, version, Bytes.of(next));
                  }
                  return 0L;
                });
        Fixtures.done(store.execute(procedure, 1L, Durability.BUFFERED));
        assertThat(seen[0]).isEqualTo(model.get(key));
        if (next == null) {
          model.remove(key);
        } else {
          model.put(key, next);
        }
      }
      ScanRequest scan = ScanRequest.of(Fixtures.TABLE, KeyRange.ALL, Selection.family("s"));
      assertThat(Fixtures.all(store, scan)).hasSize(model.size());
    }
  }

  /** A scan skips a sparse family only while that is empty. */
  @Test
  void scanFindsTheCellsOfASparseFamilyThatWasEmpty(@TempDir Path directory) {
    try (RocksStore store = RocksStore.open(directory, Fixtures.SMALL)) {
      store.ensureTable(Fixtures.schema());
      Fixtures.put(store, "a", Fixtures.DATA, 1, "x");
      ScanRequest scan =
          ScanRequest.of(
              Fixtures.TABLE, KeyRange.ALL, Selection.family("d"), Selection.family("s"));
      assertThat(Fixtures.all(store, scan)).hasSize(1);
      Fixtures.put(store, "b", Fixtures.SPARSE, 1, "x");
      assertThat(Fixtures.all(store, scan)).hasSize(2);
      Fixtures.remove(store, "b", Fixtures.SPARSE, 1);
      assertThat(Fixtures.all(store, scan)).hasSize(1);
    }
  }

  /** Filters of many families together take what those need that have cells. */
  @Test
  void piecesOfFamiliesWithoutCellsAreGivenBack() {
    filter.up(ROW);
    filter.remember(ROW);
    assertThat(memory.taken()).isEqualTo(2);
    for (int i = 0; i < 100; i++) {
      PresenceFilter other = new PresenceFilter(memory);
      other.up(ROW);
      other.down(ROW);
    }
    assertThat(memory.taken()).isLessThanOrEqualTo(10);
    assertThat(filter.mayHave(ROW)).isTrue();
    memory.gone(filter);
    assertThat(memory.taken()).isLessThan(10);
  }

  /** Whoever counts while pieces are given back loses no cell. */
  @Test
  void aCellThatIsThereIsNeverForgotten() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    Thread clearing =
        new Thread(
            () -> {
              while (!done.get()) {
                filter.clearIfIdle();
                LockSupport.parkNanos(10_000);
              }
            });
    clearing.start();
    try {
      for (int i = 0; i < 200_000; i++) {
        Bytes row = Bytes.of("r" + i % 5000);
        filter.up(row);
        assertThat(filter.mayHave(row)).isTrue();
        filter.down(row);
      }
    } finally {
      done.set(true);
      clearing.join();
    }
    assertThat(filter.clearIfIdle()).isNotNegative();
  }
}
