package io.braid.benchmarks.brokerage;

import io.braid.benchmarks.RawRocks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.OptimisticTransactionOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.WriteOptions;

/**
 * The books in RocksDB, with its optimistic transactions at a snapshot: the first commit wins, as
 * in Braid. The first byte of a key is its table.
 */
final class RocksBooks implements Books {
  static {
    RocksDB.loadLibrary();
  }

  /** The codes for a conflict, and for a commit whose conflicts are no longer known. */
  private static final Set<Status.Code> CONFLICTS =
      EnumSet.of(Status.Code.Busy, Status.Code.TryAgain);

  private final RawRocks rocks;
  private final OptimisticTransactionDB db;
  private final WriteOptions buffered = new WriteOptions();
  private final OptimisticTransactionOptions atSnapshot =
      new OptimisticTransactionOptions().setSetSnapshot(true);

  RocksBooks(Path directory, long memoryBytes) throws RocksDBException {
    rocks = RawRocks.transactional(directory, memoryBytes);
    db = rocks.transactions();
  }

  @Override
  public int run(Work work) throws Exception {
    int again = 0;
    while (!attempt(work)) {
      again++;
    }
    return again;
  }

  private boolean attempt(Work work) throws Exception {
    try (Transaction tx = db.beginTransaction(buffered, atSnapshot);
        ReadOptions reads = new ReadOptions().setSnapshot(tx.getSnapshot())) {
      try {
        work.on(new Entries(tx, reads));
        tx.commit();
        return true;
      } catch (RocksDBException e) {
        if (e.getStatus() != null && CONFLICTS.contains(e.getStatus().getCode())) {
          return false;
        }
        throw e;
      }
    }
  }

  private record Entries(Transaction tx, ReadOptions reads) implements Page {
    private static byte[] key(Table table, byte[] key) {
      byte[] whole = new byte[1 + key.length];
      whole[0] = (byte) table.ordinal();
      System.arraycopy(key, 0, whole, 1, key.length);
      return whole;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) throws RocksDBException {
      return tx.get(reads, key(table, key));
    }

    @Override
    public byte @Nullable [] getForUpdate(Table table, byte[] key) throws RocksDBException {
      return tx.getForUpdate(reads, key(table, key), true);
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) throws RocksDBException {
      tx.put(key(table, key), value);
    }

    @Override
    public List<byte[]> values(Table table, byte[] prefix, int limit) {
      List<byte[]> values = new ArrayList<>();
      byte[] from = key(table, prefix);
      try (RocksIterator iterator = tx.getIterator(reads)) {
        iterator.seek(from);
        while (values.size() < limit && iterator.isValid() && startsWith(iterator.key(), from)) {
          values.add(iterator.value());
          iterator.next();
        }
      }
      return values;
    }

    private static boolean startsWith(byte[] key, byte[] prefix) {
      return key.length >= prefix.length
          && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }
  }

  @Override
  public void close() {
    atSnapshot.close();
    buffered.close();
    rocks.close();
  }
}
