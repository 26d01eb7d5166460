package io.braid.store.rocksdb.engine;

import io.braid.core.data.Bytes;
import java.util.Arrays;

/**
 * Keys of cells: the row, the qualifier, and eight bytes of the inverted version, big-endian.
 *
 * <p>Row and qualifier are escaped, so that keys sort as the cells do and no row is a prefix of
 * another: 0x00 is written as 0x00 0xFF, and 0x00 0x01 ends the field. Within an escaped field 0x00
 * is therefore followed by 0x01 or 0xFF only; a field whose last byte is made 0x02 is the end of
 * everything that starts with it. The version is inverted bit by bit, so that the newest comes
 * first.
 */
public final class Keys {
  public static final int VERSION_BYTES = Long.BYTES;
  private static final byte ESCAPED = (byte) 0xFF;
  private static final byte END = 1;
  private static final byte BEYOND = 2;

  private Keys() {}

  /** Returns the prefix of all keys of a row. */
  public static byte[] row(Bytes row) {
    byte[] key = new byte[escapedLength(row)];
    escape(row, key, 0);
    return key;
  }

  public static byte[] cell(Bytes row, Bytes qualifier, long version) {
    int rowLength = escapedLength(row);
    int columnLength = rowLength + escapedLength(qualifier);
    byte[] key = new byte[columnLength + VERSION_BYTES];
    escape(row, key, 0);
    escape(qualifier, key, rowLength);
    putVersion(key, columnLength, version);
    return key;
  }

  /** The key of {@code version} in the row whose prefix is {@code key[0, rowLength)}. */
  public static byte[] cell(byte[] key, int rowLength, Bytes qualifier, long version) {
    int columnLength = rowLength + escapedLength(qualifier);
    byte[] cell = Arrays.copyOf(key, columnLength + VERSION_BYTES);
    escape(qualifier, cell, rowLength);
    putVersion(cell, columnLength, version);
    return cell;
  }

  /** Returns the prefix of the keys of a row whose qualifiers start with {@code prefix}. */
  public static byte[] qualifierPrefix(Bytes row, Bytes prefix) {
    int rowLength = escapedLength(row);
    byte[] key = new byte[rowLength + escapedLength(prefix)];
    escape(row, key, 0);
    escape(prefix, key, rowLength);
    return Arrays.copyOf(key, key.length - 2);
  }

  /** The end of all keys that start with {@code key[0, length)}, which ends an escaped field. */
  public static byte[] beyond(byte[] key, int length) {
    byte[] end = Arrays.copyOf(key, length);
    end[length - 1] = BEYOND;
    return end;
  }

  /** The same column at another version. */
  public static byte[] withVersion(byte[] key, long version) {
    byte[] other = key.clone();
    putVersion(other, key.length - VERSION_BYTES, version);
    return other;
  }

  public static long version(byte[] key, int keyLength) {
    long inverted = 0;
    for (int i = keyLength - VERSION_BYTES; i < keyLength; i++) {
      inverted = inverted << 8 | (key[i] & 0xFF);
    }
    return ~inverted;
  }

  static void putVersion(byte[] key, int position, long version) {
    long inverted = ~version;
    for (int i = 0; i < VERSION_BYTES; i++) {
      key[position + i] = (byte) (inverted >>> (56 - 8 * i));
    }
  }

  /** Where the escaped field that begins at {@code from} ends, its end mark included. */
  public static int fieldEnd(byte[] key, int from) {
    int last = key.length - 1;
    int at = from;
    while (at < last) {
      if (key[at] != 0) {
        at++;
      } else if (key[at + 1] == END) {
        return at + 2;
      } else {
        at += 2;
      }
    }
    throw new IllegalArgumentException("A key without an end of its row or qualifier.");
  }

  /** The field that lies in {@code key[from, to)}, its end mark included; a view if possible. */
  public static Bytes field(byte[] key, int from, int to) {
    int end = to - 2;
    for (int i = from; i < end; i++) {
      if (key[i] == 0) {
        return unescape(key, from, end);
      }
    }
    return Bytes.wrap(key, from, end - from);
  }

  private static Bytes unescape(byte[] key, int from, int end) {
    byte[] field = Arrays.copyOfRange(key, from, end);
    int length = 0;
    int at = 0;
    while (at < field.length) {
      byte b = field[at];
      field[length++] = b;
      at += b == 0 ? 2 : 1;
    }
    return Bytes.wrap(field, 0, length);
  }

  public static int escapedLength(Bytes field) {
    int length = field.length() + 2;
    for (int i = 0; i < field.length(); i++) {
      if (field.at(i) == 0) {
        length++;
      }
    }
    return length;
  }

  /** Writes the escaped field and its end mark; returns the position after it. */
  static int escape(Bytes field, byte[] target, int position) {
    int at = position;
    for (int i = 0; i < field.length(); i++) {
      byte b = field.at(i);
      target[at++] = b;
      if (b == 0) {
        target[at++] = ESCAPED;
      }
    }
    target[at++] = 0;
    target[at++] = END;
    return at;
  }

  /** Lets every bit of the hash bear on the low ones. */
  public static int spread(int hash) {
    int h = hash;
    h = (h ^ (h >>> 16)) * 0x85EBCA6B;
    h = (h ^ (h >>> 13)) * 0xC2B2AE35;
    return h ^ (h >>> 16);
  }
}
