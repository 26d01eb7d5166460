package io.braid.omid.manager;

import java.util.Arrays;

/**
 * The request of a transaction to commit: the hashes of its cells and of their tables. Can be
 * reused for another transaction; for one thread at a time.
 */
public final class WriteSet {
  private long start;
  private long[] cells = new long[8];
  private long[] newer = new long[8];
  private int size;
  private long[] tables = new long[2];
  private int tableCount;
  private long commit;

  /** Empties the set, for the transaction of a start timestamp. */
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

  /** Returns the same cells and tables without an answer, to send to a manager elsewhere. */
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

  /** Takes over the answer of a manager elsewhere to a {@link #copy}. */
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

  /** Returns a cell, in the order in which cells were added. */
  public long cell(int index) {
    return cells[index];
  }

  public int tableCount() {
    return tableCount;
  }

  public long table(int index) {
    return tables[index];
  }

  /** Returns the granted commit timestamp; 0 if there is none. */
  public long commit() {
    return commit;
  }

  /** Grants the commit at this timestamp. */
  public void grant(long timestamp) {
    commit = timestamp;
  }

  /** Returns the commit that collides with the cell added at {@code index}; 0 if none does. */
  public long newer(int index) {
    return newer[index];
  }

  /** Records that a commit collides with the cell added at {@code index}. */
  public void collides(int index, long other) {
    newer[index] = other;
  }
}
