package io.braid.store.rocksdb;

import java.util.Objects;

/**
 * How to open an embedded store. {@link #defaults} begins; a {@code Braid} makes them of the
 * settings {@code store.*}.
 *
 * @param memoryBytes what the block cache and the write buffers may take together, at least {@link
 *     #LEAST_MEMORY}
 * @param tabletBytes the size on disk at which a tablet is split; 0 means that none is split by
 *     itself
 * @param reach which rows one procedure can reach
 * @param statistics whether RocksDB counts what it does, which takes some time on each call; then
 *     {@link StoreStats#walSyncs} is its own count
 */
public record RocksOptions(
    long memoryBytes, long tabletBytes, OnePhaseReach reach, boolean statistics) {
  /** The smallest memory that a store works well with: 16 MiB. */
  public static final long LEAST_MEMORY = 16L << 20;

  private static final RocksOptions DEFAULTS =
      new RocksOptions(512L << 20, 64L << 20, OnePhaseReach.STORE, false);

  public RocksOptions {
    Objects.requireNonNull(reach, "reach");
    if (memoryBytes < LEAST_MEMORY) {
      throw new IllegalArgumentException(
          "Memory of " + memoryBytes + " bytes is too little: give at least " + LEAST_MEMORY + ".");
    }
    if (tabletBytes < 0) {
      throw new IllegalArgumentException("A tablet of " + tabletBytes + " bytes: use 0 or more.");
    }
  }

  /** 512 MiB of memory, tablets of 64 MiB, procedures over the whole store. */
  public static RocksOptions defaults() {
    return DEFAULTS;
  }

  public RocksOptions withMemoryBytes(long bytes) {
    return new RocksOptions(bytes, tabletBytes, reach, statistics);
  }

  public RocksOptions withTabletBytes(long bytes) {
    return new RocksOptions(memoryBytes, bytes, reach, statistics);
  }

  public RocksOptions withReach(OnePhaseReach to) {
    return new RocksOptions(memoryBytes, tabletBytes, to, statistics);
  }

  public RocksOptions withStatistics(boolean on) {
    return new RocksOptions(memoryBytes, tabletBytes, reach, on);
  }
}
