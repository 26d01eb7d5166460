package io.braid.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.time.Timestamp;
import io.braid.testkit.CellText;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store that laws are proved on, with table {@code t} of four families: {@code d} and {@code e}
 * of data, {@code l} for large values, {@code s} sparse.
 */
interface StoreUnderTest {
  String TABLE = "t";
  ColumnName DATA = ColumnName.of("d", "q");
  ColumnName OTHER = ColumnName.of("e", "q");
  ColumnName LARGE = ColumnName.of("l", "q");
  ColumnName SPARSE = ColumnName.of("s", "q");
  Row A = Row.of(TABLE, "a");
  Row B = Row.of(TABLE, "b");
  Row Z = Row.of(TABLE, "z");

  /** A timestamp of the oracle. */
  long T = 1000 * Timestamp.STEP;

  TableSchema SCHEMA =
      new TableSchema(
          TABLE,
          List.of(
              new FamilySchema("d", Kind.DATA),
              new FamilySchema("e", Kind.DATA),
              new FamilySchema("l", Kind.LARGE),
              new FamilySchema("s", Kind.SPARSE)));

  /** The store, open. */
  CellStore store();

  /** Closes the store and opens it again with what it holds, or skips the test. */
  void reopen();

  /** Whether one procedure reaches rows of several tablets and tables. */
  boolean reachesAcrossTablets();

  /** How often a test cuts tablets at most, where each cut takes long; the store ignores more. */
  default int cuts() {
    return 1000;
  }

  /**
   * How often a law repeats what shows itself by chance only, which others repeat this often; a
   * store whose calls take long repeats it less.
   */
  default int times(int usual) {
    return usual;
  }

  /** The highest version that the store takes. */
  default long highestVersion() {
    return Long.MAX_VALUE;
  }

  /** A path where nothing is. */
  Path newFile();

  /** Puts cells that stand as {@code row family:qualifier@version=value}. */
  default void put(String... lines) {
    CellText.put(store(), TABLE, lines);
  }

  default void remove(Row row, ColumnName column, long version) {
    write(RowWrite.remove(row, column, version));
  }

  default void write(RowWrite... writes) {
    assertThat(store().write(List.of(writes), Durability.BUFFERED))
        .hasSize(writes.length)
        .allMatch(Outcome.Done.class::isInstance);
  }

  /** The selected cells of a row, without the row. */
  default List<String> read(Row row, Selection... selections) {
    RowCells answer = store().read(RowRead.of(row, selections));
    assertThat(answer.row()).isEqualTo(row);
    return answer.cells().stream().map(CellText::text).toList();
  }

  /** All cells of a row in the table of the contract. */
  default List<String> read(Row row) {
    return read(row, everything());
  }

  default Selection[] everything() {
    return SCHEMA.families().stream()
        .map(FamilySchema::name)
        .map(Selection::family)
        .toArray(Selection[]::new);
  }

  default ScanRequest scanOf(KeyRange range) {
    return ScanRequest.of(TABLE, range, everything());
  }

  /** All cells of the table. */
  default List<String> dump() {
    return CellText.dump(store(), TABLE);
  }

  /** Runs a program and gives its answers. */
  default List<String> run(Program program) {
    return answers(store().execute(Program.WRITING, program, Durability.BUFFERED));
  }

  /** Runs a program that only reads and gives its answers. */
  default List<String> runReading(Program program) {
    return answers(store().execute(Program.READING, program, Durability.BUFFERED));
  }

  /** Runs a program that only reads, at one instant, and gives its answers. */
  default List<String> runLooking(Program program) {
    return answers(store().execute(Program.LOOKING, program, Durability.BUFFERED));
  }

  /** Draws a version in a row; {@code EXHAUSTED} when the clock gives none. */
  default long draw(Row row, long atLeast) {
    return Long.parseLong(run(Program.over(row).draw(row, DATA, atLeast, "drawn")).get(0));
  }

  static <R extends @Nullable Object> R answers(Outcome<R> outcome) {
    if (outcome instanceof Outcome.Done<R> done) {
      return done.result();
    }
    throw new AssertionError("The store did not execute: " + outcome);
  }

  static Cell cell(ColumnName column, long version, String value) {
    return new Cell(column, version, Bytes.of(value));
  }

  static KeyRange range(String start, String end) {
    return new KeyRange(Bytes.of(start), Bytes.of(end));
  }
}
