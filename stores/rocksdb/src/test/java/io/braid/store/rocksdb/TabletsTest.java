package io.braid.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.Tablet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TabletsTest {
  private static final String TABLE = Fixtures.TABLE;

  @TempDir Path directory;

  @Test
  void splitChangesIdsAndSurvivesReopening() {
    List<Tablet> before;
    List<Tablet> after;
    try (RocksStore store = open(Fixtures.SMALL)) {
      before = store.tablets(TABLE);
      assertThat(before).singleElement().extracting(Tablet::range).isEqualTo(KeyRange.ALL);
      store.splitTablet(TABLE, Bytes.of("m"));
      store.splitTablet(TABLE, Bytes.of("c"));
      store.splitTablet(TABLE, Bytes.of("m"));
      store.splitTablet(TABLE, Bytes.EMPTY);
      after = store.tablets(TABLE);
    }
    assertThat(after)
        .extracting(Tablet::range)
        .containsExactly(
            new KeyRange(Bytes.EMPTY, Bytes.of("c")),
            new KeyRange(Bytes.of("c"), Bytes.of("m")),
            new KeyRange(Bytes.of("m"), null));
    assertThat(after).extracting(Tablet::id).doesNotHaveDuplicates();
    assertThat(after).extracting(Tablet::id).doesNotContain(before.get(0).id());
    try (RocksStore store = open(Fixtures.SMALL)) {
      assertThat(store.tablets(TABLE)).isEqualTo(after);
    }
  }

  @Test
  void tabletsOfATableMadeAnewHaveOtherIds() {
    try (RocksStore store = open(Fixtures.SMALL)) {
      List<Tablet> before = store.tablets(TABLE);
      store.dropTable(TABLE);
      store.ensureTable(Fixtures.schema());
      assertThat(store.tablets(TABLE)).extracting(Tablet::id).doesNotContain(before.get(0).id());
    }
  }

  @Test
  void reachOfATabletEndsAtItsKeys() {
    RocksOptions options = Fixtures.SMALL.withReach(OnePhaseReach.TABLET);
    List<Row> rows = List.of(Fixtures.row("a"), Fixtures.row("z"));
    try (RocksStore store = open(options)) {
      assertThat(store.together(rows)).isTrue();
      store.splitTablet(TABLE, Bytes.of("m"));
      assertThat(store.together(rows)).isFalse();
      for (boolean readOnly : new boolean[] {true, false}) {
        var procedure =
            readOnly
                ? Fixtures.reading(rows, 0, (access, n) -> n)
                : Fixtures.procedure(rows, (access, n) -> n);
        assertThat(store.execute(procedure, 1L, Durability.BUFFERED))
            .isInstanceOfSatisfying(
                Outcome.NotExecuted.class,
                outcome -> assertThat(outcome.reason()).isEqualTo(Outcome.Reason.NOT_TOGETHER));
      }
    }
    try (RocksStore store = open(Fixtures.SMALL)) {
      assertThat(store.together(rows)).isTrue();
    }
  }

  /** Short random keys, and long ones that share a long start as URLs do. */
  @ParameterizedTest
  @ValueSource(strings = {"", "https://example.org/a/long/path/that/all/of/them/share/"})
  void largeTabletsSplitIntoSimilarParts(String prefix) {
    long size = 256 << 10;
    try (RocksStore store = open(Fixtures.SMALL.withTabletBytes(size))) {
      fill(store, prefix);
      for (int i = 0; i < 6; i++) {
        store.splitLarge();
      }
      List<Tablet> tablets = store.tablets(TABLE);
      assertThat(tablets).hasSizeBetween(8, 40);
      List<Integer> rows = new ArrayList<>();
      for (Tablet tablet : tablets) {
        var scan = ScanRequest.of(TABLE, tablet.range(), Selection.family("d"));
        rows.add(Fixtures.all(store, scan).size());
      }
      assertThat(rows.stream().mapToInt(n -> n).sum()).isEqualTo(20_000);
      assertThat(rows).as("rows of each tablet").allMatch(n -> n < 4_000);
    }
  }

  @Test
  void oneGiantRowIsNotSplit() {
    try (RocksStore store = open(Fixtures.SMALL.withTabletBytes(64 << 10))) {
      SplittableRandom random = new SplittableRandom(5);
      for (int i = 0; i < 2000; i++) {
        Fixtures.put(store, "row", Fixtures.DATA, i, text(random, 300));
      }
      store.splitLarge();
      assertThat(store.tablets(TABLE)).hasSize(1);
    }
  }

  private static void fill(RocksStore store, String prefix) {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 200; i++) {
      List<RowWrite> writes = new ArrayList<>();
      for (int j = 0; j < 100; j++) {
        String key = prefix + text(random, 12) + (i * 100 + j);
        writes.add(
            RowWrite.put(Fixtures.row(key), Fixtures.cell(Fixtures.DATA, 1, text(random, 150))));
      }
      store.write(writes, Durability.BUFFERED);
    }
    store.flush();
  }

  private static String text(SplittableRandom random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  private RocksStore open(RocksOptions options) {
    RocksStore store = RocksStore.open(directory, options);
    store.ensureTable(Fixtures.schema());
    return store;
  }
}
