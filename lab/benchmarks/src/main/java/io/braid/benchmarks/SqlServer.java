package io.braid.benchmarks;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.h2.tools.Server;

/**
 * A database with SQL over loopback, in the place of the paper's MySQL. It is H2 behind its server,
 * with a table of the tuples that is all in its cache.
 */
final class SqlServer implements AutoCloseable {
  private static final int AT_ONCE = 1000;

  private final Server server;
  private final String url;

  private SqlServer(Server server, String url) {
    this.server = server;
    this.url = url;
  }

  static SqlServer start(Path directory, long bytes, ServedPeer.Tuples tuples) throws Exception {
    Server server =
        Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", directory.toString())
            .start();
    String url =
        "jdbc:h2:tcp://127.0.0.1:"
            + server.getPort()
            + "/./served;CACHE_SIZE="
            + ((bytes * 4 >> 10) + (64 << 10))
            + ";DB_CLOSE_DELAY=-1";
    SqlServer started = new SqlServer(server, url);
    try (Connection connection = started.connect()) {
      connection.createStatement().execute("CREATE TABLE T(K BINARY(16) PRIMARY KEY, V VARBINARY)");
      connection.setAutoCommit(false);
      try (PreparedStatement insert = connection.prepareStatement("INSERT INTO T VALUES(?, ?)")) {
        int[] pending = new int[1];
        tuples.forEach(
            (key, value) -> {
              insert.setBytes(1, key);
              insert.setBytes(2, value);
              insert.addBatch();
              if (++pending[0] % AT_ONCE == 0) {
                insert.executeBatch();
                connection.commit();
              }
            });
        insert.executeBatch();
        connection.commit();
      }
    }
    return started;
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url, "sa", "");
  }

  /** A connection with a prepared statement, for one thread. */
  static final class Lookup implements AutoCloseable {
    private final Connection connection;
    private final PreparedStatement select;

    private Lookup(Connection connection) throws SQLException {
      this.connection = connection;
      this.select = connection.prepareStatement("SELECT V FROM T WHERE K = ?");
    }

    /** Returns how many of the keys exist. */
    int get(List<byte[]> keys) throws SQLException {
      int found = 0;
      for (byte[] key : keys) {
        select.setBytes(1, key);
        try (ResultSet result = select.executeQuery()) {
          found += result.next() && result.getBytes(1) != null ? 1 : 0;
        }
      }
      return found;
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  Lookup lookup() throws SQLException {
    return new Lookup(connect());
  }

  @Override
  public void close() throws SQLException {
    try (Connection connection = connect()) {
      connection.createStatement().execute("SHUTDOWN IMMEDIATELY");
    } finally {
      server.stop();
    }
  }
}
