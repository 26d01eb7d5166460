package io.braid.core.cells;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;

/**
 * A buffered write of one column.
 *
 * @param kind PUT, PUT_LARGE, DELETE or LOCK
 * @param value the value for the PUTs; empty otherwise
 * @param observed whether the write carries a notification
 */
public record CellWrite(ColumnName column, Intent.Kind kind, Bytes value, boolean observed) {
  private static final Intent.Kind[] KINDS = {
    Intent.Kind.PUT, Intent.Kind.PUT_LARGE, Intent.Kind.DELETE, Intent.Kind.LOCK
  };

  /**
   * A write of a value.
   *
   * @param smallValueBytes larger values are stored apart
   */
  public static CellWrite put(ColumnName column, Bytes value, int smallValueBytes) {
    // Acknowledgments are timestamps; their family has no companion for large values.
    boolean large = value.length() > smallValueBytes && !column.family().equals(Families.ACK);
    Intent.Kind kind = large ? Intent.Kind.PUT_LARGE : Intent.Kind.PUT;
    return new CellWrite(column, kind, value, false);
  }

  public static CellWrite delete(ColumnName column) {
    return new CellWrite(column, Intent.Kind.DELETE, Bytes.EMPTY, false);
  }

  public boolean isLarge() {
    return kind == Intent.Kind.PUT_LARGE;
  }

  /**
   * Returns the bytes for the intent and the commit record: the value, or only the length of a
   * large value.
   */
  public Bytes inline() {
    return isLarge() ? new Encoder(5).varint(value.length()).finish() : value;
  }

  public CommitRecord record(long start) {
    CommitRecord.Kind committed =
        switch (kind) {
          case PUT -> CommitRecord.Kind.PUT;
          case PUT_LARGE -> CommitRecord.Kind.PUT_LARGE;
          case DELETE -> CommitRecord.Kind.DELETE;
          case LOCK -> CommitRecord.Kind.LOCK;
          case ROLLED_BACK, HOLD -> throw new IllegalStateException("No write is a " + kind + ".");
        };
    return new CommitRecord(committed, start, inline());
  }

  public void encode(Encoder to) {
    int code = 0;
    while (KINDS[code] != kind) {
      code++;
    }
    to.u8(code).column(column).bytes(value).bool(observed);
  }

  public static CellWrite decode(Decoder from) {
    int code = from.u8();
    if (code >= KINDS.length) {
      throw new IllegalArgumentException("No write is of kind " + code + ".");
    }
    return new CellWrite(from.column(), KINDS[code], from.bytes(), from.bool());
  }
}
