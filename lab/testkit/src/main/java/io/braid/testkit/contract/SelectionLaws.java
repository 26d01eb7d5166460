package io.braid.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.testkit.CellText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads and scans return what was selected, no more and no less, in order. */
interface SelectionLaws extends StoreUnderTest {
  @Test
  default void absentRowHasNoCells() {
    put("a d:q@1=");

    assertThat(read(B)).isEmpty();
    assertThat(read(Row.of(TABLE, Bytes.EMPTY))).isEmpty();
  }

  @Test
  default void answersStandInTheOrderOfTheRequests() {
    put("a d:q@1=", "b d:q@2=", "z e:q@3=");
    Selection[] all = everything();
    List<RowRead> requests =
        List.of(
            RowRead.of(Z, all),
            RowRead.of(Row.of(TABLE, "none"), all),
            RowRead.of(A, all),
            RowRead.of(Z, Selection.column(DATA)),
            RowRead.of(A, all),
            RowRead.of(B, all));

    List<RowCells> answers = store().read(requests);

    assertThat(answers.stream().map(RowCells::row))
        .containsExactlyElementsOf(requests.stream().map(RowRead::row).toList());
    assertThat(answers.stream().map(answer -> String.join(" ", CellText.lines(answer))))
        .containsExactly("z e:q@3=", "", "a d:q@1=", "", "a d:q@1=", "b d:q@2=");
  }

  @Test
  default void nothingIsReadWhereNothingIsAskedFor() {
    assertThat(store().read(List.<RowRead>of())).isEmpty();
  }

  @Test
  default void columnIsReadWithoutItsNeighbours() {
    put("a d:@1=empty", "a d:p@1=", "a d:q@1=one", "a d:q@2=two", "a d:qq@1=", "a e:q@1=");

    assertThat(read(A, Selection.column(DATA))).containsExactly("d:q@2=two", "d:q@1=one");
    assertThat(read(A, new Selection("d", Bytes.EMPTY, 0, Long.MAX_VALUE, 9)))
        .containsExactly("d:@1=empty");
  }

  @Test
  default void versionsAreBoundedOnBothSidesAndByNumberInEachColumn() {
    for (String family : List.of("d", "s")) {
      for (int version = 1; version <= 9; version++) {
        put("a " + family + ":p@" + version + "=", "a " + family + ":q@" + 10 * version + "=");
      }
      assertThat(read(A, new Selection(family, null, 4, 50, 2)))
          .containsExactly(
              family + ":p@9=", family + ":p@8=", family + ":q@50=", family + ":q@40=");
      assertThat(read(A, new Selection(family, null, 5, 5, 9))).containsExactly(family + ":p@5=");
      assertThat(read(A, new Selection(family, Bytes.of("q"), 0, 45, 1)))
          .containsExactly(family + ":q@40=");
      assertThat(read(A, new Selection(family, null, 91, 99, 9))).isEmpty();
    }
  }

  @Test
  default void severalSelectionsGiveEachCellOnceAndInOrder() {
    put("a d:p@1=", "a d:q@1=", "a d:q@2=", "a e:q@7=", "a s:q@3=");
    Selection[] overlapping = {
      Selection.family("s"),
      Selection.column(DATA).upTo(1),
      Selection.family("d").newest(1),
      Selection.column(DATA),
    };

    assertThat(read(A, overlapping)).containsExactly("d:p@1=", "d:q@2=", "d:q@1=", "s:q@3=");
    assertThat(CellText.scan(store(), ScanRequest.of(TABLE, KeyRange.ALL, overlapping)))
        .containsExactly("a d:p@1=", "a d:q@2=", "a d:q@1=", "a s:q@3=");
  }

  @Test
  default void scanReturnsTheRowsOfItsRangeInOrder() {
    put("c d:q@1=", "a d:q@1=", "b d:q@1=", "d d:q@1=", "ca e:q@1=");

    assertThat(CellText.scan(store(), scanOf(KeyRange.ALL)))
        .containsExactly("a d:q@1=", "b d:q@1=", "c d:q@1=", "ca e:q@1=", "d d:q@1=");
    assertThat(CellText.scan(store(), scanOf(StoreUnderTest.range("b", "ca"))))
        .containsExactly("b d:q@1=", "c d:q@1=");
    assertThat(CellText.scan(store(), scanOf(new KeyRange(Bytes.of("ca"), null))))
        .containsExactly("ca e:q@1=", "d d:q@1=");
    assertThat(CellText.scan(store(), scanOf(KeyRange.prefix(Bytes.of("c")))))
        .containsExactly("c d:q@1=", "ca e:q@1=");
    assertThat(CellText.scan(store(), scanOf(StoreUnderTest.range("b", "b")))).isEmpty();
    assertThat(CellText.scan(store(), scanOf(StoreUnderTest.range("c", "b")))).isEmpty();
  }

  @Test
  default void scanPassesOverRowsWithoutSelectedCells() {
    put("a d:q@1=", "b e:q@1=", "c d:p@1=", "d d:q@9=", "e s:q@1=", "f d:q@2=");

    ScanRequest request =
        ScanRequest.of(TABLE, KeyRange.ALL, Selection.column(DATA).upTo(5), Selection.family("s"));

    assertThat(CellText.scan(store(), request)).containsExactly("a d:q@1=", "e s:q@1=", "f d:q@2=");
  }

  @Test
  default void scanLimitsVersionsInEachColumnOfEachRow() {
    put("a d:p@1=", "a d:p@2=", "a d:q@1=", "a d:q@3=", "b d:q@1=", "b d:q@2=", "b d:q@3=");

    ScanRequest request =
        ScanRequest.of(TABLE, KeyRange.ALL, Selection.family("d").upTo(2).newest(1));

    assertThat(CellText.scan(store(), request)).containsExactly("a d:p@2=", "a d:q@1=", "b d:q@2=");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 256})
  default void scanCrossesTabletsWhateverItFetchesInOneTrip(int batchRows) {
    List<String> lines =
        IntStream.range(100, 400).mapToObj(i -> "row" + i + " d:q@1=" + i).toList();
    put(lines.toArray(String[]::new));
    for (String key : List.of("row150", "row151", "row2", "row399", "s", "row150\0")) {
      store().splitTablet(TABLE, Bytes.of(key));
    }

    ScanRequest request =
        new ScanRequest(TABLE, KeyRange.ALL, List.of(Selection.family("d")), 0, batchRows);

    assertThat(CellText.scan(store(), request)).isEqualTo(lines);
  }

  @Test
  default void scanThatEndedStaysEnded() {
    put("a d:q@1=");
    try (RowScanner scanner = store().scan(scanOf(KeyRange.ALL))) {
      assertThat(scanner.next()).isNotNull();
      assertThat(scanner.next()).isNull();
      put("b d:q@1=");
      assertThat(scanner.next()).isNull();
    }
  }

  @Test
  default void scansAreClosedMoreThanOnceAndHalfWay() {
    put("a d:q@1=", "b d:q@1=");
    List<RowScanner> scanners = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      RowScanner scanner = store().scan(scanOf(KeyRange.ALL));
      assertThat(scanner.next()).isNotNull();
      scanners.add(scanner);
    }
    scanners.forEach(RowScanner::close);
    scanners.forEach(RowScanner::close);

    assertThat(dump()).hasSize(2);
  }
}
