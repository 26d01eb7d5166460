package io.braid.store.rocksdb.tables;

import io.braid.core.data.Row;
import java.util.Collection;

/** Tells which rows one procedure can reach. */
public final class Reach {
  private final boolean everywhere;
  private final Catalog catalog;

  /**
   * @param everywhere whether a procedure reaches all rows of the store, not only those of a tablet
   */
  public Reach(Catalog catalog, boolean everywhere) {
    this.catalog = catalog;
    this.everywhere = everywhere;
  }

  public boolean together(Collection<Row> rows) {
    if (everywhere || rows.size() < 2) {
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
