package io.braid.batch.snapshot;

import io.braid.core.data.Bytes;
import java.util.Arrays;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Sorts records in the order of {@link SnapshotRecord#ORDER}. Nearly all comparisons are decided by
 * the eight bytes of a key after the prefix that all keys share. These bytes are next to each other
 * in memory, while keys lie anywhere.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class RecordSort {
  private RecordSort() {}

  private record KeyedRecord(long bytes, SnapshotRecord record) {
    int compare(KeyedRecord other) {
      int order = Long.compareUnsigned(bytes, other.bytes);
      return order != 0 ? order : SnapshotRecord.ORDER.compare(record, other.record);
    }
  }

  public static void sort(List<SnapshotRecord> records) {
    int common = common(records);
    KeyedRecord[] keyed = new KeyedRecord[records.size()];
    for (int i = 0; i < keyed.length; i++) {
      keyed[i] = new KeyedRecord(bytes(records.get(i).key(), common), records.get(i));
    }
    Arrays.sort(keyed, KeyedRecord::compare);
    for (int i = 0; i < keyed.length; i++) {
      records.set(i, keyed[i].record);
    }
  }

  /** Returns the number of bytes that all keys share at the beginning. */
  private static int common(List<SnapshotRecord> records) {
    Bytes first = records.isEmpty() ? Bytes.EMPTY : records.get(0).key();
    int common = first.length();
    for (SnapshotRecord record : records) {
      Bytes key = record.key();
      common = Math.min(common, key.length());
      int alike = 0;
      while (alike < common && key.at(alike) == first.at(alike)) {
        alike++;
      }
      common = alike;
    }
    return common;
  }

  /** Returns eight bytes from there on; bytes after the end of the key count as zero. */
  private static long bytes(Bytes key, int from) {
    if (key.length() - from >= Long.BYTES) {
      return key.longAt(from);
    }
    long bytes = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      bytes = bytes << 8 | (i < key.length() ? key.at(i) & 0xFF : 0);
    }
    return bytes;
  }
}
