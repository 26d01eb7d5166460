package io.braid.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.Tablet;
import io.braid.core.store.TabletUnavailableException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A closed store does nothing; one that is opened again has all that it acknowledged. */
interface LifeLaws extends StoreUnderTest {
  @Test
  default void closedStoreRefusesEveryCall() {
    put("a d:q@1=");
    CellStore store = store();
    RowWrite write = RowWrite.put(A, StoreUnderTest.cell(DATA, 2, ""));
    store.close();
    store.close();
    List<ThrowingCallable> calls =
        List.of(
            () -> store.read(RowRead.of(A, everything())),
            () -> store.scan(scanOf(KeyRange.ALL)),
            () -> store.write(List.of(write), Durability.BUFFERED),
            () -> store.execute(Program.WRITING, Program.over(A), Durability.BUFFERED),
            () -> store.execute(Program.READING, Program.over(A), Durability.BUFFERED),
            () -> store.together(List.of(A)),
            () -> store.tablets(TABLE),
            () -> store.advanceClock(T),
            store::tables,
            () -> store.table(TABLE),
            () -> store.ensureTable(SCHEMA),
            () -> store.dropTable(TABLE),
            () -> store.splitTablet(TABLE, Bytes.of("m")),
            () -> store.epoch(TABLE),
            () -> store.raiseEpoch(TABLE, 1),
            () -> store.sortedFile(TABLE, "d", newFile()),
            () -> store.ingest(TABLE, "d", List.of()));

    for (int call = 0; call < calls.size(); call++) {
      assertThatThrownBy(calls.get(call))
          .as("call " + call)
          .isInstanceOf(TabletUnavailableException.class);
    }
  }

  @Test
  default void scanOfAClosedStoreEnds() {
    put("a d:q@1=", "b d:q@1=");
    try (RowScanner scanner = store().scan(scanOf(KeyRange.ALL))) {
      store().close();

      assertThatThrownBy(scanner::next).isInstanceOf(TabletUnavailableException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  default void acknowledgedCellsSurvive(Durability durability) {
    List<String> expected = List.of("a d:q@2=two", "a d:q@1=one", "a l:q@1=large", "b s:q@1=");
    put("b d:q@1=gone");
    store().write(List.of(RowWrite.remove(B, DATA, 1)), durability);
    store()
        .write(
            List.of(
                RowWrite.put(
                    A,
                    StoreUnderTest.cell(DATA, 1, "one"),
                    StoreUnderTest.cell(LARGE, 1, "large"))),
            durability);
    store()
        .execute(
            Program.WRITING,
            Program.over(A, B).put(A, DATA, 2, "two").put(B, SPARSE, 1, ""),
            durability);
    assertThat(dump()).isEqualTo(expected);

    reopen();

    assertThat(dump()).isEqualTo(expected);
    assertThat(run(Program.over(B).family(B, "s", Bytes.EMPTY))).containsExactly("s:q@1=");
    remove(B, SPARSE, 1);
    reopen();
    assertThat(dump()).isEqualTo(expected.subList(0, 3));
    assertThat(run(Program.over(B).family(B, "s", Bytes.EMPTY))).containsExactly("-");
  }

  @Test
  default void tablesTabletsAndEpochsSurvive() {
    store().ensureTable(new TableSchema("u", List.of(new FamilySchema("f~large", Kind.LARGE))));
    store().ensureTable(new TableSchema("gone", SCHEMA.families()));
    store().ensureTable(new TableSchema(TABLE, List.of(new FamilySchema("late", Kind.SPARSE))));
    store().dropTable("gone");
    for (Bytes key : CellLaws.TRICKY) {
      store().splitTablet(TABLE, key);
    }
    store().raiseEpoch(TABLE, 7);
    store().raiseEpoch("u", 2);
    List<TableSchema> tables = store().tables();
    List<Tablet> tablets = store().tablets(TABLE);

    reopen();

    assertThat(store().tables()).isEqualTo(tables);
    assertThat(store().tables()).extracting(TableSchema::name).containsExactly("t", "u");
    assertThat(store().tablets(TABLE))
        .extracting(Tablet::range)
        .isEqualTo(tablets.stream().map(Tablet::range).toList());
    assertThat(store().epoch(TABLE)).isEqualTo(7);
    assertThat(store().epoch("u")).isEqualTo(2);
    put("a late:q@1=");
    assertThat(dump()).containsExactly("a late:q@1=");
  }

  @Test
  default void ingestedCellsSurvive() {
    Path file = newFile();
    try (SortedFileWriter writer = store().sortedFile(TABLE, "d", file)) {
      writer.put(A.key(), DATA.qualifier(), 1, Bytes.of("x"));
      writer.finish();
    }
    put("a d:q@1=old");
    store().ingest(TABLE, "d", List.of(file));

    reopen();

    assertThat(read(A)).containsExactly("d:q@1=x");
  }

  @Test
  default void droppedTableStaysGone() {
    put("a d:q@1=", "a s:q@1=");
    store().dropTable(TABLE);

    reopen();

    assertThat(store().tables()).isEmpty();
    store().ensureTable(SCHEMA);
    assertThat(dump()).isEmpty();
    assertThat(read(Row.of(TABLE, "a"))).isEmpty();
  }

  @Test
  default void openScanDoesNotSurviveItsStore() {
    put("a d:q@1=");
    RowScanner scanner = store().scan(scanOf(KeyRange.ALL));

    reopen();

    assertThatThrownBy(scanner::next).isInstanceOf(TabletUnavailableException.class);
    scanner.close();
    assertThat(dump()).containsExactly("a d:q@1=");
  }
}
