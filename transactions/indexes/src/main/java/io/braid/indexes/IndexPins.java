package io.braid.indexes;

import io.braid.core.transaction.Transactions;
import java.util.function.UnaryOperator;

/**
 * Pins that keep the collector from data that a build reads or a move copies. Each attempt has a
 * pin of its own. So a process that stalled does not remove the pin of another, and leaves none
 * behind when it finds that it was overtaken.
 */
final class IndexPins {
  private final Transactions transactions;
  private final IndexRegistry registry;
  private final IndexedTables tables;

  IndexPins(Transactions transactions, IndexRegistry registry, IndexedTables tables) {
    this.transactions = transactions;
    this.registry = registry;
    this.tables = tables;
  }

  /** A fence above which nothing is collected until the pin is removed. */
  final class Attempt {
    final IndexedTables.Fence fence;
    private final IndexEntry entry;
    private long pinned;

    private Attempt(IndexEntry entry) {
      this.entry = entry;
      this.fence = tables.fence(entry.index().table(), this::pin);
      try {
        registry.requireStanding(entry);
      } catch (IndexRegistry.OvertakenException e) {
        transactions.unpin(prefix(entry) + pinned);
        throw e;
      }
    }

    private void pin(long timestamp) {
      pinned = timestamp;
      transactions.pin(prefix(entry) + timestamp, timestamp);
    }

    /**
     * Takes a step. An attempt that was overtaken removes its pin, unless others continue from this
     * very fence.
     */
    IndexEntry step(UnaryOperator<IndexEntry> change) {
      try {
        return registry.step(entry, change);
      } catch (IndexRegistry.OvertakenException e) {
        registry.lookAgain();
        if (registry.entry(entry.index().name()).filter(this::isFrom).isEmpty()) {
          transactions.unpin(prefix(entry) + pinned);
        }
        throw e;
      }
    }

    private boolean isFrom(IndexEntry standing) {
      return standing.id() == entry.id()
          && (standing.fence() == fence.timestamp() || standing.since() == fence.timestamp());
    }
  }

  private static String prefix(IndexEntry entry) {
    return "index-" + entry.index().name() + "-" + entry.id() + "-";
  }

  Attempt begin(IndexEntry entry) {
    return new Attempt(entry);
  }

  /** Removes the pins of all attempts that began by a timestamp. */
  void unpin(IndexEntry entry, long timestamp) {
    String prefix = prefix(entry);
    for (Transactions.Pin pin : transactions.pins()) {
      if (pin.timestamp() <= timestamp && pin.name().equals(prefix + pin.timestamp())) {
        transactions.unpin(pin.name());
      }
    }
  }

  void unpinAll(IndexEntry entry) {
    unpin(entry, Long.MAX_VALUE);
  }
}
