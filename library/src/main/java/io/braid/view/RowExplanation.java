package io.braid.view;

import io.braid.Braid;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.Tablet;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a row and their meaning: its versions, its holder, its undecided writes. The row
 * is read as it is in the store, and nothing is changed.
 *
 * @param protocol the word for the protocol that its table is bound to
 * @param tablet the tablet that has the row, of how many
 * @param facts in the order of columns, then of versions, newest first
 */
public record RowExplanation(Row row, String protocol, String tablet, List<Fact> facts) {
  public RowExplanation {
    facts = List.copyOf(facts);
  }

  /** The meaning of a cell. */
  public enum Kind {
    /** A committed version. */
    VERSION,
    /** A write that is undecided, or decided and not settled yet. */
    INTENT,
    /** The remains of a rolled-back transaction. */
    MARK,
    /** A key group owns the row. */
    HOLD,
    NOTIFICATION,
    /** How far an observer has come with a column, or the store with the commits of a group. */
    ACKNOWLEDGMENT,
    DEAD_LETTER
  }

  /**
   * A cell in words.
   *
   * @param column the column of the user that the cell is about, as users type it; "" for the whole
   *     row
   * @param version in the store
   * @param meaning for a cell that is not settled: what decides it, and the known facts
   */
  public record Fact(String column, Kind kind, long version, String words, String meaning) {}

  /**
   * Explains a row.
   *
   * @param column only this one
   * @param versions at most so many of each column
   * @throws UnknownTableException when there is no such table
   */
  public static RowExplanation of(Braid db, Row row, Optional<ColumnName> column, int versions) {
    TableSchema schema =
        db.store()
            .table(row.table())
            .orElseThrow(
                () ->
                    new UnknownTableException(
                        "There is no table " + row.table() + ": create it first."));
    List<Selection> all =
        schema.families().stream()
            .filter(family -> family.kind() != TableSchema.Kind.LARGE)
            .map(family -> Selection.family(family.name()).newest(versions))
            .toList();
    IntentMeaning meanings = new IntentMeaning(db);
    List<Fact> facts = new ArrayList<>();
    for (Cell cell : db.store().read(new RowRead(row, all, 0)).cells()) {
      ColumnName about = about(cell);
      if (column.isEmpty() || about == null || column.get().equals(about)) {
        facts.add(fact(cell, about, meanings));
      }
    }
    return new RowExplanation(
        row, db.tables().protocol(row.table()).word(), tablet(db, row), facts);
  }

  private static Fact fact(Cell cell, @Nullable ColumnName about, IntentMeaning meanings) {
    String meaning =
        cell.column().family().equals(Families.INTENT)
            ? meanings.of(Intent.decode(cell.value()), cell.version())
            : committed(cell);
    return new Fact(
        about == null ? "" : Columns.show(about),
        kind(cell),
        cell.version(),
        CellWords.of(cell),
        meaning);
  }

  private static String committed(Cell cell) {
    return switch (kind(cell)) {
      case VERSION -> "committed " + Timestamp.toText(cell.version());
      case NOTIFICATION -> "an observer is to look at it";
      default -> "";
    };
  }

  private static Kind kind(Cell cell) {
    return switch (cell.column().family()) {
      case Families.INTENT ->
          switch (Intent.decode(cell.value()).kind()) {
            case HOLD -> Kind.HOLD;
            case ROLLED_BACK -> Kind.MARK;
            default -> Kind.INTENT;
          };
      case Families.NOTIFY -> Kind.NOTIFICATION;
      case Families.ACK -> Kind.ACKNOWLEDGMENT;
      case Families.DEAD_LETTERS -> Kind.DEAD_LETTER;
      default -> Kind.VERSION;
    };
  }

  /** The column of the user that a cell is about; null for the whole row. */
  private static @Nullable ColumnName about(Cell cell) {
    if (CellWords.isShippedPosition(cell)) {
      return null;
    }
    return switch (cell.column().family()) {
      case Families.INTENT, Families.NOTIFY ->
          cell.column().qualifier().isEmpty() ? null : Families.column(cell.column().qualifier());
      case Families.ACK, Families.DEAD_LETTERS -> Families.observedColumn(cell.column());
      default -> cell.column();
    };
  }

  private static String tablet(Braid db, Row row) {
    List<Tablet> tablets = db.store().tablets(row.table());
    for (int i = 0; i < tablets.size(); i++) {
      if (tablets.get(i).range().contains(row.key())) {
        return (i + 1) + " of " + tablets.size() + " " + tablets.get(i).range();
      }
    }
    return "none at the moment";
  }

  /** Whether nothing is known of the row. */
  public boolean isEmpty() {
    return facts.isEmpty();
  }
}
