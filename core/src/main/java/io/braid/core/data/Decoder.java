package io.braid.core.data;

import org.apiguardian.api.API;

/**
 * Reads what {@link Encoder} wrote. Byte strings are views of the input. Every length is checked
 * against what is left before anything is allocated.
 *
 * <p>All methods throw IllegalArgumentException when the input ends too early or is malformed.
 */
@API(status = API.Status.STABLE)
public final class Decoder {
  private final Bytes input;
  private int position;

  /** Reads from the first byte on. */
  public Decoder(Bytes input) {
    this.input = input;
  }

  /** One byte, from 0 to 255. */
  public int u8() {
    need(1);
    return input.at(position++) & 0xFF;
  }

  /** A number of one to ten bytes, as {@link Encoder#varint Encoder.varint} writes it. */
  public long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int b = u8();
      value |= (long) (b & 0x7F) << shift;
      if (b < 0x80) {
        return value;
      }
    }
    throw new IllegalArgumentException("A number longer than ten bytes at " + position + ".");
  }

  /** A varint that must lie between 0 and {@code max}. */
  public int count(int max) {
    long value = varint();
    if (value < 0 || value > max) {
      throw new IllegalArgumentException(
          "A count of " + value + ", over the limit of " + max + ".");
    }
    return (int) value;
  }

  /** Eight bytes, big-endian. */
  public long int64() {
    need(Long.BYTES);
    long value = input.longAt(position);
    position += Long.BYTES;
    return value;
  }

  /** Bytes with their length before them. */
  public Bytes bytes() {
    long length = varint();
    if (length < 0 || length > remaining()) {
      throw new IllegalArgumentException(
          "A length of " + length + " where " + remaining() + " bytes are left.");
    }
    Bytes value = input.slice(position, position + (int) length);
    position += (int) length;
    return value;
  }

  /** Reads a number of bytes, without a length before them. */
  public Bytes raw(int length) {
    need(length);
    Bytes value = input.slice(position, position + length);
    position += length;
    return value;
  }

  /** Everything that is left. */
  public Bytes rest() {
    Bytes value = input.slice(position);
    position = input.length();
    return value;
  }

  public String text() {
    return bytes().toUtf8();
  }

  public boolean bool() {
    return u8() != 0;
  }

  public Row row() {
    return new Row(text(), bytes());
  }

  public ColumnName column() {
    return new ColumnName(text(), bytes());
  }

  /** How many bytes are left. */
  public int remaining() {
    return input.length() - position;
  }

  /** Refuses input that has bytes left. */
  public void end() {
    if (remaining() != 0) {
      throw new IllegalArgumentException(remaining() + " bytes too many.");
    }
  }

  private void need(int bytes) {
    if (remaining() < bytes) {
      throw new IllegalArgumentException(
          bytes + " bytes wanted where " + remaining() + " are left.");
    }
  }
}
