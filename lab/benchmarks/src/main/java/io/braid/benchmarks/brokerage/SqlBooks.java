package io.braid.benchmarks.brokerage;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The books in H2, a database with SQL in the same process. Each of the tables has a primary key.
 * Statements are prepared. {@code FOR UPDATE} locks the rows that are going to be written. Each
 * thread has its own connection.
 */
final class SqlBooks implements Books {
  /**
   * The codes for a deadlock, a lock timeout, a row changed meanwhile, and a row that already
   * exists.
   */
  private static final Set<Integer> CONFLICTS = Set.of(40001, 50200, 90131, 23505);

  private final String url;
  private final Queue<Session> idle = new ConcurrentLinkedQueue<>();
  private final Session first;

  SqlBooks(Path directory, long memoryBytes) throws SQLException {
    url = "jdbc:h2:file:" + directory.resolve("h2") + ";CACHE_SIZE=" + (memoryBytes >> 10);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (Table table : Table.values()) {
        statement.execute(
            "CREATE TABLE IF NOT EXISTS "
                + table
                + " (K VARBINARY(16) PRIMARY KEY, V VARBINARY(100))");
      }
      // An open connection keeps the database open.
      first = new Session(DriverManager.getConnection(url));
    }
  }

  @Override
  public int run(Work work) throws Exception {
    Session session = idle.poll();
    if (session == null) {
      session = new Session(DriverManager.getConnection(url));
    }
    int again = 0;
    while (!attempt(session, work)) {
      again++;
    }
    idle.add(session);
    return again;
  }

  private static boolean attempt(Session session, Work work) throws Exception {
    try {
      work.on(session);
      session.connection.commit();
      return true;
    } catch (SQLException e) {
      session.connection.rollback();
      if (CONFLICTS.contains(e.getErrorCode())) {
        return false;
      }
      throw e;
    }
  }

  /** A connection with its statements. */
  private static final class Session implements Page {
    private final Connection connection;
    private final Map<Table, PreparedStatement> gets = new EnumMap<>(Table.class);
    private final Map<Table, PreparedStatement> locks = new EnumMap<>(Table.class);
    private final Map<Table, PreparedStatement> puts = new EnumMap<>(Table.class);
    private final Map<Table, PreparedStatement> ranges = new EnumMap<>(Table.class);

    Session(Connection connection) throws SQLException {
      this.connection = connection;
      connection.setAutoCommit(false);
      for (Table table : Table.values()) {
        String get = "SELECT V FROM " + table + " WHERE K = ?";
        gets.put(table, connection.prepareStatement(get));
        locks.put(table, connection.prepareStatement(get + " FOR UPDATE"));
        puts.put(
            table, connection.prepareStatement("MERGE INTO " + table + " KEY (K) VALUES (?, ?)"));
        ranges.put(
            table,
            connection.prepareStatement(
                "SELECT V FROM " + table + " WHERE K >= ? AND K < ? ORDER BY K LIMIT ?"));
      }
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) throws SQLException {
      return one(of(gets, table), key);
    }

    @Override
    public byte @Nullable [] getForUpdate(Table table, byte[] key) throws SQLException {
      return one(of(locks, table), key);
    }

    private static byte @Nullable [] one(PreparedStatement statement, byte[] key)
        throws SQLException {
      statement.setBytes(1, key);
      try (ResultSet found = statement.executeQuery()) {
        return found.next() ? found.getBytes(1) : null;
      }
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) throws SQLException {
      PreparedStatement statement = of(puts, table);
      statement.setBytes(1, key);
      statement.setBytes(2, value);
      statement.executeUpdate();
    }

    @Override
    public List<byte[]> values(Table table, byte[] prefix, int limit) throws SQLException {
      PreparedStatement statement = of(ranges, table);
      statement.setBytes(1, prefix);
      statement.setBytes(2, Fields.key(Fields.at(prefix, 0) + 1));
      statement.setInt(3, limit);
      List<byte[]> values = new ArrayList<>();
      try (ResultSet found = statement.executeQuery()) {
        while (found.next()) {
          values.add(found.getBytes(1));
        }
      }
      return values;
    }

    private static PreparedStatement of(Map<Table, PreparedStatement> all, Table table) {
      PreparedStatement statement = all.get(table);
      if (statement == null) {
        throw new IllegalStateException("There is no statement for " + table + ".");
      }
      return statement;
    }
  }

  @Override
  public void close() throws SQLException {
    for (Session each : idle) {
      each.connection.close();
    }
    first.connection.close();
  }
}
