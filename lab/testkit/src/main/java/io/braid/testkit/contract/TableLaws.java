package io.braid.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableReplacedException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.Tablet;
import io.braid.core.store.UnknownTableException;
import io.braid.testkit.CellText;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tables, families, tablets and epochs; what is unknown is refused before anything happens. */
interface TableLaws extends StoreUnderTest {
  @Test
  default void tablesStandInTheOrderOfTheirNames() {
    store().ensureTable(table("u", "f"));
    store().ensureTable(table("b", "f"));
    store().ensureTable(table("~braid", "~system"));

    assertThat(store().tables())
        .extracting(TableSchema::name)
        .containsExactly("b", "t", "u", "~braid");
    assertThat(store().table("b")).contains(table("b", "f"));
    assertThat(store().table("none")).isEmpty();
    assertThat(store().table(TABLE).orElseThrow().families())
        .containsExactlyInAnyOrderElementsOf(SCHEMA.families());
  }

  @Test
  default void familiesAreAddedAndNoneIsLost() {
    put("a d:q@1=x");

    store().ensureTable(table(TABLE, "d", "new"));
    store().ensureTable(table(TABLE));

    assertThat(store().table(TABLE).orElseThrow().families())
        .extracting(FamilySchema::name)
        .containsExactlyInAnyOrder("d", "e", "l", "s", "new");
    put("a new:q@1=y");
    assertThat(dump()).containsExactly("a d:q@1=x", "a new:q@1=y");
  }

  @Test
  default void familyOfAnotherKindIsRefusedAndNothingChanges() {
    TableSchema other =
        new TableSchema(
            TABLE, List.of(new FamilySchema("more", Kind.DATA), new FamilySchema("s", Kind.DATA)));

    assertThatThrownBy(() -> store().ensureTable(other)).isInstanceOf(StoreException.class);

    assertThat(store().table(TABLE).orElseThrow().has("more")).isFalse();
    assertThat(store().table(TABLE).orElseThrow().families())
        .contains(new FamilySchema("s", Kind.SPARSE));
  }

  @Test
  default void namesOfBraidsOwnTablesAndFamiliesWork() {
    TableSchema own =
        new TableSchema(
            "~braid",
            List.of(
                new FamilySchema("~system", Kind.DATA),
                new FamilySchema("f~large", Kind.LARGE),
                new FamilySchema("~intent", Kind.SPARSE)));
    store().ensureTable(own);
    Row row = Row.of("~braid", "oracle");
    write(
        RowWrite.put(
            row,
            StoreUnderTest.cell(ColumnName.of("~system", "bound"), 1, "x"),
            StoreUnderTest.cell(ColumnName.of("f~large", "q"), 1, "y"),
            StoreUnderTest.cell(ColumnName.of("~intent", "q"), 1, "z")));

    Selection[] all =
        own.families().stream().map(f -> Selection.family(f.name())).toArray(Selection[]::new);
    assertThat(read(row, all))
        .containsExactly("f~large:q@1=y", "~intent:q@1=z", "~system:bound@1=x");
    assertThat(dump()).isEmpty();
  }

  @Test
  default void droppedTableIsGoneAndComesBackEmpty() {
    put("a d:q@1=", "z s:q@1=");
    store().splitTablet(TABLE, Bytes.of("m"));
    store().raiseEpoch(TABLE, 3);

    store().dropTable(TABLE);
    store().dropTable(TABLE);

    assertThat(store().table(TABLE)).isEmpty();
    assertThat(store().tables()).isEmpty();
    assertThatThrownBy(() -> read(A)).isInstanceOf(UnknownTableException.class);
    store().ensureTable(SCHEMA);
    assertThat(dump()).isEmpty();
    assertThat(read(Z)).isEmpty();
    assertThat(store().epoch(TABLE)).isZero();
    assertThat(store().tablets(TABLE)).extracting(Tablet::range).containsExactly(KeyRange.ALL);
    put("a d:q@1=again");
    assertThat(dump()).containsExactly("a d:q@1=again");
  }

  /** Also that of the law on snapshots below a birth. */
  @Test
  default void tableHasTheBirthOfItsCreationAndServesNoSnapshotBelow() {
    store().ensureTable(table("u", "d"), () -> 5);
    store().ensureTable(table("u", "d", "more"), () -> 6);
    store().raiseEpoch("u", 7);

    assertThat(store().birth("u")).isEqualTo(5);
    assertThat(store().epoch("u")).isEqualTo(7);
    assertThat(store().birth(TABLE)).isZero();
    requireReadableFrom("u", 5);
    store().dropTable("u");
    store().ensureTable(table("u", "d"), () -> 8);
    assertThat(store().birth("u")).isEqualTo(8);
    assertThat(store().epoch("u")).isEqualTo(8);
    requireReadableFrom("u", 8);
  }

  private void requireReadableFrom(String table, long birth) {
    Row row = Row.of(table, "a");
    List<Selection> all = List.of(Selection.family("d"));
    ScanRequest scan = ScanRequest.of(table, KeyRange.ALL, Selection.family("d"));
    Program program = Program.over(row).newest(row, ColumnName.of("d", "q"), Long.MAX_VALUE);
    for (long snapshot : new long[] {0, birth, birth + 1}) {
      assertThat(store().read(new RowRead(row, all, snapshot)).cells()).isEmpty();
      assertThat(CellText.scan(store(), scan.at(snapshot))).isEmpty();
      assertThat(runReading(program.at(snapshot))).hasSize(1);
    }
    ThrowingCallable read = () -> store().read(new RowRead(row, all, birth - 1));
    ThrowingCallable scanned = () -> CellText.scan(store(), scan.at(birth - 1));
    ThrowingCallable ran = () -> runReading(program.at(birth - 1));
    ThrowingCallable wrote = () -> run(program.at(birth - 1));
    for (ThrowingCallable call : List.of(read, scanned, ran, wrote)) {
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              TableReplacedException.class, e -> assertThat(e.birth()).isEqualTo(birth));
    }
  }

  @Test
  default void scanOfADroppedTableFails() {
    for (int i = 0; i < 1000; i++) {
      put("row" + i + " d:q@1=");
    }
    try (RowScanner scanner =
        store().scan(new ScanRequest(TABLE, KeyRange.ALL, List.of(Selection.family("d")), 0, 1))) {
      assertThat(scanner.next()).isNotNull();
      store().dropTable(TABLE);
      store().ensureTable(SCHEMA);

      assertThatThrownBy(
              () -> {
                while (scanner.next() != null) {}
              })
          .isInstanceOf(StoreException.class);
    }
  }

  @Test
  default void tabletsPartitionTheKeySpace() {
    for (String key : List.of("m", "c", "x", "c\0", "m")) {
      store().splitTablet(TABLE, Bytes.of(key));
      assertPartition(store().tablets(TABLE));
    }

    assertThat(store().tablets(TABLE))
        .extracting(tablet -> tablet.range().start().toUtf8())
        .containsExactly("", "c", "c\0", "m", "x");
  }

  private static void assertPartition(List<Tablet> tablets) {
    Bytes start = Bytes.EMPTY;
    for (Tablet tablet : tablets) {
      assertThat(tablet.table()).isEqualTo(TABLE);
      assertThat(tablet.range().start()).isEqualTo(start);
      if (tablet.range().end() != null) {
        start = tablet.range().end();
      }
    }
    assertThat(tablets.get(tablets.size() - 1).range().end()).isNull();
    assertThat(tablets).extracting(Tablet::id).doesNotHaveDuplicates();
    assertThat(tablets.stream().limit(tablets.size() - 1L))
        .allMatch(tablet -> tablet.range().end() != null);
  }

  @Test
  default void splittingWhereATabletBeginsChangesNothing() {
    store().splitTablet(TABLE, Bytes.of("m"));
    List<Tablet> before = store().tablets(TABLE);

    store().splitTablet(TABLE, Bytes.of("m"));
    store().splitTablet(TABLE, Bytes.EMPTY);

    assertThat(store().tablets(TABLE)).isEqualTo(before);
  }

  @Test
  default void idOfATabletChangesWithItsRange() {
    Tablet whole = store().tablets(TABLE).get(0);
    store().splitTablet(TABLE, Bytes.of("m"));
    Tablet upper = store().tablets(TABLE).get(1);
    store().splitTablet(TABLE, Bytes.of("c"));
    List<Tablet> three = store().tablets(TABLE);

    assertThat(three).extracting(Tablet::id).doesNotContain(whole.id());
    assertThat(three.get(2)).as("untouched by the second split").isEqualTo(upper);
  }

  @Test
  default void splitLosesNoCell() {
    List<String> lines = new ArrayList<>();
    for (Bytes key : CellLaws.TRICKY) {
      Cell cell = StoreUnderTest.cell(DATA, 1, "x");
      write(RowWrite.put(Row.of(TABLE, key), cell, StoreUnderTest.cell(SPARSE, 1, "y")));
    }
    lines.addAll(dump());
    for (Bytes key : CellLaws.TRICKY) {
      store().splitTablet(TABLE, key);
      assertThat(dump()).isEqualTo(lines);
    }
    assertThat(store().tablets(TABLE)).hasSize(Math.min(CellLaws.TRICKY.size(), 1 + cuts()));
    assertPartition(store().tablets(TABLE));
  }

  @Test
  default void epochIsRaisedAndNeverLowered() {
    assertThat(store().epoch(TABLE)).isZero();

    store().raiseEpoch(TABLE, 5);
    store().raiseEpoch(TABLE, 3);
    store().raiseEpoch(TABLE, 5);

    assertThat(store().epoch(TABLE)).isEqualTo(5);
    assertThat(run(Program.over(A).epoch(A))).containsExactly("5");
    assertThat(runReading(Program.over(A).epoch(A))).containsExactly("5");
    store().ensureTable(new TableSchema("u", SCHEMA.families()));
    assertThat(store().epoch("u")).isZero();
  }

  @Test
  default void unknownTableIsRefusedEverywhere() {
    put("a d:q@1=x");
    Row none = Row.of("none", "a");
    Cell cell = StoreUnderTest.cell(DATA, 2, "x");
    List<ThrowingCallable> calls =
        List.of(
            () -> read(none),
            () -> store().read(List.of(RowRead.of(A, everything()), RowRead.of(none))),
            () -> store().scan(ScanRequest.of("none", KeyRange.ALL, everything())),
            () -> write(RowWrite.put(A, cell), RowWrite.put(none, cell)),
            () -> write(RowWrite.put(A, cell), RowWrite.remove(none, DATA, 1)),
            () ->
                store()
                    .execute(
                        Program.WRITING,
                        List.of(Program.over(A).put(A, DATA, 2, "x"), Program.over(none)),
                        Durability.BUFFERED),
            () -> run(Program.over(A, none).put(A, DATA, 2, "x")),
            () -> store().together(List.of(A, none)),
            () -> store().tablets("none"),
            () -> store().splitTablet("none", Bytes.of("m")),
            () -> store().epoch("none"),
            () -> store().raiseEpoch("none", 1),
            () -> store().sortedFile("none", "d", newFile()),
            () -> store().ingest("none", "d", List.of()));

    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call).isInstanceOf(UnknownTableException.class);
    }
    assertThat(dump()).containsExactly("a d:q@1=x");
    assertThat(store().table("none")).isEmpty();
  }

  @Test
  default void unknownFamilyIsRefusedEverywhere() {
    put("a d:q@1=x");
    ColumnName none = ColumnName.of("none", "q");
    Cell cell = StoreUnderTest.cell(DATA, 2, "x");
    Cell unknown = StoreUnderTest.cell(none, 2, "x");
    List<ThrowingCallable> calls =
        List.of(
            () -> read(A, Selection.family("d"), Selection.family("none")),
            () -> store().scan(ScanRequest.of(TABLE, KeyRange.ALL, Selection.column(none))),
            () -> write(RowWrite.put(A, cell), RowWrite.put(A, cell, unknown)),
            () -> write(RowWrite.put(A, cell), RowWrite.remove(A, none, 1)),
            () -> store().sortedFile(TABLE, "none", newFile()),
            () -> store().ingest(TABLE, "none", List.of()));

    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call).isInstanceOf(UnknownTableException.class);
    }
    assertThat(dump()).containsExactly("a d:q@1=x");
  }

  private static TableSchema table(String name, String... families) {
    return new TableSchema(
        name,
        List.of(families).stream().map(family -> new FamilySchema(family, Kind.DATA)).toList());
  }
}
