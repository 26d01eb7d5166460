package io.braid.benchmarks.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** A plain table of HBase and its blocking client, the baseline of all comparisons. */
final class RawHBase implements AutoCloseable {
  static final byte[] FAMILY = {'f'};
  static final byte[] QUALIFIER = {'q'};
  private static final int SCANNED_AT_ONCE = 1000;
  private final Connection connection;
  private final TableName name;
  private final ThreadLocal<Table> table;

  private RawHBase(Connection connection, TableName name) {
    this.connection = connection;
    this.name = name;
    this.table =
        ThreadLocal.withInitial(
            () -> {
              try {
                return connection.getTable(name);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  /**
   * Creates a table of this name with two regions.
   *
   * @param cut the first key of the second region
   */
  static RawHBase create(Configuration configuration, TableName name, byte[] cut)
      throws IOException {
    RawHBase raw = new RawHBase(ConnectionFactory.createConnection(configuration), name);
    try (Admin admin = raw.connection.getAdmin()) {
      drop(admin, name);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          new byte[][] {cut});
      raw.spread(name);
    }
    return raw;
  }

  /** Creates a table that keeps versions, for another system, with the regions of the raw table. */
  void createVersioned(TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      drop(admin, name);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                      .setMaxVersions(Integer.MAX_VALUE)
                      .build())
              .build(),
          new byte[][] {{(byte) 0x80}});
      spread(name);
    }
  }

  boolean has(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.tableExists(table);
    }
  }

  /** Removes a namespace with its tables. */
  static void dropSpace(Configuration configuration, String space) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      if (List.of(admin.listNamespaces()).contains(space)) {
        for (TableName each : admin.listTableNamesByNamespace(space)) {
          drop(admin, each);
        }
        admin.deleteNamespace(space);
      }
    }
  }

  void drop(TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      drop(admin, name);
    }
  }

  private static void drop(Admin admin, TableName name) throws IOException {
    if (admin.tableExists(name)) {
      if (admin.isTableEnabled(name)) {
        admin.disableTable(name);
      }
      admin.deleteTable(name);
    }
  }

  /** Puts the regions of a table on the servers in turn. */
  void spread(TableName of) throws IOException {
    try (Admin admin = connection.getAdmin();
        RegionLocator locator = connection.getRegionLocator(of)) {
      List<ServerName> servers =
          admin.getClusterMetrics().getLiveServerMetrics().keySet().stream().sorted().toList();
      int next = 0;
      for (HRegionLocation each : locator.getAllRegionLocations()) {
        ServerName to = servers.get(next++ % servers.size());
        if (!to.equals(each.getServerName())) {
          admin.move(each.getRegion().getEncodedNameAsBytes(), to);
        }
      }
      locator.clearRegionLocationCache();
    }
  }

  void get(byte[] key) throws IOException {
    if (table.get().get(new Get(key).addColumn(FAMILY, QUALIFIER)).isEmpty()) {
      throw new IllegalStateException("A row that was loaded is missing.");
    }
  }

  void put(byte[] key, byte[] value) throws IOException {
    table.get().put(one(key, value));
  }

  void put(List<byte[]> keys, byte[] value) throws IOException {
    List<Put> puts = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      puts.add(one(key, value));
    }
    table.get().put(puts);
  }

  /** Puts a value for each key. */
  void put(List<byte[]> keys, List<byte[]> values) throws IOException {
    List<Put> puts = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      puts.add(one(keys.get(i), values.get(i)));
    }
    table.get().put(puts);
  }

  /** Reads the whole table and returns the number of its rows. */
  long scan() throws IOException {
    long rows = 0;
    try (ResultScanner scanner =
        table
            .get()
            .getScanner(new Scan().addColumn(FAMILY, QUALIFIER).setCaching(SCANNED_AT_ONCE))) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }

  /** Puts a value for several keys, as durably as a database with or without synced commits. */
  void put(List<byte[]> keys, byte[] value, boolean synced) throws IOException {
    Durability durability = synced ? Durability.FSYNC_WAL : Durability.SYNC_WAL;
    List<Put> puts = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      puts.add(one(key, value).setDurability(durability));
    }
    table.get().put(puts);
  }

  private static Put one(byte[] key, byte[] value) {
    return new Put(key).addColumn(FAMILY, QUALIFIER, value);
  }

  @Override
  public void close() throws IOException {
    try (connection;
        Admin admin = connection.getAdmin()) {
      drop(admin, name);
    }
  }
}
