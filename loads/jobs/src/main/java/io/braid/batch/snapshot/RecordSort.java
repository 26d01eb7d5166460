package io.braid.batch.snapshot;

import io.braid.core.data.Bytes;
import java.util.Arrays;
import java.util.List;

/**
 * Sorts records as {@link SnapshotRecord#ORDER} says. Nearly all comparisons are decided by the
 * eight bytes of a key that follow what all keys begin with; these stand beside each other, while
 * keys lie anywhere in memory.
 */
public final class RecordSort {
  private RecordSort() {}

  private record Keyed(long bytes, SnapshotRecord record) {
    int compare(Keyed other) {
      int order = Long.compareUnsigned(bytes, other.bytes);
      return order != 0 ? order : SnapshotRecord.ORDER.compare(record, other.record);
    }
  }

  public static void sort(List<SnapshotRecord> records) {
    int common = common(records);
    Keyed[] keyed = new Keyed[records.size()];
    for (int i = 0; i < keyed.length; i++) {
      keyed[i] = new Keyed(bytes(records.get(i).key(), common), records.get(i));
    }
    Arrays.sort(keyed, Keyed::compare);
    for (int i = 0; i < keyed.length; i++) {
      records.set(i, keyed[i].record);
    }
  }

  /** With how many bytes all keys begin alike. */
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

  /** Eight bytes from there on; what a key does not have any more counts as zero. */
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
