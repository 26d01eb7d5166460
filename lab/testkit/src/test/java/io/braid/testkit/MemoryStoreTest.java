package io.braid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.Tablet;
import io.braid.core.store.TabletUnavailableException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the store in memory offers beyond the contract: deaths, and tablets from the start. */
class MemoryStoreTest {
  private static final ColumnName X = ColumnName.of("f", "x");

  private final MemoryStore store = new MemoryStore(MemoryOptions.defaults().withLog());

  @BeforeEach
  void createTable() {
    store.ensureTable(new TableSchema("t", List.of(new FamilySchema("f", Kind.DATA))));
  }

  @Test
  void crashLosesWhatWasWrittenSinceTheLastSync() {
    put("a", 1, Durability.BUFFERED);
    put("b", 1, Durability.ORDERED);
    put("c", 1, Durability.SYNCED);
    put("a", 2, Durability.BUFFERED);
    put("d", 1, Durability.ORDERED);
    assertThat(store.unsyncedWrites()).isEqualTo(2);

    store.crash();

    assertThat(rows()).containsExactly("a@1", "b@1", "c@1");
    assertThat(store.unsyncedWrites()).isZero();
  }

  @Test
  void crashRestoresWhatWasReplacedAndRemoved() {
    put("a", 1, Durability.SYNCED);
    RowWrite replace = RowWrite.put(Row.of("t", "a"), new Cell(X, 1, Bytes.of("other")), cell(2));
    store.write(List.of(replace), Durability.BUFFERED);
    store.write(List.of(RowWrite.remove(Row.of("t", "a"), X, 1)), Durability.BUFFERED);

    store.crash();

    assertThat(store.read(RowRead.of(Row.of("t", "a"), Selection.column(X))).cells())
        .containsExactly(cell(1));
  }

  @Test
  void whatSurvivesACrashIsABeginningOfTheLog() {
    put("a", 1, Durability.BUFFERED);
    put("b", 1, Durability.BUFFERED);
    put("c", 1, Durability.BUFFERED);

    store.crash(2);

    assertThat(rows()).containsExactly("a@1", "b@1");
  }

  @Test
  void crashDoesNotBringCellsOfADroppedTableBack() {
    put("a", 1, Durability.SYNCED);
    put("a", 1, Durability.BUFFERED);
    store.dropTable("t");
    createTable();

    store.crash();

    assertThat(rows()).isEmpty();
  }

  @Test
  void restartLosesNothing() {
    put("a", 1, Durability.BUFFERED);

    store.restart();

    assertThat(rows()).containsExactly("a@1");
    assertThat(store.unsyncedWrites()).as("still not on the disk").isEqualTo(1);
  }

  @Test
  void restartEndsOpenScans() {
    put("a", 1, Durability.BUFFERED);
    try (RowScanner scanner = store.scan(everything())) {
      store.restart();

      assertThatThrownBy(scanner::next).isInstanceOf(TabletUnavailableException.class);
    }
  }

  @Test
  void syncsAreCountedOncePerCall() {
    store.write(
        List.of(RowWrite.put(Row.of("t", "a"), cell(1)), RowWrite.put(Row.of("t", "b"), cell(1))),
        Durability.SYNCED);
    put("c", 1, Durability.ORDERED);
    put("d", 1, Durability.BUFFERED);

    assertThat(store.syncs()).isEqualTo(1);
  }

  @Test
  void storeWithoutLogRefusesToCrash() {
    try (MemoryStore forgetful = new MemoryStore()) {
      assertThatThrownBy(forgetful::crash)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("withLog");
    }
  }

  @Test
  void newTablesBeginWithTheTabletsAskedFor() {
    try (MemoryStore split = new MemoryStore(MemoryOptions.defaults().splitAt("g", "p"))) {
      split.ensureTable(new TableSchema("t", List.of(new FamilySchema("f", Kind.DATA))));

      assertThat(split.tablets("t").stream().map(Tablet::range))
          .containsExactly(
              new KeyRange(Bytes.EMPTY, Bytes.of("g")),
              new KeyRange(Bytes.of("g"), Bytes.of("p")),
              new KeyRange(Bytes.of("p"), null));
    }
  }

  @Test
  void tabletsAreCutEvenly() {
    try (MemoryStore split = new MemoryStore(MemoryOptions.defaults().tablets(4))) {
      split.ensureTable(new TableSchema("t", List.of(new FamilySchema("f", Kind.DATA))));

      assertThat(split.tablets("t").stream().map(tablet -> tablet.range().start()))
          .containsExactly(Bytes.EMPTY, Bytes.ofInts(0x40), Bytes.ofInts(0x80), Bytes.ofInts(0xC0));
    }
  }

  private void put(String key, long version, Durability durability) {
    store.write(List.of(RowWrite.put(Row.of("t", key), cell(version))), durability);
  }

  private static Cell cell(long version) {
    return new Cell(X, version, Bytes.of("v" + version));
  }

  private static ScanRequest everything() {
    return ScanRequest.of("t", KeyRange.ALL, Selection.family("f"));
  }

  private List<String> rows() {
    List<String> found = new ArrayList<>();
    try (RowScanner scanner = store.scan(everything())) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        for (Cell cell : row.cells()) {
          found.add(row.row().key().toUtf8() + "@" + cell.version());
        }
      }
    }
    return found;
  }
}
