package io.braid.cli.cluster;

import io.braid.serving.writable.CellEngine;
import io.braid.serving.writable.Engine;
import io.braid.store.rocksdb.RocksOptions;
import io.braid.store.rocksdb.RocksStore;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a node keeps its read-write stores and hints: tables of one RocksDB store, which is opened
 * when the first of them is.
 */
final class NodeEngines implements Function<String, Engine>, AutoCloseable {
  private final Path directory;
  private @Nullable RocksStore store;

  NodeEngines(Path node) {
    this.directory = node.resolve(".engines");
  }

  @Override
  public synchronized Engine apply(String table) {
    RocksStore cells = store;
    if (cells == null) {
      cells = RocksStore.open(directory, RocksOptions.defaults());
      store = cells;
    }
    return new CellEngine(cells, table);
  }

  @Override
  public synchronized void close() {
    if (store != null) {
      store.close();
    }
  }
}
