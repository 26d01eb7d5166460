package io.braid.tables;

import io.braid.batch.JobException;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.store.CellStore;
import io.braid.core.store.Veils;
import java.util.List;
import java.util.function.Consumer;

/**
 * Refuses changes of a table that key groups or loads hold. The refusal names the holder.
 * Transactions do not hold a change off.
 */
final class TableHolders {
  private final CellStore store;
  private final Consumer<String> requireNoGroups;

  /**
   * @param requireNoGroups refuses a table of which key groups hold rows, and names them
   */
  TableHolders(CellStore store, Consumer<String> requireNoGroups) {
    this.store = store;
    this.requireNoGroups = requireNoGroups;
  }

  /**
   * Requires that no key group or load holds a table. For changes that would take its rows away
   * from their owners, or from loads that stage them.
   *
   * @throws io.braid.groups.GroupException when rows of it are in key groups
   * @throws JobException when an atomic load into it is open
   */
  void requireNone(String table) {
    requireNoGroups(table);
    requireNoLoad(store, table);
    List<Veils.Veil> down = store.veils(table).all().stream().filter(Veils.Veil::isDown).toList();
    if (!down.isEmpty()) {
      throw held("A load by snapshot files is", table);
    }
  }

  /**
   * @throws io.braid.groups.GroupException when rows of a table are in key groups
   */
  void requireNoGroups(String table) {
    requireNoGroups.accept(table);
  }

  /**
   * @throws JobException when an atomic load into a table is open
   */
  static void requireNoLoad(CellStore store, String table) {
    List<String> open = LoadDecisions.open(store, table);
    if (!open.isEmpty()) {
      String names = String.join(", ", open);
      throw held(
          open.size() == 1 ? "Atomic load " + names + " is" : "The atomic loads " + names + " are",
          table);
    }
  }

  private static JobException held(String who, String table) {
    return new JobException(
        who
            + " under way in table "
            + table
            + ": commit or give up ('braid job list', or 'braid job writes' if the job is"
            + " elsewhere), then change the table.");
  }
}
