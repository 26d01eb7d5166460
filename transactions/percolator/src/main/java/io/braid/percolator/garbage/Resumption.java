package io.braid.percolator.garbage;

import io.braid.core.data.Bytes;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;

/** Remembers how far a collection has come: row {@code collected} of Braid's own table. */
final class Resumption {
  private static final String KEY = "collected";

  private final SystemCells cells;

  Resumption(CellStore store) {
    this.cells = new SystemCells(store);
  }

  Position load() {
    Bytes saved = cells.all(KEY).get("");
    return saved == null ? Position.BEGIN : Position.decode(saved);
  }

  void save(Position position, Durability durability) {
    cells.put(KEY, position.encode(), durability);
  }
}
