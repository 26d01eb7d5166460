package io.braid.benchmarks.omid;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.omid.transaction.HBaseOmidClientConfiguration;
import org.apache.omid.transaction.HBaseTransactionManager;
import org.apache.omid.transaction.RollbackException;
import org.apache.omid.transaction.TTable;
import org.apache.omid.transaction.Transaction;
import org.apache.omid.transaction.TransactionException;
import org.apache.omid.transaction.TransactionManager;
import org.apache.omid.tso.client.OmidClientConfiguration.PostCommitMode;

/** Transactions of Omid on the rows of a table; each thread has a {@link TTable} of its own. */
final class Operations implements AutoCloseable {
  private static final byte[] FAMILY = {'f'};
  private static final byte[] QUALIFIER = {'q'};
  private static final int FIVE = 5;
  private static final int AT_ONCE = 250;

  private final Connection connection;
  private final TransactionManager manager;
  private final ThreadLocal<TTable> table;
  private int rows;

  /** One operation. An operation that conflicts also counts as done. */
  interface Operation {
    void run(SplittableRandom random) throws Exception;
  }

  private interface Body {
    void run(TTable table, Transaction tx) throws IOException;
  }

  /**
   * @param manager the host and port of Omid's transaction manager
   */
  Operations(String manager, String name) throws IOException, InterruptedException {
    Configuration hbase = HBaseConfiguration.create();
    HBaseOmidClientConfiguration configuration = new HBaseOmidClientConfiguration();
    configuration.setConnectionString(manager);
    configuration.setPostCommitMode(PostCommitMode.ASYNC);
    configuration.setHBaseConfiguration(hbase);
    this.manager = HBaseTransactionManager.newInstance(configuration);
    this.connection = ConnectionFactory.createConnection(hbase);
    this.table =
        ThreadLocal.withInitial(
            () -> {
              try {
                return new TTable(connection.getTable(TableName.valueOf(name)));
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  /** Loads rows like the other rows of the benchmark: keys of 16 bytes, values of 100. */
  void load(int count) throws Exception {
    rows = count;
    byte[] value = value(new SplittableRandom(1));
    for (int i = 0; i < count; i += AT_ONCE) {
      int from = i;
      in(
          (table, tx) -> {
            for (int k = from; k < Math.min(count, from + AT_ONCE); k++) {
              table.put(tx, put(key(k), value));
            }
          });
    }
  }

  Operation of(String name) {
    return switch (name) {
      case "write" -> random -> in((table, tx) -> write(table, tx, random));
      case "read" -> random -> in((table, tx) -> read(table, tx, key(random)));
      case "read-modify-write" ->
          random ->
              in(
                  (table, tx) -> {
                    byte[] key = key(random);
                    read(table, tx, key);
                    table.put(tx, put(key, value(random)));
                  });
      case "ten" ->
          random ->
              in(
                  (table, tx) -> {
                    for (int i = 0; i < FIVE; i++) {
                      read(table, tx, key(random));
                      write(table, tx, random);
                    }
                  });
      default -> throw new IllegalArgumentException("There is no operation " + name + ".");
    };
  }

  private void in(Body body) throws IOException, TransactionException {
    Transaction tx = manager.begin();
    body.run(table.get(), tx);
    try {
      manager.commit(tx);
    } catch (RollbackException e) {
      // Two transactions wrote the same random row.
    }
  }

  private void write(TTable table, Transaction tx, SplittableRandom random) throws IOException {
    table.put(tx, put(key(random), value(random)));
  }

  private static void read(TTable table, Transaction tx, byte[] key) throws IOException {
    if (table.get(tx, new Get(key).addColumn(FAMILY, QUALIFIER)).isEmpty()) {
      throw new IllegalStateException("A row that was loaded is missing.");
    }
  }

  private static Put put(byte[] key, byte[] value) {
    return new Put(key).addColumn(FAMILY, QUALIFIER, value);
  }

  private byte[] key(SplittableRandom random) {
    return key(random.nextInt(rows));
  }

  private static byte[] key(int i) {
    long mixed = (i + 1) * 0x9E3779B97F4A7C15L;
    return ByteBuffer.allocate(16).putLong(mixed).putLong(mixed * 0xBF58476D1CE4E5B9L).array();
  }

  private static byte[] value(SplittableRandom random) {
    byte[] value = new byte[100];
    random.nextBytes(value);
    return value;
  }

  @Override
  public void close() throws IOException {
    manager.close();
    connection.close();
  }
}
