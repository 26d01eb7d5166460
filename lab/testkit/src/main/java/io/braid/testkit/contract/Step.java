package io.braid.testkit.contract;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;
import io.braid.core.store.TabletClock;
import io.braid.testkit.CellText;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One step of a {@link Program}.
 *
 * @param version or timestamp or epoch or id, as the operation takes it
 * @param least the lowest version to read, or what to add
 * @param limit how many versions at most
 */
record Step(Op op, Row row, ColumnName column, long version, long least, int limit, Bytes value) {

  /** The answer where there is nothing. */
  static final String NONE = "-";

  enum Op {
    NEWEST,
    AT,
    VERSIONS,
    FAMILY,
    PUT,
    DELETE,
    /** Draws a version from the clock and puts the value with it. */
    DRAW,
    RAISE,
    EPOCH,
    /** Ends the program when the epoch is another. */
    EXPECT_EPOCH,
    WATERMARK,
    /** Ends the program when the low watermark is another. */
    EXPECT_WATERMARK,
    /** Adds to the number in a column, once for each id: the same id again changes nothing. */
    ADD,
    /** Lets something else happen in the middle of the run. */
    HALT,
    FAIL,
    /** The newest version above one; 0 when there is none. */
    ABOVE
  }

  /** Does it; the answer as text. */
  String run(RowAccess rows) {
    return switch (op) {
      case NEWEST -> text(rows.newest(row, column, version));
      case AT -> text(rows.at(row, column, version));
      case VERSIONS -> texts(rows.versions(row, column, least, version, limit));
      case FAMILY -> texts(rows.family(row, column.family(), column.qualifier()));
      case PUT -> {
        rows.clock().raise(version);
        rows.put(row, column, version, value);
        yield NONE;
      }
      case DELETE -> {
        rows.delete(row, column, version);
        yield NONE;
      }
      case DRAW -> Long.toString(draw(rows));
      case RAISE -> {
        rows.clock().raise(version);
        yield NONE;
      }
      case EPOCH, EXPECT_EPOCH -> Long.toString(rows.epoch(row.table()));
      case WATERMARK, EXPECT_WATERMARK -> Long.toString(rows.watermark());
      case ADD -> add(rows);
      case HALT -> {
        Halt.come();
        yield NONE;
      }
      case ABOVE -> Long.toString(rows.newestAbove(row, column, version));
      case FAIL -> throw new IllegalStateException("The procedure fails, as it was asked to.");
    };
  }

  private long draw(RowAccess rows) {
    long drawn = rows.clock().next(version);
    if (drawn != TabletClock.EXHAUSTED) {
      rows.put(row, column, drawn, value);
    }
    return drawn;
  }

  private String add(RowAccess rows) {
    ColumnName ids = new ColumnName(column.family(), column.qualifier().concat(Bytes.of("/id")));
    if (rows.at(row, ids, version) != null) {
      return NONE;
    }
    Cell before = rows.newest(row, column, Long.MAX_VALUE);
    long number = before == null ? 0 : Long.parseLong(before.value().toUtf8());
    long next = before == null ? 1 : before.version() + 1;
    rows.clock().raise(Math.max(next, version));
    rows.put(row, column, next, Bytes.of(Long.toString(number + least)));
    rows.put(row, ids, version, Bytes.EMPTY);
    return Long.toString(number + least);
  }

  private static String text(@Nullable Cell cell) {
    return cell == null ? NONE : CellText.text(cell);
  }

  private static String texts(List<Cell> cells) {
    return cells.isEmpty()
        ? NONE
        : cells.stream().map(CellText::text).collect(Collectors.joining(" "));
  }

  void encode(Encoder to) {
    to.u8(op.ordinal()).row(row).column(column);
    to.int64(version).int64(least).int64(limit).bytes(value);
  }

  static Step decode(Decoder from) {
    return new Step(
        Op.values()[from.u8()],
        from.row(),
        from.column(),
        from.int64(),
        from.int64(),
        (int) from.int64(),
        from.bytes());
  }
}
