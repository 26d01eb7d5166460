package io.braid.omid.manager;

import java.util.Arrays;

/**
 * The newest fence of each table that has one (Omid, section 6.1). Few tables have; not safe for
 * several threads.
 */
final class Fences {
  private long[] tables = new long[4];
  private long[] fences = new long[4];
  private int[] pending = new int[4];
  private int count;
  private long highest;

  /** Whether a table of the write set was fenced after its transaction began. */
  boolean stop(WriteSet writes) {
    if (writes.start() >= highest) {
      return false;
    }
    for (int i = 0; i < writes.tableCount(); i++) {
      int at = indexOf(writes.table(i));
      if (at < count && (pending[at] > 0 || writes.start() < fences[at])) {
        return true;
      }
    }
    return false;
  }

  /** The timestamp of a fence is about to be drawn: until then nobody passes. */
  void begin(long table) {
    int at = indexOf(table);
    if (at == tables.length) {
      tables = Arrays.copyOf(tables, at * 2);
      fences = Arrays.copyOf(fences, at * 2);
      pending = Arrays.copyOf(pending, at * 2);
    }
    tables[at] = table;
    count = Math.max(count, at + 1);
    pending[at]++;
    highest = Long.MAX_VALUE;
  }

  /**
   * @param fence the timestamp; 0 when none could be drawn
   */
  void end(long table, long fence) {
    int at = indexOf(table);
    pending[at]--;
    fences[at] = Math.max(fences[at], fence);
    highest = 0;
    for (int i = 0; i < count; i++) {
      highest = Math.max(highest, pending[i] > 0 ? Long.MAX_VALUE : fences[i]);
    }
  }

  /** Where a table stands; the first free place when it does not. */
  private int indexOf(long table) {
    int at = 0;
    while (at < count && tables[at] != table) {
      at++;
    }
    return at;
  }
}
