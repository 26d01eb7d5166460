package io.braid.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Wide rows, long columns and large calls are nothing special. */
interface SizeLaws extends StoreUnderTest {
  int MANY = 5000;

  @Test
  default void rowsMayBeWide() {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      String qualifier = String.format("q%05d", i);
      cells.add(StoreUnderTest.cell(column("d", qualifier), 1, "v" + i));
    }
    write(new RowWrite(A, cells, List.of()));

    assertThat(store().read(RowRead.of(A, Selection.family("d"))).cells()).isEqualTo(cells);
    Cell middle = cells.get(MANY / 2);
    assertThat(store().read(RowRead.of(A, Selection.column(middle.column()))).cells())
        .containsExactly(middle);
  }

  @Test
  default void columnsMayHoldManyVersions() {
    List<Cell> cells = new ArrayList<>();
    for (long version = MANY; version > 0; version--) {
      cells.add(StoreUnderTest.cell(DATA, version, "v" + version));
    }
    write(new RowWrite(A, cells, List.of()));
    Selection some = Selection.column(DATA).upTo(MANY / 2).newest(3);

    assertThat(store().read(RowRead.of(A, some)).cells())
        .isEqualTo(cells.subList(MANY / 2, MANY / 2 + 3));
    assertThat(run(Program.over(A).newest(A, DATA, 17).versions(A, DATA, 16, 18, 2)))
        .containsExactly("d:q@17=v17", "d:q@18=v18 d:q@17=v17");
  }

  @Test
  default void callsMayHoldManyItems() {
    List<RowWrite> writes = new ArrayList<>();
    List<Program> programs = new ArrayList<>();
    List<RowRead> reads = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      Row row = Row.of(TABLE, (char) ('a' + i % 26) + "" + i);
      writes.add(RowWrite.put(row, StoreUnderTest.cell(DATA, 1, "w" + i)));
      programs.add(Program.over(row).newest(row, DATA, 1).put(row, DATA, 2, "p" + i));
      reads.add(RowRead.of(row, Selection.column(DATA)));
    }
    store().splitTablet(TABLE, Bytes.of("g"));
    store().splitTablet(TABLE, Bytes.of("p"));

    write(writes.toArray(RowWrite[]::new));
    List<Outcome<List<String>>> outcomes =
        store().execute(Program.WRITING, programs, Durability.BUFFERED);
    List<RowCells> rows = store().read(reads);

    for (int i = 0; i < MANY; i++) {
      assertThat(StoreUnderTest.answers(outcomes.get(i))).startsWith("d:q@1=w" + i);
      assertThat(rows.get(i).cells())
          .containsExactly(
              StoreUnderTest.cell(DATA, 2, "p" + i), StoreUnderTest.cell(DATA, 1, "w" + i));
    }
  }

  @Test
  default void aListOfAScanEndsWhenItIsLarge() {
    int count = 12;
    String mebibyte = "x".repeat(1 << 20);
    for (int i = 0; i < count; i++) {
      write(RowWrite.put(Row.of(TABLE, "m" + (char) ('a' + i)), cell(mebibyte)));
    }
    ScanRequest request =
        ScanRequest.of(TABLE, KeyRange.prefix(Bytes.of("m")), Selection.column(DATA));
    List<Row> rows = new ArrayList<>();
    try (RowScanner scanner = store().scan(request)) {
      for (List<RowCells> list = scanner.nextRows(100);
          !list.isEmpty();
          list = scanner.nextRows(100)) {
        assertThat(list).hasSizeLessThanOrEqualTo(4);
        list.forEach(row -> rows.add(row.row()));
      }
    }
    assertThat(rows).hasSize(count).isSorted();
  }

  private static Cell cell(String value) {
    return StoreUnderTest.cell(DATA, 1, value);
  }

  private static ColumnName column(String family, String qualifier) {
    return ColumnName.of(family, qualifier);
  }
}
