package io.braid.benchmarks.ycsb;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.client.BraidClient;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * A database that threads of YCSB share, in this process or on a server. The last thread closes it.
 */
abstract class Target {
  static final String DATA = "braid.data";
  static final String SERVER = "braid.server";
  static final String FAMILY = "f";

  private static final Map<String, Target> OPEN = new HashMap<>();

  private final String place;
  private int users;

  private Target(String place) {
    this.place = place;
  }

  /**
   * Returns the database that the properties name. The first call opens it.
   *
   * @throws IllegalArgumentException if the properties name no database, or two
   */
  static synchronized Target take(Properties properties, String table) {
    String data = properties.getProperty(DATA, "");
    String server = properties.getProperty(SERVER, "");
    if (data.isEmpty() == server.isEmpty()) {
      throw new IllegalArgumentException(
          "Give one of the properties " + DATA + " (a directory) and " + SERVER + " (HOST:PORT).");
    }
    Target target =
        OPEN.computeIfAbsent(
            data + " " + server, place -> data.isEmpty() ? remote(place, server) : in(place, data));
    target.ensureTable(table);
    target.users++;
    return target;
  }

  /** Releases the target for one user. The last release closes it. */
  final void leave() {
    synchronized (Target.class) {
      if (--users == 0) {
        OPEN.remove(place);
        close();
      }
    }
  }

  abstract void ensureTable(String table);

  abstract Transaction begin();

  abstract Snapshot snapshot();

  abstract void close();

  /**
   * Lets threads of YCSB use a database that is already open. The lender calls {@link #leave} when
   * the threads are done.
   *
   * @param data the value of {@link #DATA} that the threads give
   */
  static synchronized Target lend(String data, Braid db) {
    Target target = over(data + " ", db, () -> {});
    OPEN.put(data + " ", target);
    target.users++;
    return target;
  }

  private static Target in(String place, String directory) {
    Braid db = Braid.open(Path.of(directory), BraidConfig.defaults());
    return over(place, db, db::close);
  }

  private static Target over(String place, Braid db, Runnable close) {
    return new Target(place) {
      @Override
      void ensureTable(String table) {
        db.ensureTable(table, FAMILY);
      }

      @Override
      Transaction begin() {
        return db.begin();
      }

      @Override
      Snapshot snapshot() {
        return db.snapshot();
      }

      @Override
      void close() {
        close.run();
      }
    };
  }

  private static Target remote(String place, String address) {
    BraidClient client = BraidClient.connect(address);
    return new Target(place) {
      @Override
      void ensureTable(String table) {
        client.ensureTable(table, FAMILY);
      }

      @Override
      Transaction begin() {
        return client.begin();
      }

      @Override
      Snapshot snapshot() {
        return client.snapshot();
      }

      @Override
      void close() {
        client.close();
      }
    };
  }
}
