package io.braid;

import java.util.ArrayList;
import java.util.List;

/**
 * Binds a table and its indexes to another protocol, while clients work. Who wants to write
 * meanwhile waits; transactions that began before and write the table abort at the fence, and run
 * again under the new protocol. No intent of the old one is left when the new one begins.
 */
final class ProtocolSwitch {
  private final TableBindings bindings;
  private final IndexRegistry indexes;
  private final TableFence fence;

  ProtocolSwitch(TableBindings bindings, IndexRegistry indexes, TableFence fence) {
    this.bindings = bindings;
    this.indexes = indexes;
    this.fence = fence;
  }

  void run(String table, Protocol protocol) {
    List<String> tables = new ArrayList<>(List.of(table));
    indexes.of(table).forEach(index -> tables.add(index.name()));
    bindings.hold(tables);
    try {
      tables.forEach(fence::set);
      tables.forEach(each -> bindings.rebind(each, protocol));
    } finally {
      bindings.release(tables);
    }
  }
}
