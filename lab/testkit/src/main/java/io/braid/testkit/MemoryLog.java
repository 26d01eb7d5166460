package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The unsynced part of the log of a {@link MemoryStore}, as the steps that undo it; guarded by the
 * store's monitor. An entry is one atomic write. A crash always loses a tail of the log.
 */
final class MemoryLog {
  /** The value at a place before a write; null when there was none. */
  record Undo(MemoryTable table, Bytes key, MemoryTable.Place place, @Nullable Bytes before) {
    void run() {
      table.set(key, place, before);
    }
  }

  private final boolean keeps;
  private final List<List<Undo>> unsynced = new ArrayList<>();
  private long syncs;

  MemoryLog(boolean keeps) {
    this.keeps = keeps;
  }

  /** Applies the changes of one write, all of one table or several. */
  void apply(MemoryTables tables, List<MemoryAccess.Change> changes) {
    List<Undo> entry = new ArrayList<>();
    for (MemoryAccess.Change change : changes) {
      Row row = change.row();
      MemoryTable table = tables.table(row.table());
      Bytes before = table.set(row.key(), change.place(), change.value());
      entry.add(new Undo(table, row.key(), change.place(), before));
    }
    if (keeps && !entry.isEmpty()) {
      unsynced.add(entry);
    }
  }

  void sync() {
    unsynced.clear();
    syncs++;
  }

  long syncs() {
    return syncs;
  }

  int unsynced() {
    return unsynced.size();
  }

  /** Takes back all but the first {@code survivors} entries. */
  void crash(int survivors) {
    if (!keeps) {
      throw new IllegalStateException(
          "The store keeps no log to lose: open it with MemoryOptions.withLog().");
    }
    if (survivors < 0 || survivors > unsynced.size()) {
      throw new IllegalArgumentException(
          survivors + " writes cannot survive where " + unsynced.size() + " are not synced.");
    }
    for (int i = unsynced.size() - 1; i >= survivors; i--) {
      List<Undo> entry = unsynced.get(i);
      for (int j = entry.size() - 1; j >= 0; j--) {
        entry.get(j).run();
      }
    }
    unsynced.clear();
  }
}
