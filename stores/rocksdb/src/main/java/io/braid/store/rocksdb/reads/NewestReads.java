package io.braid.store.rocksdb.reads;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.TableSchema.Kind;
import io.braid.store.rocksdb.concurrency.RowLocks;
import io.braid.store.rocksdb.engine.Keys;
import io.braid.store.rocksdb.reads.NewestCells.KnownAnswer;
import io.braid.store.rocksdb.tables.Family;
import org.jspecify.annotations.Nullable;

/**
 * Reads the newest version of a column: from memory where it is known, by its exact key where its
 * version can be guessed, else by a seek.
 */
public final class NewestReads {
  private final CellReads cells;
  private final RowLocks locks;
  private final NewestCells newest;
  private final VersionBounds bounds;
  private final Counters counters;

  public NewestReads(
      CellReads cells,
      RowLocks locks,
      NewestCells newest,
      VersionBounds bounds,
      Counters counters) {
    this.cells = cells;
    this.locks = locks;
    this.newest = newest;
    this.bounds = bounds;
    this.counters = counters;
  }

  /**
   * The newest version if it lies above {@code version}, else 0; from memory where nothing was
   * written lately. For who holds the lock of the row.
   */
  public long above(Cursors cursors, Family family, Row row, ColumnName column, long version) {
    return isBounded(family, row, column, version)
        ? 0
        : above(locked(cursors, family, row, column, Long.MAX_VALUE), version);
  }

  /**
   * Does the same as {@link #above}, at an instant within the call, for a caller that holds no
   * lock.
   */
  public long freeAbove(Cursors cursors, Family family, Row row, ColumnName column, long version) {
    return isBounded(family, row, column, version)
        ? 0
        : above(free(cursors, family, row, column, Long.MAX_VALUE), version);
  }

  private boolean isBounded(Family family, Row row, ColumnName column, long version) {
    boolean bounded =
        family.kind == Kind.DATA && !bounds.mayHaveAbove(family, row, column.qualifier(), version);
    if (bounded) {
      counters.boundHits.increment();
    }
    return bounded;
  }

  private static long above(@Nullable Cell cell, long version) {
    return cell == null || cell.version() <= version ? 0 : cell.version();
  }

  /** For who holds the lock of the row. */
  public @Nullable Cell locked(
      Cursors cursors, Family family, Row row, ColumnName column, long maxVersion) {
    byte[] key = Keys.cell(row.key(), column.qualifier(), maxVersion);
    if (family.kind == Kind.DATA) {
      KnownAnswer known = newest.find(family, row.key(), column, key, maxVersion);
      if (known != null) {
        counters.newestHits.increment();
        return known.cell();
      }
      if (newest.admits(family, row.key(), column)) {
        Cell top = add(cursors.of(family), family, row, column, key);
        if (top == null || top.version() <= maxVersion) {
          return top;
        }
      }
    }
    return exactOrSeek(cursors, family, row, column, key, maxVersion);
  }

  /**
   * By its exact key if its version can be guessed, else by a seek; also by a seek where nothing
   * was written since the last one, because that is the faster then. The cell found by the guess
   * was the newest at an instant within the call: when the place was looked at, or when it came
   * after.
   */
  private @Nullable Cell exactOrSeek(
      Cursors cursors, Family family, Row row, ColumnName column, byte[] key, long maxVersion) {
    if (family.kind == Kind.DATA && !cursors.isUpToDate(family)) {
      long version = bounds.likelyNewest(family, row, column.qualifier(), maxVersion);
      byte[] value = version == 0 ? null : cells.get(family, Keys.withVersion(key, version));
      if (value != null) {
        return new Cell(column, version, Bytes.wrap(value));
      }
    }
    return cells.newest(cursors.of(family), column, key);
  }

  /** For who holds no lock: the newest version at an instant within the call. */
  public @Nullable Cell free(
      Cursors cursors, Family family, Row row, ColumnName column, long maxVersion) {
    byte[] key = Keys.cell(row.key(), column.qualifier(), maxVersion);
    if (family.kind == Kind.DATA) {
      int stripe = RowLocks.stripe(row);
      long stamp = locks.stamp(stripe);
      KnownAnswer known = newest.find(family, row.key(), column, key, maxVersion);
      if (known != null && !RowLocks.changing(stamp) && locks.stamp(stripe) == stamp) {
        counters.newestHits.increment();
        return known.cell();
      }
      if (known == null && newest.admits(family, row.key(), column) && locks.tryLock(stripe)) {
        try {
          Cursor cursor = cursors.of(family);
          cursor.refresh(null);
          Cell top = add(cursor, family, row, column, key);
          if (top == null || top.version() <= maxVersion) {
            return top;
          }
        } finally {
          locks.unlock(stripe);
        }
      }
    }
    return exactOrSeek(cursors, family, row, column, key, maxVersion);
  }

  /** Adds and returns what the cursor, which is up to date, has as the newest; under the lock. */
  private @Nullable Cell add(Cursor cursor, Family family, Row row, ColumnName column, byte[] key) {
    Cell top = cells.newest(cursor, column, Keys.withVersion(key, Long.MAX_VALUE));
    newest.add(family, row.key(), column, key, top);
    return top;
  }
}
