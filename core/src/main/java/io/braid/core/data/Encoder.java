package io.braid.core.data;

import java.util.Arrays;
import org.apiguardian.api.API;

/**
 * Writes numbers, byte strings and texts one after another. Numbers that are usually small take one
 * to ten bytes, seven bits in each, low ones first. {@link Decoder} reads it back.
 */
@API(status = API.Status.STABLE)
public final class Encoder {
  private byte[] array;
  private int length;

  public Encoder() {
    this(64);
  }

  public Encoder(int capacity) {
    array = new byte[Math.max(16, capacity)];
  }

  /** One byte, of which the low eight bits count. */
  public Encoder u8(int value) {
    reserve(1);
    array[length++] = (byte) value;
    return this;
  }

  /** Unsigned: negative values take ten bytes. */
  public Encoder varint(long value) {
    reserve(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      array[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    array[length++] = (byte) rest;
    return this;
  }

  /** Eight bytes, big-endian. */
  public Encoder int64(long value) {
    reserve(Long.BYTES);
    for (int shift = 56; shift >= 0; shift -= 8) {
      array[length++] = (byte) (value >>> shift);
    }
    return this;
  }

  /** The length, then the bytes. */
  public Encoder bytes(Bytes value) {
    varint(value.length());
    return raw(value);
  }

  /** The bytes without their length. */
  public Encoder raw(Bytes value) {
    reserve(value.length());
    value.copyTo(array, length);
    length += value.length();
    return this;
  }

  public Encoder text(String value) {
    return bytes(Bytes.ofAnyText(value));
  }

  public Encoder bool(boolean value) {
    return u8(value ? 1 : 0);
  }

  public Encoder row(Row row) {
    return text(row.table()).bytes(row.key());
  }

  public Encoder column(ColumnName column) {
    return text(column.family()).bytes(column.qualifier());
  }

  /** Returns the bytes written so far. The encoder must not be used afterwards. */
  public Bytes finish() {
    return Bytes.wrap(array, 0, length);
  }

  private void reserve(int more) {
    if (length + more > array.length) {
      array = Arrays.copyOf(array, Math.max(array.length * 2, length + more));
    }
  }
}
