package io.braid.core.cells;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;

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
