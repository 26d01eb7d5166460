package io.braid.omid.manager;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;

/**
 * The 64-bit hash by which the conflict map identifies a cell. Two cells with the same hash cause
 * an abort now and then, never a missed conflict.
 */
public final class CellHash {
  private static final long SEED = 0x9E3779B97F4A7C15L;

  private CellHash() {}

  public static long cell(Row row, ColumnName column) {
    long hash = text(SEED, row.table());
    hash = bytes(hash, row.key());
    hash = text(hash, column.family());
    return mix(bytes(hash, column.qualifier()));
  }

  public static long table(String table) {
    return mix(text(SEED, table));
  }

  private static long text(long seed, String text) {
    long hash = seed ^ text.length();
    for (int i = 0; i < text.length(); i++) {
      hash = mix(hash + text.charAt(i));
    }
    return hash;
  }

  private static long bytes(long seed, Bytes bytes) {
    long hash = mix(seed ^ bytes.length());
    int i = 0;
    for (; i + Long.BYTES <= bytes.length(); i += Long.BYTES) {
      hash = mix(hash ^ bytes.longAt(i));
    }
    for (; i < bytes.length(); i++) {
      hash = mix(hash + bytes.at(i));
    }
    return hash;
  }

  /** A permutation of the 64-bit numbers in which each bit depends on every other. */
  private static long mix(long value) {
    long z = (value ^ (value >>> 32)) * 0xD6E8FEB86659FD93L;
    z = (z ^ (z >>> 32)) * 0xD6E8FEB86659FD93L;
    return z ^ (z >>> 32);
  }
}
