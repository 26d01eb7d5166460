package io.braid.store.rocksdb.reads;

import io.braid.store.rocksdb.tables.Table;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The scans that are open, so that they can be closed before what they read goes. */
public final class OpenScans {
  private final Set<TableScan> scans = ConcurrentHashMap.newKeySet();

  void add(TableScan scan) {
    scans.add(scan);
  }

  void remove(TableScan scan) {
    scans.remove(scan);
  }

  int count() {
    return scans.size();
  }

  /** To be called alone in the gate. */
  public void releaseAll() {
    List.copyOf(scans).forEach(TableScan::release);
  }

  /** To be called alone in the gate. */
  public void releaseOf(Table table) {
    for (TableScan scan : List.copyOf(scans)) {
      if (scan.table == table) {
        scan.release();
      }
    }
  }
}
