package io.braid.tables;

import io.braid.changes.feed.ChangeLogs;
import io.braid.core.cells.Families;
import io.braid.core.store.CellStore;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.Protocol;
import io.braid.indexes.IndexRegistry;
import io.braid.indexes.TableIndexes;
import java.util.List;
import org.apiguardian.api.API;

/** The tables of a database: creates them, binds them to a protocol, sets fences, drops them. */
@API(status = API.Status.STABLE)
public final class Tables {
  private static final int MOST_FAMILIES = 100;

  private final BoundTables bound;
  private final CellStore store;
  private final BoundTransactions transactions;
  private final TableBindings bindings;
  private final IndexRegistry registry;
  private final TableIndexes indexes;
  private final ChangeLogs changes;

  /**
   * For other packages of Braid.
   *
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public Tables(
      BoundTables bound, IndexRegistry registry, TableIndexes indexes, ChangeLogs changes) {
    this.bound = bound;
    this.store = bound.store;
    this.transactions = bound.transactions;
    this.bindings = bound.bindings;
    this.registry = registry;
    this.indexes = indexes;
    this.changes = changes;
  }

  private static TableSchema schema(String table, String... families) {
    if (families.length == 0) {
      throw new IllegalArgumentException("Table " + table + " needs at least one family.");
    }
    return Families.transactional(table, List.of(families));
  }

  /**
   * Creates a table with these families, or adds those it lacks. A new one is of Percolator's
   * protocol, unless its name was bound to another before.
   *
   * @param table letters, digits, '_', '.', '-', at most 128, not beginning with '.' or '-'
   * @param families at least one: letters, digits, '_', '-', at most 64. Columns that are read
   *     together belong in one family
   * @throws IllegalArgumentException when a name is not valid, or no family is named
   */
  public void ensure(String table, String... families) {
    TableSchema schema = schema(table, families);
    if (!stands(schema)) {
      bound.holding(table, () -> create(schema, bindings.of(table)));
    }
  }

  /**
   * Creates a table whose rows are written by transactions of a protocol, or adds the families it
   * lacks.
   *
   * @throws IllegalArgumentException when a name is not valid, or the table exists and is bound to
   *     another protocol: {@link #switchProtocol switchProtocol} changes that
   */
  public void ensure(String table, Protocol protocol, String... families) {
    TableSchema schema = schema(table, families);
    if (protocol == Protocol.OMID) {
      transactions.omid();
    }
    if (stands(schema)) {
      bindings.bind(table, protocol);
    } else {
      bound.holding(table, () -> create(schema, protocol));
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
    store.ensureTable(schema, bound.oracle::next);
    transactions.learn(schema.name());
    return schema.name();
  }

  /**
   * The protocol that a table is bound to, whichever process of a shared database has bound it;
   * Percolator for one that does not exist.
   */
  public Protocol protocol(String table) {
    transactions.lookAgain();
    return bindings.of(table);
  }

  /**
   * Binds an existing table and its indexes to another protocol while clients work. New writers of
   * the table wait. Transactions that have begun and write the table abort, however long they stay
   * open; they may be run again.
   *
   * @throws UnknownTableException when there is no such table
   * @throws IllegalArgumentException when it is an index
   * @throws io.braid.groups.GroupException when rows of it are in key groups
   * @throws io.braid.batch.JobException when an atomic load into it is open
   * @throws io.braid.core.store.TabletUnavailableException when another caller changes the table
   *     for ten minutes, or the remains of earlier transactions cannot be removed. The table keeps
   *     its protocol; call again
   */
  public void switchProtocol(String table, Protocol protocol) {
    families(table);
    transactions.lookAgain();
    if (registry.isIndex(table)) {
      throw new IllegalArgumentException(
          "Table " + table + " is an index, and follows the table that it is of.");
    }
    if (protocol == Protocol.OMID) {
      transactions.omid();
    }
    bound.holding(
        table,
        () -> {
          bound.holders.requireNone(table);
          // Again once all know of the switch: groups that are formed from then on wait for it.
          new ProtocolSwitch(bindings, registry, bound.fence, bound.holders::requireNone)
              .run(table, protocol);
          return table;
        });
  }

  /**
   * Sets a fence (Omid, section 6.1): transactions that began before and write the table abort,
   * unless they have committed.
   *
   * @return the timestamp of the fence: writes of transactions that committed before lie below
   * @throws UnknownTableException when there is no such table
   * @throws io.braid.batch.JobException when an atomic load into it is open
   * @throws io.braid.core.store.TabletUnavailableException when the remains of aborted transactions
   *     cannot be removed for two minutes: call again
   */
  public long fence(String table) {
    families(table);
    return bound.fence.set(table).timestamp();
  }

  /**
   * Removes a table with all its data and its indexes; does nothing when there is none. Snapshots
   * that are open lose it too, and transactions that have written it abort. When a table is created
   * again under the name, transactions and snapshots from before throw {@link
   * io.braid.core.store.TableReplacedException}.
   *
   * @throws io.braid.groups.GroupException when rows of it are in key groups; nothing was done
   * @throws io.braid.batch.JobException when an atomic load into it is open, or one by snapshot
   *     files; nothing was done
   * @throws IllegalArgumentException when it is an index: {@link io.braid.indexes.Indexes#drop
   *     Indexes.drop} removes that
   * @throws io.braid.core.store.TabletUnavailableException when writes of the same transactions to
   *     other tables cannot be decided now: call again
   */
  public void drop(String table) {
    transactions.lookAgain();
    if (registry.isIndex(table)) {
      throw new IllegalArgumentException("Table " + table + " is an index: drop the index.");
    }
    if (store.table(table).isPresent() || !registry.allOf(table).isEmpty()) {
      bound.holding(table, () -> dropAlone(table));
    }
  }

  private String dropAlone(String table) {
    transactions.lookAgain();
    if (store.table(table).isPresent()) {
      bound.holders.requireNone(table);
    }
    registry.allOf(table).forEach(index -> indexes.dropAlone(index.name()));
    if (store.table(table).isPresent()) {
      new TableRemoval(store, bindings, transactions, bound.fence)
          .run(
              table,
              () -> {
                bound.holders.requireNone(table);
                changes.stop(table);
              });
    }
    bindings.unbind(table);
    return table;
  }

  /**
   * Waits until everything committed at or below a timestamp has commit records, and nothing else
   * begun by then is undecided. Later commits are above the timestamp.
   *
   * @param timestamp one that the oracle gave out
   * @throws io.braid.core.store.TabletUnavailableException when that takes more than two minutes:
   *     call again
   */
  public void settle(long timestamp) {
    bound.intents.awaitAll(timestamp);
  }

  /**
   * The families of a table that hold values of users; of an index, that of its rows.
   *
   * @throws UnknownTableException when there is no such table
   */
  public List<String> families(String table) {
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
