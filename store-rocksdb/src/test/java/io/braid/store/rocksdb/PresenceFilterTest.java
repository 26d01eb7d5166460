package io.braid.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PresenceFilterTest {
  private static final Bytes ROW = Bytes.of("r");

  private final PresenceFilter filter = new PresenceFilter();

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
}
