package io.braid.omid.manager;

import java.util.Arrays;

/**
 * The newest fence of each table that has one (Omid, section 6.1). Few tables have a fence. If
 * there are too many, the oldest fence applies to all tables. Not safe for several threads.
 */
final class Fences {
  /** How many fences are checked for a write set, at most. */
  static final int MOST = 1024;

  private long[] tables = new long[4];
  private long[] fences = new long[4];
  private int[] pending = new int[4];
  private int count;
  private long highest;

  /** The newest fence whose table is forgotten. */
  private long everywhere;

  /** Whether a table of the write set was fenced after its transaction began. */
  boolean stop(WriteSet writes) {
    if (writes.start() >= highest) {
      return false;
    }
    if (writes.start() < everywhere && writes.tableCount() > 0) {
      return true;
    }
    for (int i = 0; i < writes.tableCount(); i++) {
      int at = indexOf(writes.table(i));
      if (at < count && (pending[at] > 0 || writes.start() < fences[at])) {
        return true;
      }
    }
    return false;
  }

  /** Blocks all transactions that write the table, until the timestamp of the fence is drawn. */
  void begin(long table) {
    int at = indexOf(table);
    if (at >= MOST && at == count) {
      at = forgetOldest();
    }
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
    highest = everywhere;
    for (int i = 0; i < count; i++) {
      highest = Math.max(highest, pending[i] > 0 ? Long.MAX_VALUE : fences[i]);
    }
  }

  /**
   * Frees a place: from now on, the oldest fence applies to all tables. It began before every other
   * known fence was drawn.
   *
   * @return the place; a new one while a timestamp is about to be drawn for each
   */
  private int forgetOldest() {
    int oldest = count;
    for (int i = 0; i < count; i++) {
      if (pending[i] == 0 && (oldest == count || fences[i] < fences[oldest])) {
        oldest = i;
      }
    }
    if (oldest < count) {
      everywhere = Math.max(everywhere, fences[oldest]);
      fences[oldest] = 0;
    }
    return oldest;
  }

  /** Returns how many tables have a fence of their own. */
  int count() {
    return count;
  }

  /** Returns the place of a table, or the first free place if the table has none. */
  private int indexOf(long table) {
    int at = 0;
    while (at < count && tables[at] != table) {
      at++;
    }
    return at;
  }
}
