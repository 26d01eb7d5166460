package io.braid;

import io.braid.batch.changes.ChangeLogs;
import io.braid.core.cells.Families;
import io.braid.core.store.CellStore;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.TimestampOracle;
import java.util.List;

/** The tables of a database: created, bound to a protocol, dropped. */
final class Tables {
  private static final int MOST_FAMILIES = 100;

  private final CellStore store;
  private final boolean shared;
  private final BoundTransactions transactions;
  private final TableBindings bindings;
  private final IndexRegistry registry;
  private final TableFence fence;
  private final TableLocks locks;
  private final TimestampOracle oracle;

  Tables(
      Foundation on,
      BoundTransactions transactions,
      TableBindings bindings,
      IndexRegistry registry,
      TableFence fence,
      TableLocks locks) {
    this.store = on.store();
    this.oracle = on.oracle();
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
    if (!stands(schema)) {
      locks.holding(table, () -> create(schema, bindings.of(table)));
    }
  }

  void ensure(String table, Protocol protocol, String... families) {
    TableSchema schema = schema(table, families);
    if (protocol == Protocol.OMID) {
      transactions.omid();
    }
    if (stands(schema)) {
      bindings.bind(table, protocol);
    } else {
      locks.holding(table, () -> create(schema, protocol));
    }
  }

  /**
   * Returns whether the table has all these families. Then nothing is changed, and a concurrent
   * change of the table is not waited for.
   */
  private boolean stands(TableSchema schema) {
    return store
        .table(schema.name())
        .filter(there -> there.families().containsAll(schema.families()))
        .isPresent();
  }

  private String create(TableSchema schema, Protocol protocol) {
    TableSchema all = store.table(schema.name()).map(there -> there.merge(schema)).orElse(schema);
    if (all.families().stream().filter(each -> each.kind() == Kind.LARGE).count() > MOST_FAMILIES) {
      throw new IllegalArgumentException(
          "Table "
              + schema.name()
              + " would have more than "
              + MOST_FAMILIES
              + " families, of which each takes memory all the time: use qualifiers, of which there"
              + " may be any number.");
    }
    bindings.bind(schema.name(), protocol);
    store.ensureTable(schema, oracle::next);
    transactions.learn(schema.name());
    return schema.name();
  }

  Protocol protocol(String table) {
    transactions.lookAgain();
    return bindings.of(table);
  }

  void switchProtocol(String table, Protocol protocol, TableHolders holders) {
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
          holders.requireNone(table);
          // Again once all know of the switch: groups that are formed from then on wait for it.
          new ProtocolSwitch(bindings, registry, fence, holders::requireNone).run(table, protocol);
          return table;
        });
  }

  long fence(String table) {
    families(table);
    return fence.set(table).timestamp();
  }

  void drop(String table, Indexes indexes, ChangeLogs changes, TableHolders holders) {
    transactions.lookAgain();
    if (registry.isIndex(table)) {
      throw new IllegalArgumentException("Table " + table + " is an index: drop the index.");
    }
    if (store.table(table).isPresent() || !registry.allOf(table).isEmpty()) {
      locks.holding(table, () -> dropAlone(table, indexes, changes, holders));
    }
  }

  private String dropAlone(
      String table, Indexes indexes, ChangeLogs changes, TableHolders holders) {
    transactions.lookAgain();
    if (store.table(table).isPresent()) {
      holders.requireNone(table);
    }
    registry.allOf(table).forEach(index -> indexes.dropAlone(index.name()));
    if (store.table(table).isPresent()) {
      new TableRemoval(store, bindings, transactions, fence)
          .run(
              table,
              () -> {
                holders.requireNone(table);
                changes.stop(table);
              });
    }
    bindings.unbind(table);
    return table;
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
