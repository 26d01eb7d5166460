package io.braid.percolator;

import io.braid.core.store.CellStore;
import io.braid.core.store.TableSchema;
import java.util.List;

/**
 * Where the labs of this suite keep their cells: in memory, or in the store of a module that runs
 * the suite over its own, which it names as a service.
 */
public interface LabStore {
  /**
   * An empty store, which nobody else knows of, with these tables.
   *
   * @param cuts where tablets of the tables begin; a store that pays for each may leave some out
   */
  CellStore open(List<TableSchema> tables, String... cuts);
}
