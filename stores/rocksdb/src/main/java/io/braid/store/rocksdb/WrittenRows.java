package io.braid.store.rocksdb;

import io.braid.core.data.Bytes;
import io.braid.core.store.Veils;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The rows of a table that batches have put cells into since some timestamp, so that who wants to
 * know what is new in a table need not walk through it.
 *
 * <p>Invariant: a cell of an ordinary family that came by a batch and has a version above {@code
 * since} stands in a row that is noted, from before it can be read. For the timestamp is drawn when
 * batches already note their rows: one that did not yet, had its version before.
 *
 * <p>Cells that come in by files are not noted: of those, a veil that is lifted tells; others end
 * the memory.
 */
final class WrittenRows {
  /** About the memory that it may take. */
  private static final long MOST_BYTES = 8 << 20;

  private static final int ENTRY_BYTES = 80;

  private final Set<Bytes> rows = ConcurrentHashMap.newKeySet();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean full;
  // Nothing is known before it is there.
  private volatile long since = Long.MAX_VALUE;

  /** Begins to note what is written to a table, unless that is noted already. */
  static void remember(OpenDatabase open, String name, LongSupplier fresh) {
    WrittenRows rows = new WrittenRows();
    boolean begun =
        open.inside(
            db -> {
              Table table = db.catalog.table(name);
              WrittenRows before = table.writtenRows;
              if (before != null && !before.full) {
                return false;
              }
              table.writtenRows = rows;
              return true;
            });
    if (begun) {
      // Outside the gate: the oracle may have to write.
      rows.since = fresh.getAsLong();
    }
  }

  static void forget(OpenDatabase open, String name) {
    open.change(
        db -> {
          Table table = db.catalog.find(name);
          if (table != null) {
            table.writtenRows = null;
          }
        });
  }

  static Optional<Set<Bytes>> between(OpenDatabase open, String name, long from, long to) {
    return open.inside(
        db -> {
          Table table = db.catalog.table(name);
          WrittenRows rows = table.writtenRows;
          return rows == null ? Optional.empty() : rows.between(from, to, table.veils());
        });
  }

  void note(Bytes row) {
    if (full || rows.contains(row)) {
      return;
    }
    // A row may be a view of all that came with it.
    if (rows.add(Bytes.copyOf(row.toArray()))
        && bytes.addAndGet(row.length() + ENTRY_BYTES) > MOST_BYTES) {
      full = true;
    }
    if (full) {
      rows.clear();
    }
  }

  private Optional<Set<Bytes>> between(long from, long to, Veils veils) {
    boolean known =
        from > since
            && veils.all().stream()
                .noneMatch(veil -> veil.isLifted() && veil.commit() >= from && veil.commit() <= to);
    Set<Bytes> copy = known ? Set.copyOf(rows) : Set.of();
    // Looked at last: it is set before any row is forgotten.
    return known && !full ? Optional.of(copy) : Optional.empty();
  }
}
