package io.braid.core.cells;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.DamagedCellException;

/**
 * The value of a cell of {@link Families#INTENT}: an uncommitted write (Percolator's lock and data;
 * Omid's tentative cell), a rollback mark, or a hold of a key group. Its version is the start
 * timestamp of the transaction.
 *
 * @param decision the place that decides its outcome
 * @param owner the liveness token of the writer; the name of the group for a hold
 * @param wallMillis when the writer last reported that it works on the intent, milliseconds since
 *     1970
 * @param stage how far the transaction was, if it writes its intents in several rounds
 * @param value the new value for PUT; empty otherwise
 */
public record Intent(
    Kind kind,
    DecisionPoint decision,
    String owner,
    long wallMillis,
    WriteStage stage,
    Bytes value) {
  /** Says in the byte of the kind that a stage follows. */
  private static final int STAGED = 0x40;

  public Intent(Kind kind, DecisionPoint decision, String owner, long wallMillis, Bytes value) {
    this(kind, decision, owner, wallMillis, WriteStage.ONLY, value);
  }

  /** The kind of write that the intent becomes. */
  public enum Kind {
    /** The intent contains the value. */
    PUT(1),
    /** The companion family contains the value, at the start timestamp. */
    PUT_LARGE(2),
    DELETE(3),
    /** Nothing is written; the column is only kept from others. */
    LOCK(4),
    /** The transaction was rolled back here: a prewrite that arrives late is refused. */
    ROLLED_BACK(5),
    /** A key group owns the row. */
    HOLD(6);

    private static final Kind[] ALL = values();

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    static Kind of(int code) {
      for (Kind kind : ALL) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IllegalArgumentException("No intent is of kind " + code + ".");
    }
  }

  /** Returns whether the intent may still become a committed write. */
  public boolean undecided() {
    return kind != Kind.ROLLED_BACK && kind != Kind.HOLD;
  }

  public Bytes encode() {
    Encoder to = new Encoder(96 + value.length());
    boolean staged = !stage.equals(WriteStage.ONLY);
    to.u8(staged ? kind.code | STAGED : kind.code);
    decision.encode(to);
    to.text(owner).varint(wallMillis);
    if (staged) {
      stage.encode(to);
    }
    return to.raw(value).finish();
  }

  /**
   * The intent in a cell of a row.
   *
   * @throws DamagedCellException when the cell holds none
   */
  public static Intent read(Row row, Cell cell) {
    try {
      return decode(cell.value());
    } catch (IllegalArgumentException e) {
      throw new DamagedCellException("intent", row, cell, e);
    }
  }

  public static Intent decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int code = from.u8();
    return new Intent(
        Kind.of(code & ~STAGED),
        DecisionPoint.decode(from),
        from.text(),
        from.varint(),
        (code & STAGED) == 0 ? WriteStage.ONLY : WriteStage.decode(from),
        from.rest());
  }
}
