package io.braid;

import io.braid.batch.changes.ChangeLogs;
import io.braid.core.cells.Families;
import io.braid.core.store.CellStore;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.UnknownTableException;
import java.util.List;

/** The tables of a database: created, bound to a protocol, dropped. */
final class Tables {
  private final CellStore store;
  private final boolean shared;
  private final BoundTransactions transactions;
  private final TableBindings bindings;
  private final IndexRegistry registry;
  private final TableFence fence;
  private final TableLocks locks;

  Tables(
      Foundation on,
      BoundTransactions transactions,
      TableBindings bindings,
      IndexRegistry registry,
      TableFence fence,
      TableLocks locks) {
    this.store = on.store();
    this.shared = on.shared();
    this.transactions = transactions;
    this.bindings = bindings;
    this.registry = registry;
    this.fence = fence;
    this.locks = locks;
  }

  private static TableSchema schema(String table, String... families) {
    if (families.length == 0) {
      throw new IllegalArgumentException("Table " + table + " needs at least one family.");
    }
    return Families.transactional(table, List.of(families));
  }

  void ensure(String table, String... families) {
    TableSchema schema = schema(table, families);
    if (shared && store.table(table).isEmpty()) {
      bindings.bind(table, bindings.of(table));
    }
    store.ensureTable(schema);
  }

  void ensure(String table, Protocol protocol, String... families) {
    TableSchema schema = schema(table, families);
    bindings.bind(table, protocol);
    if (protocol == Protocol.OMID) {
      transactions.omid();
    }
    store.ensureTable(schema);
  }

  Protocol protocol(String table) {
    transactions.lookAgain();
    return bindings.of(table);
  }

  void switchProtocol(String table, Protocol protocol) {
    families(table);
    transactions.lookAgain();
    if (registry.isIndex(table)) {
      throw new IllegalArgumentException(
          "Table " + table + " is an index, and follows the table that it is of.");
    }
    if (protocol == Protocol.OMID) {
      transactions.omid();
    }
    locks.holding(
        table,
        () -> {
          new ProtocolSwitch(bindings, registry, fence).run(table, protocol);
          return table;
        });
  }

  long fence(String table) {
    families(table);
    return fence.set(table).timestamp();
  }

  void drop(String table, Indexes indexes, ChangeLogs changes) {
    transactions.lookAgain();
    if (registry.isIndex(table)) {
      throw new IllegalArgumentException("Table " + table + " is an index: drop the index.");
    }
    registry.allOf(table).forEach(index -> indexes.drop(index.name()));
    bindings.beforeDrop(table);
    changes.stop(table);
    transactions.dropTable(store, table);
    bindings.unbind(table);
  }

  List<String> families(String table) {
    TableSchema schema =
        store
            .table(table)
            .orElseThrow(
                () ->
                    new UnknownTableException("There is no table " + table + ": create it first."));
    return schema.families().stream()
        .filter(f -> f.kind() == Kind.DATA && holdsValues(table, f.name()))
        .map(FamilySchema::name)
        .toList();
  }

  private boolean holdsValues(String table, String family) {
    return Families.isUsers(family) || (family.equals(Families.INDEX) && registry.isIndex(table));
  }
}
