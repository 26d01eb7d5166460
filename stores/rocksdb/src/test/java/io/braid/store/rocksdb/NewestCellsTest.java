package io.braid.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.SortedFileWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered of columns that are asked for again and again. */
class NewestCellsTest {
  private static final Row ROW = Fixtures.row("r");
  private static final List<ColumnName> COLUMNS =
      List.of(Fixtures.DATA, ColumnName.of("d", "other"), ColumnName.of("e", "q"));

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

  @Test
  void columnThatIsAskedForAgainTakesNoSeek() {
    Fixtures.put(store, "r", Fixtures.DATA, 5, "x");
    for (int i = 0; i < 3; i++) {
      newest(Fixtures.DATA, 9);
    }
    long seeks = store.stats().seeks();
    for (long version = 6; version < 20; version++) {
      Fixtures.put(store, "r", Fixtures.DATA, version, "v" + version);
      assertThat(newest(Fixtures.DATA, version)).isEqualTo(version);
      assertThat(newest(Fixtures.DATA, Long.MAX_VALUE)).isEqualTo(version);
    }
    assertThat(store.stats().seeks()).isEqualTo(seeks);
    assertThat(newest(Fixtures.DATA, 7)).as("a past snapshot").isEqualTo(7);
  }

  @Test
  void columnWithoutCellsIsRememberedToo() {
    for (int i = 0; i < 3; i++) {
      assertThat(newest(Fixtures.DATA, 9)).isNull();
    }
    long seeks = store.stats().seeks();
    assertThat(newest(Fixtures.DATA, 9)).isNull();
    assertThat(store.stats().seeks()).isEqualTo(seeks);
    Fixtures.put(store, "r", Fixtures.DATA, 5, "x");
    assertThat(newest(Fixtures.DATA, 9)).isEqualTo(5);
  }

  @Test
  void largeValuesAreReadFromTheStore() {
    for (int i = 0; i < 4; i++) {
      newest(Fixtures.DATA, 9);
    }
    Fixtures.put(store, "r", Fixtures.DATA, 5, "x".repeat(5000));
    assertThat(newest(Fixtures.DATA, 9)).isEqualTo(5);
    Fixtures.put(store, "r", Fixtures.DATA, 6, "small");
    assertThat(newest(Fixtures.DATA, 9)).isEqualTo(6);
  }

  @Test
  void tableMadeAnewIsEmpty() {
    Fixtures.put(store, "r", Fixtures.DATA, 5, "x");
    for (int i = 0; i < 4; i++) {
      newest(Fixtures.DATA, 9);
    }
    store.dropTable(Fixtures.TABLE);
    store.ensureTable(Fixtures.schema());
    assertThat(newest(Fixtures.DATA, 9)).isNull();
  }

  /** A column that nobody has asked for lately is got by its exact key: no seek, no cursor. */
  @Test
  void columnWhoseVersionIsRememberedTakesNoSeek() {
    for (int i = 0; i < 100; i++) {
      Fixtures.put(store, "r" + i, Fixtures.DATA, 5 + i, "x" + i);
    }
    long seeks = store.stats().seeks();
    for (int i = 0; i < 100; i++) {
      Row row = Fixtures.row("r" + i);
      long version = 5 + i;
      assertThat(
              run(
                  Fixtures.reading(
                      List.of(row), 0, (rows, n) -> version(rows.newest(row, Fixtures.DATA, 999)))))
          .isEqualTo(version);
    }
    assertThat(store.stats().seeks() - seeks).isLessThan(30);
    Fixtures.remove(store, "r7", Fixtures.DATA, 12);
    assertThat(
            run(
                Fixtures.reading(
                    List.of(Fixtures.row("r7")),
                    0,
                    (rows, n) -> version(rows.newest(Fixtures.row("r7"), Fixtures.DATA, 999)))))
        .isEqualTo(-1);
  }

  /** Puts, removals and ingests at random; both ways of reading agree with a map. */
  @Test
  void agreesWithAModelWhateverIsWritten() {
    SplittableRandom random = new SplittableRandom(11);
    Map<ColumnName, TreeMap<Long, String>> model = new TreeMap<>();
    COLUMNS.forEach(column -> model.put(column, new TreeMap<>()));
    for (int step = 0; step < 3000; step++) {
      ColumnName column = COLUMNS.get(random.nextInt(COLUMNS.size()));
      TreeMap<Long, String> cells = Objects.requireNonNull(model.get(column));
      long version = random.nextInt(12);
      String value = "v" + step + (random.nextInt(9) == 0 ? "x".repeat(2000) : "");
      switch (random.nextInt(step % 100 == 0 ? 9 : 8)) {
        case 0 -> {
          Fixtures.put(store, "r", column, version, value);
          cells.put(version, value);
        }
        case 1 -> {
          Fixtures.remove(store, "r", column, version);
          cells.remove(version);
        }
        case 8 -> {
          ingest(column, version, value, "f" + step);
          cells.put(version, value);
        }
        default -> {
          Map.Entry<Long, String> expected = cells.floorEntry(version);
          assertThat(newest(column, version))
              .as("step " + step)
              .isEqualTo(expected == null ? null : expected.getKey());
        }
      }
    }
    assertThat(store.stats().newestHits()).isGreaterThan(500);
  }

  private void ingest(ColumnName column, long version, String value, String name) {
    Path file = directory.resolve(name);
    try (SortedFileWriter writer = store.sortedFile(Fixtures.TABLE, column.family(), file)) {
      writer.put(ROW.key(), column.qualifier(), version, Bytes.of(value));
      writer.finish();
    }
    store.ingest(Fixtures.TABLE, column.family(), List.of(file));
  }

  /** The newest version, read in a procedure that writes, one that does not, and by a read. */
  private @Nullable Long newest(ColumnName column, long maxVersion) {
    long locked =
        run(
            Fixtures.procedure(
                List.of(ROW), (rows, n) -> version(rows.newest(ROW, column, maxVersion))));
    long free =
        run(
            Fixtures.reading(
                List.of(ROW), 0, (rows, n) -> version(rows.newest(ROW, column, maxVersion))));
    Selection selection = Selection.column(column).upTo(maxVersion).newest(1);
    List<Cell> read = store.read(RowRead.of(ROW, selection)).cells();
    assertThat(free).isEqualTo(locked);
    assertThat(read.isEmpty() ? -1 : read.get(0).version()).isEqualTo(locked);
    return locked < 0 ? null : locked;
  }

  private long run(Procedure<Long, Long> procedure) {
    return Fixtures.done(store.execute(procedure, 0L, Durability.BUFFERED));
  }

  private static long version(@Nullable Cell cell) {
    return cell == null ? -1 : cell.version();
  }
}
