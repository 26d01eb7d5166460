package io.braid.store.rocksdb.engine;

import io.braid.core.store.TableSchema.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.Statistics;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.util.StdErrLogger;

/**
 * How RocksDB is set up. All memory comes from one block cache: blocks of data, index and filters
 * live in it, and the write buffers are charged to it. Closing releases the native objects, after
 * the database is closed.
 */
public final class Tuning implements AutoCloseable {
  private static final long MIB = 1L << 20;
  private static final double HIGH_PRIORITY = 0.2;
  private static final int BLOOM_BITS = 10;

  /** Files are taken over only while level 0 has fewer, well below where writers are slowed. */
  static final int INGEST_MOST_LEVEL0 = 14;

  /** And while less than this waits to be compacted. */
  static final long INGEST_MOST_DEBT = 16 * 1024 * MIB;

  public static final long INGEST_WAIT_MILLIS = 20;

  /** Half a minute; then they are taken over all the same. */
  public static final int INGEST_WAITS = 1500;

  private final List<AbstractImmutableNativeReference> owned = new ArrayList<>();
  private final long memoryBytes;
  private final Cache cache;
  private final WriteBufferManager writeBuffers;
  private final BloomFilter bloom = new BloomFilter(BLOOM_BITS, false);

  private final @Nullable Statistics statistics;

  Tuning(long memoryBytes, boolean counting) {
    this.memoryBytes = memoryBytes;
    statistics = counting ? own(new Statistics()) : null;
    cache = new LRUCache(memoryBytes, -1, false, HIGH_PRIORITY);
    writeBuffers = new WriteBufferManager(memoryBytes / 4, cache);
  }

  DBOptions database(WALRecoveryMode recovery) {
    int cores = Runtime.getRuntime().availableProcessors();
    // A log that was synced and is missing or shorter at the next open is damage.
    Properties properties = new Properties();
    properties.setProperty("track_and_verify_wals_in_manifest", "true");
    DBOptions options =
        Objects.requireNonNull(DBOptions.getDBOptionsFromProps(properties), "options")
            .setCreateIfMissing(true)
            .setWalRecoveryMode(recovery)
            .setWriteBufferManager(writeBuffers)
            .setMaxBackgroundJobs(Math.max(2, Math.min(cores, 8)))
            .setMaxTotalWalSize(Math.max(64 * MIB, memoryBytes / 4))
            .setBytesPerSync(MIB)
            .setWalBytesPerSync(MIB / 2)
            .setAvoidFlushDuringRecovery(true)
            .setAvoidUnnecessaryBlockingIO(true)
            .setSkipStatsUpdateOnDbOpen(true)
            .setInfoLogLevel(InfoLogLevel.FATAL_LEVEL)
            .setLogger(own(silent()))
            .setListeners(List.of(own(new NoSelfRecovery())));
    if (statistics != null) {
      options.setStatistics(statistics);
    }
    return own(options);
  }

  /**
   * Returns a logger that makes RocksDB write no log file. A log file of bounded length begins
   * again now and then, each time with the options of all column families that were created since
   * the store was opened. RocksDB keeps these options in memory for that, some 14 KiB each, until
   * it is closed.
   *
   * <p>The logger does not call Java either. When a process ends without closing the store, RocksDB
   * waits for its threads while the JVM lets none of them in. So a thread that calls Java would
   * keep the process forever. Errors come back from the call that fails.
   */
  private static StdErrLogger silent() {
    return new StdErrLogger(InfoLogLevel.FATAL_LEVEL);
  }

  /** Returns RocksDB's statistics, if it counts. */
  @Nullable Statistics statistics() {
    return statistics;
  }

  /** Options for the column family of the catalog, to be closed by who has used them. */
  ColumnFamilyOptions catalog() {
    return new ColumnFamilyOptions().setWriteBufferSize(MIB);
  }

  /** Options for a column family, to be closed by who has used them. */
  ColumnFamilyOptions family(Kind kind) {
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setCacheIndexAndFilterBlocks(true)
            .setCacheIndexAndFilterBlocksWithHighPriority(true)
            .setPinL0FilterAndIndexBlocksInCache(true)
            .setFilterPolicy(bloom)
            .setWholeKeyFiltering(true)
            .setBlockSize(blockSize(kind));
    ColumnFamilyOptions options =
        base(kind)
            .setTableFormatConfig(table)
            .setWriteBufferSize(writeBufferSize(kind))
            .setCompressionType(CompressionType.LZ4_COMPRESSION);
    if (kind == Kind.LARGE) {
      options.setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION);
    }
    return options;
  }

  /**
   * Cells of sparse families come and go, and what they leave behind are tombstones, over which
   * every scan of the family has to walk. So files with many of them are compacted early, and a
   * write buffer in which one step met many is written out. These options have no setters in Java.
   */
  private static ColumnFamilyOptions base(Kind kind) {
    if (kind != Kind.SPARSE) {
      return new ColumnFamilyOptions();
    }
    Properties properties = new Properties();
    properties.setProperty("memtable_op_scan_flush_trigger", "10000");
    properties.setProperty(
        "table_properties_collectors",
        "{id=CompactOnDeletionCollector;"
            + "window_size=10000;deletion_trigger=5000;deletion_ratio=0.5}");
    return Objects.requireNonNull(
        ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties), "options");
  }

  /** Options for writing a sorted file; they need no store. */
  public static Options sortedFile(Kind kind) {
    try (BloomFilter filter = new BloomFilter(BLOOM_BITS, false)) {
      return new Options()
          .setTableFormatConfig(
              new BlockBasedTableConfig().setFilterPolicy(filter).setBlockSize(blockSize(kind)))
          .setCompressionType(CompressionType.LZ4_COMPRESSION);
    }
  }

  private static long blockSize(Kind kind) {
    return kind == Kind.LARGE ? 16 << 10 : 4 << 10;
  }

  private long writeBufferSize(Kind kind) {
    long most = kind == Kind.SPARSE ? 16 * MIB : 64 * MIB;
    return Math.max(MIB, Math.min(most, memoryBytes / 16));
  }

  /** How many native objects are kept until the end. */
  int held() {
    synchronized (owned) {
      return owned.size();
    }
  }

  private <T extends AbstractImmutableNativeReference> T own(T object) {
    synchronized (owned) {
      owned.add(object);
    }
    return object;
  }

  @Override
  public void close() {
    synchronized (owned) {
      owned.forEach(AbstractImmutableNativeReference::close);
      owned.clear();
    }
    bloom.close();
    writeBuffers.close();
    cache.close();
  }
}
