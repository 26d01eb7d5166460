package io.braid.store.rocksdb;

import io.braid.core.data.Bytes;
import java.util.Arrays;

/**
 * A write batch in the form in which RocksDB logs it, built here so that a batch of many cells
 * costs one crossing into native code instead of one for each cell, and no garbage.
 *
 * <p>The form: eight bytes of sequence number (set by RocksDB), four of the count of records,
 * little-endian, then records: a tag, the varint of the column family, the varint length of the key
 * and the key, and for a put the varint length of the value and the value.
 */
final class BatchBytes {
  private static final int HEADER = 12;
  private static final int COUNT_AT = 8;
  private static final byte DELETE = 0x4;
  private static final byte PUT = 0x5;
  private static final int MOST_VARINT = 5;

  private byte[] bytes = new byte[512];
  private int length = HEADER;
  private int count;

  void put(Family family, byte[] key, Bytes value) {
    reserve(1 + 3 * MOST_VARINT + key.length + value.length());
    begin(PUT, family, key);
    varint(value.length());
    value.copyTo(bytes, length);
    length += value.length();
  }

  void delete(Family family, byte[] key) {
    reserve(1 + 2 * MOST_VARINT + key.length);
    begin(DELETE, family, key);
  }

  boolean isEmpty() {
    return count == 0;
  }

  int length() {
    return length;
  }

  byte[] toArray() {
    byte[] batch = Arrays.copyOf(bytes, length);
    for (int i = 0; i < Integer.BYTES; i++) {
      batch[COUNT_AT + i] = (byte) (count >>> (8 * i));
    }
    return batch;
  }

  private void begin(byte tag, Family family, byte[] key) {
    bytes[length++] = tag;
    varint(family.id);
    varint(key.length);
    System.arraycopy(key, 0, bytes, length, key.length);
    length += key.length;
    count++;
  }

  private void varint(int value) {
    int rest = value;
    while ((rest & ~0x7F) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  private void reserve(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }
}
