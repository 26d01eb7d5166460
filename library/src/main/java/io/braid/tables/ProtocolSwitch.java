package io.braid.tables;

import io.braid.core.transaction.Protocol;
import io.braid.indexes.Index;
import io.braid.indexes.IndexRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Binds a table and its indexes to another protocol while clients work. New writers wait meanwhile.
 * Transactions that began before and write the table abort at the fence, and run again under the
 * new protocol. No intent of the old protocol is left when the new one begins.
 *
 * <p>For other processes, the coming change is stored before the epoch of the table is raised. So a
 * writer under the new epoch has read about the change, and waits until the new protocol is stored.
 * A reader may continue under the old protocol until it meets an intent of the new one.
 */
final class ProtocolSwitch {
  private final TableBindings bindings;
  private final IndexRegistry indexes;
  private final TableFence fence;
  private final Consumer<String> requireNoGroups;

  /**
   * @param requireNoGroups refuses a table with rows of key groups: their commits go to the store
   *     in one transaction, which writes tables of one protocol
   */
  ProtocolSwitch(
      TableBindings bindings,
      IndexRegistry indexes,
      TableFence fence,
      Consumer<String> requireNoGroups) {
    this.requireNoGroups = requireNoGroups;
    this.bindings = bindings;
    this.indexes = indexes;
    this.fence = fence;
  }

  /** Switches a table. Only one caller at a time may do so for each table. */
  void run(String table, Protocol protocol) {
    bindings.lookAgain();
    indexes.lookAgain();
    List<String> tables = new ArrayList<>(List.of(table));
    for (Index index : indexes.allOf(table)) {
      if (!index.isLocal()) {
        tables.add(index.name());
      }
    }
    Map<String, Protocol> before = new LinkedHashMap<>();
    tables.forEach(each -> before.put(each, bindings.of(each)));
    bindings.hold(tables);
    try {
      tables.forEach(each -> bindings.announce(each, protocol));
      try {
        requireNoGroups.accept(table);
        tables.forEach(fence::set);
      } catch (RuntimeException e) {
        // Nobody has written under the other protocol yet.
        before.forEach(bindings::rebind);
        throw e;
      }
      tables.forEach(each -> bindings.rebind(each, protocol));
    } finally {
      bindings.release(tables);
    }
  }
}
