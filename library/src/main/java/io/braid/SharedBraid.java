package io.braid;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.apiguardian.api.API;

/**
 * A database that several users in one process share, such as the tasks of a batch engine: opened
 * for the first of them, closed after the last.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class SharedBraid implements AutoCloseable {
  private static final String HBASE = "hbase:";
  private static final Map<String, OpenDatabase> OPEN = new HashMap<>();
  private static final ReentrantLock LOCK = new ReentrantLock();

  private final String where;
  private final Braid db;
  private boolean closed;

  private static final class OpenDatabase {
    final Braid db;
    int users;

    OpenDatabase(Braid db) {
      this.db = db;
    }
  }

  private SharedBraid(String where, Braid db) {
    this.where = where;
    this.db = db;
  }

  /**
   * Opens a database, or joins the users that have it open this way.
   *
   * @param where the directory of a database in RocksDB, which one process has at a time; or {@code
   *     hbase:FILE}, the configuration of a database in HBase
   * @throws ConfigurationException as {@link Braid#connect Braid.connect} and {@link
   *     BraidConfig#load BraidConfig.load}
   * @throws io.braid.core.store.StoreException as {@link Braid#open(Path)} and {@link Braid#connect
   *     Braid.connect}
   */
  public static SharedBraid of(String where) {
    String name =
        where.startsWith(HBASE) ? where : Path.of(where).toAbsolutePath().normalize().toString();
    LOCK.lock();
    try {
      OpenDatabase open = OPEN.get(name);
      if (open == null) {
        open = new OpenDatabase(open(name));
        OPEN.put(name, open);
      }
      open.users++;
      return new SharedBraid(name, open.db);
    } finally {
      LOCK.unlock();
    }
  }

  private static Braid open(String name) {
    return name.startsWith(HBASE)
        ? Braid.connect(BraidConfig.load(Path.of(name.substring(HBASE.length()))))
        : Braid.open(Path.of(name));
  }

  /** Returns the database. The caller must not close it. */
  public Braid db() {
    return db;
  }

  /** Leaves it; the last one closes the database. */
  @Override
  public void close() {
    LOCK.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      OpenDatabase open = OPEN.get(where);
      if (open != null && --open.users == 0) {
        OPEN.remove(where);
        open.db.close();
      }
    } finally {
      LOCK.unlock();
    }
  }
}
