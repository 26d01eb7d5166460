package io.braid.core.cells;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;
import java.util.List;

/**
 * The value of a cell of {@link Families#NOTIFY} (Percolator, section 2.4): the column may have
 * changed. Its version is the start timestamp of the changing transaction.
 *
 * @param kind how much is known of the change
 * @param decision the place that decides the outcome of the changing transaction
 */
public record Notification(Kind kind, DecisionPoint decision) {

  /** The conclusion that a worker may draw. */
  public enum Kind {
    /** Written with the intent on the column: the column itself tells whether it changed. */
    STRONG(1),
    /** A weak notification whose transaction may not have committed yet: ask the decision point. */
    WEAK_PENDING(2),
    /** A weak notification whose transaction has committed. */
    WEAK(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    static Kind of(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IllegalArgumentException("No notification is of kind " + code + ".");
    }
  }

  /**
   * Writes it.
   *
   * @param start the start timestamp of the changing transaction
   */
  public void put(RowAccess rows, Row row, ColumnName column, long start) {
    rows.put(row, Families.notification(column), start, encode());
  }

  /** Writes it for several columns of a row. */
  public void putAll(RowAccess rows, Row row, List<ColumnName> columns, long start) {
    if (!columns.isEmpty()) {
      Bytes encoded = encode();
      columns.forEach(column -> rows.put(row, Families.notification(column), start, encoded));
    }
  }

  /**
   * Writes it for those columns of a row that have no notification of the transaction yet: an
   * existing one may be confirmed by now.
   */
  public void putAbsent(RowAccess rows, Row row, List<ColumnName> columns, long start) {
    for (ColumnName column : columns) {
      if (rows.at(row, Families.notification(column), start) == null) {
        put(rows, row, column, start);
      }
    }
  }

  /** Returns the same notification of a transaction that has committed. */
  public Notification confirmed() {
    return new Notification(Kind.WEAK, decision);
  }

  public Bytes encode() {
    Encoder to = new Encoder();
    to.u8(kind.code);
    decision.encode(to);
    return to.finish();
  }

  public static Notification decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    return new Notification(Kind.of(from.u8()), DecisionPoint.decode(from));
  }
}
