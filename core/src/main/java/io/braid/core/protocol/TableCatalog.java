package io.braid.core.protocol;

import io.braid.core.store.CellStore;
import io.braid.core.store.TableSchema;
import io.braid.core.store.UnknownTableException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the tables: their epochs and families. Each view is immutable, so that a
 * transaction keeps to the epochs that were known when it began: the write guard then refuses it if
 * a table changed since.
 */
public final class TableCatalog {
  private final CellStore store;
  private final AtomicReference<@Nullable Map<String, Table>> known = new AtomicReference<>();

  /** What is known of a table. */
  public record Table(long epoch, Set<String> families) {}

  public TableCatalog(CellStore store) {
    this.store = store;
  }

  /** What is known now. */
  public Map<String, Table> view() {
    Map<String, Table> view = known.get();
    return view != null ? view : load();
  }

  /**
   * The table, looked up in the store if it is not known or lacks the family.
   *
   * @throws UnknownTableException when there is no such table or family
   */
  public Table require(String table, String family) {
    Table found = view().get(table);
    if (found == null || !found.families.contains(family)) {
      found = refresh(table);
    }
    if (!found.families.contains(family)) {
      throw new UnknownTableException(
          "Table " + table + " has no family " + family + ": create it first.");
    }
    return found;
  }

  /** The epoch that is known now; looked up in the store if the table is not known. */
  public long epoch(String table) {
    Table found = view().get(table);
    return (found != null ? found : refresh(table)).epoch;
  }

  /** As {@link #epoch}; 0 when there is no such table, or none any more. */
  public long epochIfThere(String table) {
    try {
      return epoch(table);
    } catch (UnknownTableException e) {
      return 0;
    }
  }

  /** Looks the table up in the store. */
  public Table refresh(String table) {
    TableSchema schema =
        store
            .table(table)
            .orElseThrow(
                () ->
                    new UnknownTableException(
                        "Table " + table + " does not exist: create it first."));
    Table fresh = look(schema);
    view();
    known.updateAndGet(view -> with(view, table, fresh));
    return fresh;
  }

  private Map<String, Table> load() {
    Map<String, Table> tables = new LinkedHashMap<>();
    for (TableSchema schema : store.tables()) {
      tables.put(schema.name(), look(schema));
    }
    known.compareAndSet(null, tables);
    return tables;
  }

  private Table look(TableSchema schema) {
    long epoch = store.epoch(schema.name());
    Set<String> families = new TreeSet<>();
    schema.families().forEach(family -> families.add(family.name()));
    return new Table(epoch, families);
  }

  private static Map<String, Table> with(
      @Nullable Map<String, Table> view, String table, Table fresh) {
    Map<String, Table> next = view == null ? new LinkedHashMap<>() : new LinkedHashMap<>(view);
    next.put(table, fresh);
    return next;
  }
}
