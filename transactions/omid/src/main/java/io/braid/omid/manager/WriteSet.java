package io.braid.omid.manager;

import java.util.Arrays;

/**
 * What a transaction asks to commit: the hashes of its cells and of their tables. Can be used again
 * for another transaction; for one thread at a time.
 */
public final class WriteSet {
  private long start;
  private long[] cells = new long[8];
  private long[] newer = new long[8];
  private int size;
  private long[] tables = new long[2];
  private int tableCount;
  private long commit;

  /** Begins anew, for the transaction of a start timestamp. */
  public WriteSet reset(long start) {
    this.start = start;
    size = 0;
    tableCount = 0;
    commit = 0;
    return this;
  }

  /** Adds a cell, as {@link CellHash#cell CellHash.cell} has it. */
  public WriteSet add(long cell) {
    if (size == cells.length) {
      cells = Arrays.copyOf(cells, size * 2);
      newer = Arrays.copyOf(newer, size * 2);
    }
    newer[size] = 0;
    cells[size++] = cell;
    return this;
  }

  /** Adds a table that is written, as {@link CellHash#table CellHash.table} has it. */
  public WriteSet addTable(long table) {
    for (int i = 0; i < tableCount; i++) {
      if (tables[i] == table) {
        return this;
      }
    }
    if (tableCount == tables.length) {
      tables = Arrays.copyOf(tables, tableCount * 2);
    }
    tables[tableCount++] = table;
    return this;
  }

  /** The same cells and tables, not answered yet: what travels to a manager elsewhere. */
  public WriteSet copy() {
    WriteSet copy = new WriteSet().reset(start);
    for (int i = 0; i < size; i++) {
      copy.add(cells[i]);
    }
    for (int i = 0; i < tableCount; i++) {
      copy.addTable(tables[i]);
    }
    return copy;
  }

  /** Takes over what a manager elsewhere answered to a {@link #copy}. */
  public void answered(WriteSet copy) {
    commit = copy.commit;
    System.arraycopy(copy.newer, 0, newer, 0, size);
  }

  public long start() {
    return start;
  }

  public int size() {
    return size;
  }

  /** A cell, in the order in which they were added. */
  public long cell(int index) {
    return cells[index];
  }

  public int tableCount() {
    return tableCount;
  }

  public long table(int index) {
    return tables[index];
  }

  /** The commit timestamp that was granted; 0 when none was. */
  public long commit() {
    return commit;
  }

  /** It may commit at this timestamp. */
  public void grant(long timestamp) {
    commit = timestamp;
  }

  /** The commit that collides with the cell that was added at {@code index}; 0 when none does. */
  public long newer(int index) {
    return newer[index];
  }

  /** A commit collides with the cell that was added at {@code index}. */
  public void collides(int index, long other) {
    newer[index] = other;
  }
}
