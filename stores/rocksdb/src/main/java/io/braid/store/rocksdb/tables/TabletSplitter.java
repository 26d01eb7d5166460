package io.braid.store.rocksdb.tables;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.engine.Keys;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Range;
import org.rocksdb.RocksIterator;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;

/**
 * Cuts tablets that have grown too large.
 *
 * <p>RocksDB knows the approximate size of any range without reading it. The middle of a tablet is
 * found by halving: the range between its first and last key is cut at the number in the middle,
 * then the heavier side again, until both sides weigh about the same. The tablet is cut at the
 * first row from there on.
 */
public final class TabletSplitter {
  private static final int MOST_HALVINGS = 64;

  /** How far from the middle is good enough, as a share of the whole. */
  private static final double SLACK = 0.05;

  /** Sorts after the keys of nearly all rows; rows behind it only make a size a bit too small. */
  private static final byte[] LAST = new byte[64];

  static {
    Arrays.fill(LAST, (byte) 0xFF);
  }

  private final Engine engine;
  private final Catalog catalog;
  private final long tabletBytes;

  public TabletSplitter(Engine engine, Catalog catalog, long tabletBytes) {
    this.engine = engine;
    this.catalog = catalog;
    this.tabletBytes = tabletBytes;
  }

  /** Looks at the tables that were written to, and cuts their large tablets. */
  public void check() {
    if (tabletBytes == 0) {
      return;
    }
    for (Table table : catalog.all()) {
      if (table.written.sum() >= tabletBytes / 4) {
        table.written.reset();
        split(table);
      }
    }
  }

  /** Cuts the large tablets of all tables. */
  public void splitLarge() {
    catalog.all().forEach(this::split);
  }

  private void split(Table table) {
    TabletMap tablets = table.tablets;
    for (int i = 0; i < tablets.starts().size(); i++) {
      KeyRange range = tablets.range(i);
      long size = 0;
      long largest = -1;
      Family heaviest = null;
      for (Family family : table.families()) {
        long share = size(family, start(range), end(range));
        size += share;
        if (share > largest) {
          largest = share;
          heaviest = family;
        }
      }
      if (size > tabletBytes && heaviest != null) {
        Bytes middle = middle(heaviest, range);
        if (middle != null) {
          catalog.cut(table, now -> now.startsAt(middle) ? now : now.split(middle));
        }
      }
    }
  }

  /** The row at which to cut; null when there is none. */
  private @Nullable Bytes middle(Family family, KeyRange range) {
    try (RocksIterator keys = engine.db.newIterator(family.handle)) {
      byte[] first = at(keys, start(range));
      keys.seekForPrev(end(range));
      byte[] last = keys.isValid() ? keys.key() : null;
      if (first == null || last == null || Arrays.compareUnsigned(first, last) >= 0) {
        return null;
      }
      byte[] middle = at(keys, halve(family, first, last));
      if (middle == null) {
        return null;
      }
      Bytes row = rowOf(middle);
      if (row.equals(rowOf(first))) {
        byte[] next = at(keys, Keys.beyond(middle, Keys.fieldEnd(middle, 0)));
        if (next == null) {
          return null;
        }
        row = rowOf(next);
      }
      return range.contains(row) && !row.equals(range.start()) ? row : null;
    }
  }

  private byte[] halve(Family family, byte[] first, byte[] last) {
    int length = Math.max(first.length, last.length) + 1;
    BigInteger low = number(first, length);
    BigInteger high = number(last, length);
    long whole = size(family, first, last);
    byte[] middle = first;
    for (int i = 0; i < MOST_HALVINGS; i++) {
      BigInteger half = low.add(high).shiftRight(1);
      middle = bytes(half, length);
      long left = size(family, first, middle);
      if (Math.abs(left - whole / 2) <= whole * SLACK) {
        break;
      }
      if (left < whole / 2) {
        low = half;
      } else {
        high = half;
      }
    }
    return middle;
  }

  private long size(Family family, byte[] from, byte[] to) {
    try (Slice start = new Slice(from);
        Slice end = new Slice(to)) {
      return engine
          .db
          .getApproximateSizes(
              family.handle,
              java.util.List.of(new Range(start, end)),
              SizeApproximationFlag.INCLUDE_FILES,
              SizeApproximationFlag.INCLUDE_MEMTABLES)[0];
    }
  }

  private static byte @Nullable [] at(RocksIterator keys, byte[] from) {
    keys.seek(from);
    return keys.isValid() ? keys.key() : null;
  }

  private static Bytes rowOf(byte[] key) {
    return Keys.field(key, 0, Keys.fieldEnd(key, 0));
  }

  private static byte[] start(KeyRange range) {
    return Keys.row(range.start());
  }

  private static byte[] end(KeyRange range) {
    Bytes end = range.end();
    return end == null ? LAST : Keys.row(end);
  }

  private static BigInteger number(byte[] key, int length) {
    return new BigInteger(1, Arrays.copyOf(key, length));
  }

  private static byte[] bytes(BigInteger number, int length) {
    byte[] digits = number.toByteArray();
    byte[] key = new byte[length];
    int from = Math.max(0, digits.length - length);
    int count = digits.length - from;
    System.arraycopy(digits, from, key, length - count, count);
    return key;
  }
}
