package io.braid.store.rocksdb.writes;

import io.braid.core.data.Bytes;
import io.braid.store.rocksdb.engine.Engine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A write batch in the form in which RocksDB logs it, built here so that a batch of many cells
 * costs one crossing into native code instead of one for each cell, and no garbage. A single put is
 * handed over as it is. From the first large value on, records are handed over one by one instead:
 * their values are not copied within the heap.
 *
 * <p>The form: eight bytes of sequence number (set by RocksDB), four of the count of records,
 * little-endian, then records: a tag, the varint of the column family, the varint length of the key
 * and the key, and for a put the varint length of the value and the value.
 */
final class BatchBytes implements AutoCloseable {
  private static final int HEADER = 12;
  private static final int COUNT_AT = 8;
  private static final byte DELETE = 0x4;
  private static final byte PUT = 0x5;
  private static final int MOST_VARINT = 5;

  /** From how many bytes on a value is large. */
  static final int LARGE = 1 << 16;

  /** A record that is handed over by itself; a delete when the value is null. */
  private record LooseRecord(ColumnFamilyHandle handle, int id, byte[] key, @Nullable Bytes value) {
    int length() {
      return key.length + (value == null ? 0 : value.length());
    }
  }

  private byte[] bytes = {};
  private int length;
  private int count;
  private @Nullable LooseRecord single; // a put that no record follows yet
  private List<LooseRecord> loose = List.of(); // after all that is in bytes
  private long looseLength;
  private @Nullable WriteBatch ready;

  void put(ColumnFamilyHandle handle, int familyId, byte[] key, Bytes value) {
    if (isEmpty()) {
      single = new LooseRecord(handle, familyId, key, value);
      return;
    }
    spill();
    if (loose.isEmpty() && value.length() < LARGE) {
      append(familyId, key, value);
    } else {
      loosely(new LooseRecord(handle, familyId, key, value));
    }
  }

  void delete(ColumnFamilyHandle handle, int familyId, byte[] key) {
    spill();
    if (loose.isEmpty()) {
      reserve(1 + 2 * MOST_VARINT + key.length);
      begin(DELETE, familyId, key);
    } else {
      loosely(new LooseRecord(handle, familyId, key, null));
    }
  }

  private void spill() {
    LooseRecord put = single;
    if (put == null || put.value == null) {
      return;
    }
    single = null;
    if (put.value.length() < LARGE) {
      append(put.id, put.key, put.value);
    } else {
      loosely(put);
    }
  }

  private void loosely(LooseRecord record) {
    if (loose.isEmpty()) {
      loose = new ArrayList<>();
    }
    loose.add(record);
    looseLength += record.length();
  }

  private void append(int familyId, byte[] key, Bytes value) {
    reserve(1 + 3 * MOST_VARINT + key.length + value.length());
    begin(PUT, familyId, key);
    varint(value.length());
    value.copyTo(bytes, length);
    length += value.length();
  }

  /** Adds all records of another that {@link #merges}. */
  void addAll(BatchBytes other) {
    LooseRecord put = other.single;
    if (put != null && put.value != null) {
      spill();
      append(put.id, put.key, put.value);
    } else if (!other.isEmpty()) {
      spill();
      int more = other.length - HEADER;
      reserve(more);
      System.arraycopy(other.bytes, HEADER, bytes, length, more);
      length += more;
      count += other.count;
    }
  }

  /** Whether it may be added to others: no value of it is large. */
  boolean merges() {
    return loose.isEmpty() && (single == null || single.length() < LARGE);
  }

  boolean isEmpty() {
    return count == 0 && single == null && loose.isEmpty();
  }

  long length() {
    LooseRecord put = single;
    return put == null ? length + looseLength : put.length();
  }

  void write(Engine engine, WriteOptions options) throws RocksDBException {
    WriteBatch batch = ready;
    if (batch != null) {
      engine.db.write(options, batch);
      return;
    }
    LooseRecord put = single;
    if (put != null && put.value != null) {
      byte[] value = put.value.toArray();
      engine.db.put(put.handle, options, put.key, 0, put.key.length, value, 0, value.length);
      return;
    }
    try (WriteBatch built = build()) {
      engine.db.write(options, built);
    }
  }

  /**
   * Takes the memory that writing needs, if that is much: where there is none, nothing has begun
   * yet. To be closed then.
   */
  void prepare() throws RocksDBException {
    if (length() >= LARGE) {
      spill();
      ready = build();
    }
  }

  /** Gives back what was prepared. */
  @Override
  public void close() {
    WriteBatch batch = ready;
    if (batch != null) {
      ready = null;
      batch.close();
    }
  }

  private WriteBatch build() throws RocksDBException {
    WriteBatch batch = count == 0 ? new WriteBatch() : new WriteBatch(counted());
    try {
      for (LooseRecord record : loose) {
        if (record.value == null) {
          batch.delete(record.handle, record.key);
        } else {
          batch.put(record.handle, record.key, record.value.toArray());
        }
      }
      return batch;
    } catch (RocksDBException | RuntimeException | Error e) {
      batch.close();
      throw e;
    }
  }

  private byte[] counted() {
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[COUNT_AT + i] = (byte) (count >>> (8 * i));
    }
    return Arrays.copyOf(bytes, length);
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
