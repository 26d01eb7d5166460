package io.braid.core.protocol;

import io.braid.core.store.CellStore;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableWalk;
import io.braid.core.store.UnknownTableException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The known epochs and families of the tables. Each view is immutable, so that a transaction keeps
 * the epochs that were known when it began. The write guard then refuses the transaction if a table
 * changed since.
 */
public final class TableCatalog {
  private final CellStore store;
  private final AtomicReference<State> state = new AtomicReference<>(new State(() -> {}, null));

  /**
   * The known tables, and the action to take before more becomes known.
   *
   * @param known null when nothing is known yet
   */
  private record State(Runnable learning, @Nullable Map<String, Table> known) {}

  /** The known properties of a table. */
  public record Table(long birth, long epoch, Set<String> families) {}

  public TableCatalog(CellStore store) {
    this.store = store;
  }

  /**
   * Sets an action that runs whenever epochs were read, before they are known here. Data that
   * belongs to the epochs of tables is read then, and is as new as the epochs.
   */
  public void beforeLearning(Runnable learning) {
    state.set(new State(learning, null));
  }

  /** Returns the tables that are known now. */
  public Map<String, Table> view() {
    Map<String, Table> view = state().known;
    return view != null ? view : load();
  }

  private State state() {
    return Objects.requireNonNull(state.get());
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
    return known(table).epoch;
  }

  /** Returns the known properties of a table; looks in the store if the table is not known. */
  public Table known(String table) {
    Table found = view().get(table);
    return found != null ? found : refresh(table);
  }

  /** As {@link #epoch epoch}; 0 when there is no such table, or none any more. */
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
    while (true) {
      view();
      State before = state();
      Table fresh = look(schema);
      before.learning.run();
      if (publish(before.learning, table, fresh)) {
        return fresh;
      }
    }
  }

  /** False when there is more to do before something becomes known. */
  private boolean publish(Runnable learning, String table, Table fresh) {
    State after =
        state.updateAndGet(
            now ->
                now.learning == learning
                    ? new State(learning, with(now.known, table, fresh))
                    : now);
    return after.learning == learning;
  }

  private Map<String, Table> load() {
    State before = state();
    Map<String, Table> tables = new LinkedHashMap<>();
    // A table that is dropped meanwhile does not concern a caller that asks for another.
    TableWalk.each(store, schema -> tables.put(schema.name(), look(schema)));
    before.learning.run();
    Map<String, Table> view =
        state.updateAndGet(
                now ->
                    now.known == null && now.learning == before.learning
                        ? new State(now.learning, tables)
                        : now)
            .known;
    return view != null ? view : load();
  }

  private Table look(TableSchema schema) {
    long birth;
    long epoch;
    do {
      birth = store.birth(schema.name());
      epoch = store.epoch(schema.name());
    } while (birth != store.birth(schema.name()));
    Set<String> families = new TreeSet<>();
    schema.families().forEach(family -> families.add(family.name()));
    return new Table(birth, epoch, families);
  }

  private static Map<String, Table> with(
      @Nullable Map<String, Table> view, String table, Table fresh) {
    Map<String, Table> next = view == null ? new LinkedHashMap<>() : new LinkedHashMap<>(view);
    next.put(table, fresh);
    return next;
  }
}
