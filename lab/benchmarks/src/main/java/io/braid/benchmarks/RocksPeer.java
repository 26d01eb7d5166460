package io.braid.benchmarks;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** RocksDB: loaded, compacted, everything in its cache. */
final class RocksPeer implements ServedPeer {
  static {
    RocksDB.loadLibrary();
  }

  private final Options options;
  private final RocksDB db;

  private RocksPeer(Options options, RocksDB db) {
    this.options = options;
    this.db = db;
  }

  static RocksPeer load(Path directory, long bytes, Tuples tuples) throws Exception {
    Options options =
        new Options()
            .setCreateIfMissing(true)
            .setWriteBufferSize(64 << 20)
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(new LRUCache(bytes * 2 + (64 << 20)))
                    .setFilterPolicy(new BloomFilter(10, false)));
    RocksDB db = RocksDB.open(options, directory.toString());
    try (WriteOptions writes = new WriteOptions().setDisableWAL(true)) {
      tuples.forEach((key, value) -> db.put(writes, key, value));
    }
    db.compactRange();
    return new RocksPeer(options, db);
  }

  @Override
  public byte @Nullable [] get(byte[] key) throws RocksDBException {
    byte[] value = db.get(key);
    return value;
  }

  @Override
  public long indexBytes() {
    return 0;
  }

  @Override
  public void close() {
    db.close();
    options.close();
  }
}
