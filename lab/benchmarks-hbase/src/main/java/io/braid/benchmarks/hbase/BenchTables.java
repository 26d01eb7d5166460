package io.braid.benchmarks.hbase;

import io.braid.Braid;
import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.Transactions;
import io.braid.omid.OmidOptions;
import io.braid.omid.OmidTransactions;
import io.braid.omid.manager.LocalTransactionManager;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;

/**
 * The same rows in three tables: a raw one, one of Percolator's protocol and one of Omid's. Each
 * has a region on each of two servers.
 *
 * <p>Omid's transaction manager is in this process.
 */
final class BenchTables implements AutoCloseable {
  static final String PERCOLATOR = "percolator";
  static final String OMID = "omid";
  static final Column<Bytes> COLUMN = Column.of("f", "q", Codecs.bytes());
  private static final int AT_ONCE = 250;

  private final int rows;
  private final OmidTransactions omid;

  private BenchTables(int rows, OmidTransactions omid) {
    this.rows = rows;
    this.omid = omid;
  }

  static BenchTables load(BenchCluster cluster, RawHBase raw, Braid coordinator, Braid db, int rows)
      throws IOException {
    for (String table : List.of(PERCOLATOR, OMID)) {
      coordinator.dropTable(table);
      coordinator.store().ensureTable(Families.transactional(table, List.of("f")));
      coordinator.store().splitTablet(table, Bytes.ofInts(0x80));
      raw.spread(TableName.valueOf(cluster.space(), table));
    }
    OmidTransactions omid =
        new OmidTransactions(
            db.store(),
            new LocalTransactionManager(coordinator.oracle(), 1 << 20),
            coordinator.oracle(),
            new SystemSeams(),
            // The configuration is that of a database over HBase.
            OmidOptions.defaults().onePhase(true));
    BenchTables tables = new BenchTables(rows, omid);
    byte[] value = value(new SplittableRandom(1));
    for (int i = 0; i < rows; i += AT_ONCE) {
      List<byte[]> keys = new ArrayList<>();
      for (int k = i; k < Math.min(rows, i + AT_ONCE); k++) {
        keys.add(key(k));
      }
      raw.put(keys, value);
      load(db.transactions(), PERCOLATOR, keys, value);
      load(omid, OMID, keys, value);
    }
    return tables;
  }

  private static void load(Transactions into, String table, List<byte[]> keys, byte[] value) {
    try (Transaction tx = into.begin()) {
      keys.forEach(key -> tx.set(Row.of(table, Bytes.wrap(key)), COLUMN, Bytes.wrap(value)));
      tx.commit();
    }
  }

  OmidTransactions omid() {
    return omid;
  }

  byte[] key(SplittableRandom random) {
    return key(random.nextInt(rows));
  }

  Row row(String table, SplittableRandom random) {
    return Row.of(table, Bytes.wrap(key(random)));
  }

  /** Returns different keys of the first region. */
  List<byte[]> neighbours(SplittableRandom random, int count) {
    List<byte[]> keys = new ArrayList<>(count);
    for (int at = random.nextInt(rows); keys.size() < count; at = (at + 1) % rows) {
      byte[] key = key(at);
      if (key[0] >= 0) {
        keys.add(key);
      }
    }
    return keys;
  }

  /** Returns a key of sixteen bytes, spread over the key space. */
  private static byte[] key(int i) {
    long mixed = (i + 1) * 0x9E3779B97F4A7C15L;
    return ByteBuffer.allocate(16).putLong(mixed).putLong(mixed * 0xBF58476D1CE4E5B9L).array();
  }

  static byte[] value(SplittableRandom random) {
    byte[] value = new byte[100];
    random.nextBytes(value);
    return value;
  }

  @Override
  public void close() {
    omid.close();
  }
}
