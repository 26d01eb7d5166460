package io.braid.benchmarks;

import java.nio.file.Path;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/**
 * The peers: RocksDB through the same Java binding, plain and with its own transactions. The cache,
 * write buffers, filters, compression and durability are those of Braid's store.
 */
public final class RawRocks implements AutoCloseable {
  static {
    RocksDB.loadLibrary();
  }

  private final Options options;
  private final RocksDB db;
  private final WriteOptions buffered = new WriteOptions();
  private final WriteOptions synced = new WriteOptions().setSync(true);
  private final ReadOptions reads = new ReadOptions();

  private RawRocks(Options options, RocksDB db) {
    this.options = options;
    this.db = db;
  }

  /** Opens a database of its own in a directory. */
  public static RawRocks plain(Path directory, long memoryBytes) throws RocksDBException {
    Options options = options(memoryBytes);
    return new RawRocks(options, RocksDB.open(options, directory.toString()));
  }

  /** Opens a database that has transactions. */
  public static RawRocks transactional(Path directory, long memoryBytes) throws RocksDBException {
    Options options = options(memoryBytes);
    return new RawRocks(options, OptimisticTransactionDB.open(options, directory.toString()));
  }

  private static Options options(long memoryBytes) {
    Cache cache = new LRUCache(memoryBytes, -1, false, 0.2);
    return new Options()
        .setCreateIfMissing(true)
        .setWriteBufferManager(new WriteBufferManager(memoryBytes / 4, cache))
        .setWriteBufferSize(memoryBytes / 16)
        .setMaxTotalWalSize(memoryBytes / 4)
        .setBytesPerSync(1 << 20)
        .setWalBytesPerSync(1 << 19)
        .setAvoidUnnecessaryBlockingIO(true)
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setTableFormatConfig(
            new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setFilterPolicy(new BloomFilter(10, false)));
  }

  /** Returns the database of {@link #transactional}. */
  public OptimisticTransactionDB transactions() {
    return (OptimisticTransactionDB) db;
  }

  void put(byte[] key, byte[] value) throws RocksDBException {
    db.put(buffered, key, value);
  }

  /** Writes the same value to several keys at once. */
  public void write(List<byte[]> keys, byte[] value, boolean durable) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch()) {
      for (byte[] key : keys) {
        batch.put(key, value);
      }
      db.write(durable ? synced : buffered, batch);
    }
  }

  byte[] get(byte[] key) throws RocksDBException {
    byte[] value = db.get(reads, key);
    if (value == null) {
      throw new IllegalStateException("A row that was loaded is missing.");
    }
    return value;
  }

  /** Reads {@code rows} rows from {@code key} on and returns their number of bytes. */
  long scan(byte[] key, int rows) {
    long bytes = 0;
    try (RocksIterator iterator = db.newIterator(reads)) {
      iterator.seek(key);
      for (int i = 0; i < rows && iterator.isValid(); i++) {
        bytes += iterator.key().length + iterator.value().length;
        iterator.next();
      }
    }
    return bytes;
  }

  /** Puts a value in a transaction of RocksDB's own. Retries after a conflict. */
  void commitPut(byte[] key, byte[] value) throws RocksDBException {
    boolean committed = false;
    while (!committed) {
      try (Transaction tx = ((OptimisticTransactionDB) db).beginTransaction(buffered)) {
        tx.put(key, value);
        committed = hasCommitted(tx);
      }
    }
  }

  private static boolean hasCommitted(Transaction tx) throws RocksDBException {
    try {
      tx.commit();
      return true;
    } catch (RocksDBException e) {
      if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Busy) {
        return false;
      }
      throw e;
    }
  }

  /** Reads for update and writes in a transaction of RocksDB's own. Retries after a conflict. */
  void commitReadModifyWrite(byte[] key, byte[] value) throws RocksDBException {
    boolean committed = false;
    while (!committed) {
      try (Transaction tx = ((OptimisticTransactionDB) db).beginTransaction(buffered)) {
        if (tx.getForUpdate(reads, key, true) == null) {
          throw new IllegalStateException("A row that was loaded is missing.");
        }
        tx.put(key, value);
        committed = hasCommitted(tx);
      }
    }
  }

  void compact() throws RocksDBException {
    db.compactRange();
  }

  @Override
  public void close() {
    reads.close();
    buffered.close();
    synced.close();
    db.close();
    options.close();
  }
}
