package io.braid.store.rocksdb;

import java.util.Objects;

/**
 * How to open a store.
 *
 * @param memoryBytes what the block cache and the write buffers may take together
 * @param tabletBytes the size on disk at which a tablet is split; 0 means that none is split by
 *     itself
 * @param onePhaseReach which rows one procedure can reach
 */
public record RocksOptions(long memoryBytes, long tabletBytes, OnePhaseReach onePhaseReach) {
  /** The smallest memory that a store works well with: 16 MiB. */
  public static final long LEAST_MEMORY = 16L << 20;

  private static final RocksOptions DEFAULTS =
      new RocksOptions(512L << 20, 64L << 20, OnePhaseReach.STORE);

  public RocksOptions {
    Objects.requireNonNull(onePhaseReach, "onePhaseReach");
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

  public RocksOptions memoryBytes(long bytes) {
    return new RocksOptions(bytes, tabletBytes, onePhaseReach);
  }

  public RocksOptions tabletBytes(long bytes) {
    return new RocksOptions(memoryBytes, bytes, onePhaseReach);
  }

  public RocksOptions onePhaseReach(OnePhaseReach reach) {
    return new RocksOptions(memoryBytes, tabletBytes, reach);
  }
}
