package io.braid.omid;

import io.braid.core.protocol.TableCatalog;
import io.braid.core.store.TableReplacedException;
import io.braid.core.time.TimestampOracle;
import java.util.HashMap;
import java.util.Map;

/**
 * The tables that a fast session works with, by their births. A table that later replaces one of
 * the same name is refused. The session works with the table that it found at its begin, or else at
 * the first use. Safe for many threads.
 */
final class SessionTables {
  private final TableCatalog tables;
  private final long begun;

  /** Replaced as a whole. */
  private volatile Map<String, TableCatalog.Table> known;

  SessionTables(TableCatalog tables, TimestampOracle oracle) {
    this.tables = tables;
    this.known = tables.view();
    this.begun = oracle.lastIssued();
  }

  /** Returns the birth of the table that the session works with. */
  long birth(String table) {
    TableCatalog.Table found = known.get(table);
    return (found != null ? found : adopt(table, tables.known(table))).birth();
  }

  /**
   * Returns the epoch of a table now.
   *
   * @throws TableReplacedException when it is not the table that the session works with
   */
  long epoch(String table) {
    TableCatalog.Table now = tables.known(table);
    if (now.birth() != birth(table)) {
      require(table, now);
    }
    return now.epoch();
  }

  /**
   * Handles another table of the same name: accepts its birth if it is older than the session,
   * which did not know the table yet.
   *
   * @throws TableReplacedException when the table was created since
   */
  void met(TableReplacedException other) {
    TableCatalog.Table now = tables.refresh(other.table());
    require(other.table(), now);
  }

  private void require(String table, TableCatalog.Table now) {
    if (now.birth() > begun) {
      throw new TableReplacedException(table, now.birth());
    }
    adopt(table, now);
  }

  private synchronized TableCatalog.Table adopt(String table, TableCatalog.Table now) {
    Map<String, TableCatalog.Table> more = new HashMap<>(known);
    more.put(table, now);
    known = more;
    return now;
  }
}
