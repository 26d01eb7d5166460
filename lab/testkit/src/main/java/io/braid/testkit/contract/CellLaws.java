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
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cells are what was put, in the order of rows, columns and versions; keys are any bytes. */
interface CellLaws extends StoreUnderTest {
  /** Keys in which codings with terminators, escapes or lengths go wrong; in order. */
  List<Bytes> TRICKY =
      List.of(
          Bytes.EMPTY,
          Bytes.ofInts(0),
          Bytes.ofInts(0, 0),
          Bytes.ofInts(0, 0, 1),
          Bytes.ofInts(0, 1),
          Bytes.ofInts(0, 1, 0),
          Bytes.ofInts(0, 0xFF),
          Bytes.ofInts(0, 0xFF, 0),
          Bytes.ofInts(1),
          Bytes.ofInts(1, 0),
          Bytes.of("a"),
          Bytes.of("a").concat(Bytes.ofInts(0)),
          Bytes.of("a").concat(Bytes.ofInts(0, 0)),
          Bytes.of("a").concat(Bytes.ofInts(0, 1)),
          Bytes.of("ab"),
          Bytes.of("a").concat(Bytes.ofInts(0xFF)),
          Bytes.ofInts(0x7F),
          Bytes.ofInts(0x80),
          Bytes.ofInts(0xFE, 0xFF),
          Bytes.ofInts(0xFF),
          Bytes.ofInts(0xFF, 0),
          Bytes.ofInts(0xFF, 0, 0xFF),
          Bytes.ofInts(0xFF, 0xFE),
          Bytes.ofInts(0xFF, 0xFF),
          Bytes.ofInts(0xFF, 0xFF, 0xFF));

  @Test
  default void putOfTheSameColumnAndVersionReplaces() {
    put("a d:q@5=old", "a s:q@5=old");
    put("a d:q@5=new", "a s:q@5=new");

    assertThat(read(A)).containsExactly("d:q@5=new", "s:q@5=new");
  }

  @Test
  default void deleteTouchesNoOtherVersionColumnFamilyOrRow() {
    put("a d:q@4=", "a d:q@5=", "a d:q@6=", "a d:q2@5=", "a e:q@5=", "a s:q@5=", "b d:q@5=");

    remove(A, DATA, 5);

    assertThat(dump())
        .containsExactly("a d:q@6=", "a d:q@4=", "a d:q2@5=", "a e:q@5=", "a s:q@5=", "b d:q@5=");
  }

  @Test
  default void putAfterDeleteOfTheSameVersionShows() {
    for (ColumnName column : List.of(DATA, LARGE, SPARSE)) {
      write(RowWrite.put(A, StoreUnderTest.cell(column, 5, "one")));
      remove(A, column, 5);
      assertThat(read(A, Selection.column(column))).isEmpty();

      write(RowWrite.put(A, StoreUnderTest.cell(column, 5, "two")));

      assertThat(read(A, Selection.column(column))).containsExactly(column + "@5=two");
    }
  }

  @Test
  default void deleteOfWhatIsNotThereDoesNothing() {
    remove(A, DATA, 5);
    remove(A, SPARSE, 5);
    put("a d:q@4=x", "a s:q@6=y");
    remove(A, DATA, 5);
    remove(A, SPARSE, 5);

    assertThat(read(A)).containsExactly("d:q@4=x", "s:q@6=y");
  }

  @Test
  default void removalsOfAWriteComeBeforeItsPutsAndTheLastPutCounts() {
    for (ColumnName column : List.of(DATA, LARGE, SPARSE)) {
      write(RowWrite.put(A, StoreUnderTest.cell(column, 5, "old")));
      List<Cell> puts =
          List.of(StoreUnderTest.cell(column, 5, "one"), StoreUnderTest.cell(column, 5, "two"));

      write(new RowWrite(A, puts, List.of(new RowWrite.Removal(column, 5))));

      assertThat(read(A, Selection.column(column))).containsExactly(column + "@5=two");
    }
  }

  @Test
  default void sparseCellsComeAndGo() {
    for (int round = 0; round < 50; round++) {
      put("a s:q@" + round + "=x", "a s:q@" + (round + 1) + "=y");
      remove(A, SPARSE, round);
      assertThat(read(A)).containsExactly("s:q@" + (round + 1) + "=y");
      remove(A, SPARSE, round + 1);
      assertThat(dump()).isEmpty();
    }
  }

  @Test
  default void cellsComeByFamilyQualifierAndVersionFromHighToLow() {
    put("a s:b@1=", "a d:b@2=", "a d:b@10=", "a d:a@3=", "a e:a@7=", "a d:ab@9=", "a d:b@9=");

    assertThat(read(A))
        .containsExactly("d:a@3=", "d:ab@9=", "d:b@10=", "d:b@9=", "d:b@2=", "e:a@7=", "s:b@1=");
  }

  @Test
  default void versionsReachFromZeroToTheHighestLong() {
    long high = highestVersion();
    put(
        "a d:q@0=low",
        "a d:q@" + high + "=high",
        "a d:q@255=",
        "a d:q@256=",
        "a s:q@" + high + "=");

    assertThat(read(A))
        .containsExactly(
            "d:q@" + high + "=high", "d:q@256=", "d:q@255=", "d:q@0=low", "s:q@" + high + "=");
    assertThat(read(A, Selection.column(DATA).upTo(high - 1).newest(1)))
        .containsExactly("d:q@256=");
    assertThat(read(A, Selection.column(DATA).upTo(0))).containsExactly("d:q@0=low");
  }

  /** Fault 59: keys with 0x00 and 0xFF round-trip exactly. */
  @Test
  default void rowKeysAreAnyBytesAndKeepTheirOrder() {
    for (Bytes key : shuffled(TRICKY)) {
      write(RowWrite.put(Row.of(TABLE, key), new Cell(DATA, 1, key), new Cell(SPARSE, 1, key)));
    }

    assertThat(rowsOf(scanOf(KeyRange.ALL))).containsExactlyElementsOf(TRICKY);
    for (Bytes key : TRICKY) {
      Row row = Row.of(TABLE, key);
      assertThat(store().read(RowRead.of(row, everything())))
          .isEqualTo(new RowCells(row, List.of(new Cell(DATA, 1, key), new Cell(SPARSE, 1, key))));
      assertThat(rowsOf(scanOf(KeyRange.single(key)))).containsExactly(key);
    }
  }

  /** Fault 59: the same for qualifiers, the empty one among them. */
  @Test
  default void qualifiersAreAnyBytesAndKeepTheirOrder() {
    for (String family : List.of("d", "s")) {
      List<Cell> cells =
          TRICKY.stream().map(key -> new Cell(new ColumnName(family, key), 1, key)).toList();
      write(new RowWrite(A, shuffled(cells), List.of()));

      assertThat(store().read(RowRead.of(A, Selection.family(family))).cells())
          .containsExactlyElementsOf(cells);
      for (Cell cell : cells) {
        assertThat(store().read(RowRead.of(A, Selection.column(cell.column()))).cells())
            .containsExactly(cell);
      }
    }
  }

  @Test
  default void qualifierOfOneRowIsNotTakenForTheKeyOfAnother() {
    List<Row> rows = TRICKY.stream().map(key -> Row.of(TABLE, key)).toList();
    for (Row row : rows) {
      for (Bytes qualifier : TRICKY.subList(0, 8)) {
        write(RowWrite.put(row, new Cell(new ColumnName("d", qualifier), 1, row.key())));
      }
    }
    write(RowWrite.remove(rows.get(3), new ColumnName("d", TRICKY.get(2)), 1));

    for (Row row : rows) {
      int expected = row.equals(rows.get(3)) ? 7 : 8;
      assertThat(store().read(RowRead.of(row, Selection.family("d"))).cells())
          .hasSize(expected)
          .allMatch(cell -> cell.value().equals(row.key()));
    }
  }

  @Test
  default void valuesAreAnyBytes() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    for (ColumnName column : List.of(DATA, LARGE, SPARSE)) {
      Cell empty = new Cell(column, 2, Bytes.EMPTY);
      Cell full = new Cell(column, 1, Bytes.wrap(all));
      write(RowWrite.put(A, empty, full));

      assertThat(store().read(RowRead.of(A, Selection.column(column))).cells())
          .containsExactly(empty, full);
    }
  }

  @Test
  default void valuesMayBeEightMegabytesLarge() {
    byte[] bytes = new byte[8 << 20];
    new SplittableRandom(1).nextBytes(bytes);
    Cell large = new Cell(LARGE, 1, Bytes.wrap(bytes));
    Cell data = new Cell(DATA, 1, Bytes.wrap(bytes).slice(1));
    write(RowWrite.put(A, data), RowWrite.put(B, large));

    assertThat(store().read(RowRead.of(A, everything())).cells()).isEqualTo(List.of(data));
    assertThat(store().read(RowRead.of(B, everything())).cells()).isEqualTo(List.of(large));
    assertThat(rowsOf(scanOf(KeyRange.ALL))).containsExactly(A.key(), B.key());
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  default void acknowledgedWritesShowAtOnce(Durability durability) {
    RowWrite write = RowWrite.put(A, StoreUnderTest.cell(DATA, 1, "x"));

    assertThat(store().write(List.of(write), durability)).containsExactly(Outcome.done());

    assertThat(read(A)).containsExactly("d:q@1=x");
    Outcome<List<String>> executed =
        store().execute(Program.WRITING, Program.over(A).put(A, DATA, 2, "y"), durability);
    assertThat(executed).isInstanceOf(Outcome.Done.class);
    assertThat(read(A)).containsExactly("d:q@2=y", "d:q@1=x");
  }

  private List<Bytes> rowsOf(ScanRequest request) {
    List<Bytes> keys = new ArrayList<>();
    try (RowScanner scanner = store().scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        keys.add(row.row().key());
      }
    }
    return keys;
  }

  private static <E> List<E> shuffled(List<E> elements) {
    List<E> shuffled = new ArrayList<>(elements);
    Collections.shuffle(shuffled, new Random(1));
    return shuffled;
  }
}
