package io.braid.store.rocksdb;

import io.braid.core.data.Row;
import java.util.Collection;

/** Tells which rows one procedure can reach. */
final class Reach {
  private final OnePhaseReach reach;
  private final Catalog catalog;

  Reach(OnePhaseReach reach, Catalog catalog) {
    this.reach = reach;
    this.catalog = catalog;
  }

  boolean together(Collection<Row> rows) {
    if (reach == OnePhaseReach.STORE || rows.size() < 2) {
      return true;
    }
    Row first = rows.iterator().next();
    TabletMap tablets = catalog.table(first.table()).tablets;
    int tablet = tablets.index(first.key());
    for (Row row : rows) {
      if (!row.table().equals(first.table()) || tablets.index(row.key()) != tablet) {
        return false;
      }
    }
    return true;
  }
}
