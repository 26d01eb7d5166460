package io.braid.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.store.SortedFileWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows that were written are known, or the store says that it does not know. */
class WrittenRowsTest {
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

  private void put(String row, long version) {
    Fixtures.put(store, row, Fixtures.DATA, version, "x");
  }

  private void remember(long fresh) {
    store.rememberWrites(Fixtures.TABLE, () -> fresh);
  }

  @Test
  void rowsAreRememberedFromTheTimestampOn() {
    put("a", 5);
    assertThat(store.rowsWritten(Fixtures.TABLE, 1, 100)).isEmpty();
    remember(10);
    put("b", 12);
    put("c", 13);
    put("b", 14);
    assertThat(store.rowsWritten(Fixtures.TABLE, 11, 100).orElseThrow())
        .containsExactlyInAnyOrder(Bytes.of("b"), Bytes.of("c"));
    // What was written before it began to remember.
    assertThat(store.rowsWritten(Fixtures.TABLE, 10, 100)).isEmpty();
    // Who asks once more does not make it forget.
    remember(20);
    assertThat(store.rowsWritten(Fixtures.TABLE, 11, 100).orElseThrow()).hasSize(2);
    store.forgetWrites(Fixtures.TABLE);
    assertThat(store.rowsWritten(Fixtures.TABLE, 11, 100)).isEmpty();
  }

  /** The clock of the oracle is asked when rows are noted already. */
  @Test
  void theTimestampIsDrawnOnceRowsAreNoted() {
    store.rememberWrites(
        Fixtures.TABLE,
        () -> {
          put("between", 15);
          return 10;
        });
    assertThat(store.rowsWritten(Fixtures.TABLE, 11, 100).orElseThrow())
        .containsExactly(Bytes.of("between"));
  }

  @Test
  void tooManyRowsAreNotRemembered() {
    remember(10);
    String longKey = "k".repeat(30_000);
    for (int i = 0; i < 300; i++) {
      put(longKey + i, 12);
    }
    assertThat(store.rowsWritten(Fixtures.TABLE, 11, 100)).isEmpty();
    remember(20);
    put("a", 21);
    assertThat(store.rowsWritten(Fixtures.TABLE, 21, 100).orElseThrow()).hasSize(1);
  }

  @Test
  void filesThatComeInAndVeilsThatAreLiftedEndIt() {
    remember(10);
    Path hidden = file("hidden", 12);
    store.veil(Fixtures.TABLE, 12, false);
    store.ingest(Fixtures.TABLE, "d", List.of(hidden));
    assertThat(store.rowsWritten(Fixtures.TABLE, 11, 1000).orElseThrow()).isEmpty();
    store.advanceClock(512);
    long commit = store.lift(Fixtures.TABLE, 12, 512, 0, "s", (row, veiled) -> false).commit();
    assertThat(store.rowsWritten(Fixtures.TABLE, 11, commit)).isEmpty();
    assertThat(store.rowsWritten(Fixtures.TABLE, 11, commit - 1).orElseThrow()).isEmpty();

    store.ingest(Fixtures.TABLE, "d", List.of(file("shown", 13)));
    assertThat(store.rowsWritten(Fixtures.TABLE, 11, commit - 1)).isEmpty();
  }

  private Path file(String name, long version) {
    Path file = directory.resolve(name);
    ColumnName column = Fixtures.DATA;
    try (SortedFileWriter writer = store.sortedFile(Fixtures.TABLE, column.family(), file)) {
      writer.put(Bytes.of("row"), column.qualifier(), version, Bytes.of("x"));
      writer.finish();
    }
    return file;
  }
}
