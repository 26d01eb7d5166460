package io.braid.observers.rows;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import org.apiguardian.api.API;

/**
 * A change that an observer kept failing at, put aside until an operator replays it or the column
 * changes again. Other observers of the row go on.
 *
 * @param upTo the observer has not dealt with changes up to this timestamp; it has been tried on
 *     none that are newer
 * @param attempts how often it threw
 * @param reason what it threw last
 * @param firstMillis when it threw first, milliseconds since 1970
 * @param lastMillis when it threw last
 */
@API(status = API.Status.STABLE)
public record DeadLetter(
    String observer,
    Row row,
    ColumnName column,
    long upTo,
    int attempts,
    String reason,
    long firstMillis,
    long lastMillis) {
  /** The version of the cell: there is one record for each observer and column of a row. */
  public static final long VERSION = 1;

  private static final int LONGEST_REASON = 500;

  public DeadLetter {
    reason = reason.substring(0, Math.min(reason.length(), LONGEST_REASON));
  }

  /** Returns the name of the cell that holds the dead letter. */
  public ColumnName cell() {
    return Families.deadLetter(observer, column);
  }

  /** This, after an earlier dead letter that was not replayed. */
  DeadLetter after(DeadLetter earlier) {
    return new DeadLetter(
        observer,
        row,
        column,
        upTo,
        earlier.attempts + attempts,
        reason,
        Math.min(earlier.firstMillis, firstMillis),
        lastMillis);
  }

  public Bytes encode() {
    return new Encoder(48 + reason.length())
        .varint(upTo)
        .varint(attempts)
        .varint(firstMillis)
        .varint(lastMillis)
        .text(reason)
        .finish();
  }

  /**
   * @param cell one of {@link Families#DEAD_LETTERS}
   */
  public static DeadLetter decode(Row row, Cell cell) {
    Bytes qualifier = cell.column().qualifier();
    int slash = 0;
    while (qualifier.at(slash) != '/') {
      slash++;
    }
    Decoder from = new Decoder(cell.value());
    long upTo = from.varint();
    int attempts = from.count(Integer.MAX_VALUE);
    long first = from.varint();
    long last = from.varint();
    return new DeadLetter(
        qualifier.slice(0, slash).toUtf8(),
        row,
        Families.column(qualifier.slice(slash + 1)),
        upTo,
        attempts,
        from.text(),
        first,
        last);
  }
}
