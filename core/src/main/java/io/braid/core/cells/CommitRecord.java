package io.braid.core.cells;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Row;
import io.braid.core.store.DamagedCellException;

/**
 * The value of a cell in a column of a user: the write that was committed at the cell's version
 * (Percolator's write record).
 *
 * @param start the start timestamp of the transaction
 * @param value the value for PUT; for PUT_LARGE its length, or nothing in records of older
 *     versions, which did not keep the length; empty otherwise
 */
public record CommitRecord(Kind kind, long start, Bytes value) {

  /** The kind of the committed write. */
  public enum Kind {
    /** The record contains the value. */
    PUT(1),
    /** The companion family contains the value, at the start timestamp. */
    PUT_LARGE(2),
    DELETE(3),
    /** Nothing was written; readers look at the record before. */
    LOCK(4);

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
      throw new IllegalArgumentException("No commit record is of kind " + code + ".");
    }
  }

  /** The record that an intent becomes. */
  public static CommitRecord of(Intent intent, long start) {
    Kind kind =
        switch (intent.kind()) {
          case PUT -> Kind.PUT;
          case PUT_LARGE -> Kind.PUT_LARGE;
          case DELETE -> Kind.DELETE;
          case LOCK -> Kind.LOCK;
          case ROLLED_BACK, HOLD ->
              throw new IllegalArgumentException(intent.kind() + " is nothing to commit.");
        };
    return new CommitRecord(kind, start, intent.value());
  }

  /**
   * @param commit the version of the cell: the start timestamp is stored as the distance from it
   */
  public Bytes encode(long commit) {
    return new Encoder(12 + value.length())
        .u8(kind.code)
        .varint(commit - start)
        .raw(value)
        .finish();
  }

  /**
   * The assumed length of a value whose record does not contain the length: such values are read
   * with few others.
   */
  private static final long UNKNOWN_LENGTH = 1 << 20;

  /**
   * Returns the length in bytes of a value that is stored apart from its record; 0 when the cell
   * holds no such record.
   */
  public static long lengthApart(Cell cell) {
    Bytes bytes = cell.value();
    if (bytes.isEmpty() || bytes.at(0) != Kind.PUT_LARGE.code) {
      return 0;
    }
    CommitRecord record = decode(bytes, cell.version());
    return record.value.isEmpty() ? UNKNOWN_LENGTH : new Decoder(record.value).varint();
  }

  /**
   * The record in a cell of a row.
   *
   * @throws DamagedCellException when the cell holds none
   */
  public static CommitRecord read(Row row, Cell cell) {
    try {
      return decode(cell.value(), cell.version());
    } catch (IllegalArgumentException e) {
      throw new DamagedCellException("commit record", row, cell, e);
    }
  }

  public static CommitRecord decode(Bytes bytes, long commit) {
    Decoder from = new Decoder(bytes);
    return new CommitRecord(Kind.of(from.u8()), commit - from.varint(), from.rest());
  }
}
