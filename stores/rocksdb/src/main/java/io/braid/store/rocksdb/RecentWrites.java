package io.braid.store.rocksdb;

import io.braid.core.data.Bytes;
import io.braid.store.rocksdb.tables.Table;
import io.braid.store.rocksdb.tables.WrittenRows;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** Has tables note the rows that are written to them ({@link WrittenRows}), and tells which. */
final class RecentWrites {
  private final OpenDatabase open;

  RecentWrites(OpenDatabase open) {
    this.open = open;
  }

  /** Begins to note what is written to a table, unless that is noted already. */
  void remember(String name, LongSupplier fresh) {
    WrittenRows rows = new WrittenRows();
    boolean begun =
        open.inside(
            db -> {
              Table table = db.catalog.table(name);
              WrittenRows before = table.writtenRows;
              if (before != null && !before.isFull()) {
                return false;
              }
              table.writtenRows = rows;
              return true;
            });
    if (begun) {
      // Outside the gate: the oracle may have to write.
      rows.begin(fresh);
    }
  }

  void forget(String name) {
    open.change(
        db -> {
          Table table = db.catalog.find(name);
          if (table != null) {
            table.writtenRows = null;
          }
        });
  }

  Optional<Set<Bytes>> between(String name, long from, long to) {
    return open.inside(
        db -> {
          Table table = db.catalog.table(name);
          WrittenRows rows = table.writtenRows;
          return rows == null ? Optional.empty() : rows.between(from, to, table.veils());
        });
  }
}
