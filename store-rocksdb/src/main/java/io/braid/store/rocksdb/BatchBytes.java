package io.braid.store.rocksdb;

import io.braid.core.data.Bytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A write batch in the form in which RocksDB logs it, built here so that a batch of many cells
 * costs one crossing into native code instead of one for each cell, and no garbage. A single put is
 * handed over as it is.
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
  private static final int MUCH = 1 << 18;

  /** A put that no record follows yet. */
  private record Single(int id, ColumnFamilyHandle handle, byte[] key, Bytes value) {}

  private byte[] bytes = {};
  private int length;
  private int count;
  private byte[] target = {};
  private @Nullable Single single;

  void put(int familyId, ColumnFamilyHandle handle, byte[] key, Bytes value) {
    if (isEmpty()) {
      single = new Single(familyId, handle, key, value);
      return;
    }
    spill();
    append(familyId, key, value);
  }

  void delete(int familyId, byte[] key) {
    spill();
    reserve(1 + 2 * MOST_VARINT + key.length);
    begin(DELETE, familyId, key);
  }

  private void spill() {
    Single put = single;
    if (put != null) {
      single = null;
      append(put.id, put.key, put.value);
    }
  }

  private void append(int familyId, byte[] key, Bytes value) {
    reserve(1 + 3 * MOST_VARINT + key.length + value.length());
    begin(PUT, familyId, key);
    varint(value.length());
    value.copyTo(bytes, length);
    length += value.length();
  }

  /** Adds all records of another. */
  void addAll(BatchBytes other) {
    Single put = other.single;
    if (put != null) {
      put(put.id, put.handle, put.key, put.value);
    } else if (!other.isEmpty()) {
      spill();
      int more = other.length - HEADER;
      reserve(more);
      System.arraycopy(other.bytes, HEADER, bytes, length, more);
      length += more;
      count += other.count;
    }
  }

  boolean isEmpty() {
    return count == 0 && single == null;
  }

  int length() {
    Single put = single;
    return put == null ? length : put.key.length + put.value.length();
  }

  void write(Engine engine, WriteOptions options) throws RocksDBException {
    Single put = single;
    if (put != null) {
      byte[] value = put.value.toArray();
      engine.db.put(put.handle, options, put.key, 0, put.key.length, value, 0, value.length);
      return;
    }
    try (WriteBatch batch = new WriteBatch(toArray())) {
      engine.db.write(options, batch);
    }
  }

  /**
   * Takes the memory that writing needs, if that is much: where there is none, nothing has begun
   * yet.
   */
  void prepare() {
    if (single == null && length > MUCH) {
      target = new byte[length];
    }
  }

  private byte[] toArray() {
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[COUNT_AT + i] = (byte) (count >>> (8 * i));
    }
    if (target.length != length) {
      return Arrays.copyOf(bytes, length);
    }
    System.arraycopy(bytes, 0, target, 0, length);
    return target;
  }

  private void begin(byte tag, int familyId, byte[] key) {
    bytes[length++] = tag;
    varint(familyId);
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
    length = Math.max(length, HEADER);
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.max(512, bytes.length * 2), length + more));
    }
  }
}
