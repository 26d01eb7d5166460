package io.braid.store.rocksdb.tables;

import io.braid.core.data.Bytes;
import io.braid.core.store.Veils;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The rows of a table into which batches have put cells since some timestamp. With them a caller
 * finds the new cells of a table without walking through the table.
 *
 * <p>Invariant: when a batch brings a cell of an ordinary family with a version above {@code
 * since}, the row of the cell is noted before the cell can be read. This holds because the
 * timestamp is drawn when batches already note their rows. A batch that did not note them yet had
 * drawn its version before.
 *
 * <p>Cells that come in by files are not noted. If the files were under a veil, the lifted veil
 * tells of them; other files end the memory.
 */
public final class WrittenRows {
  /** About the memory that it may take. */
  private static final long MOST_BYTES = 8 << 20;

  private static final int ENTRY_BYTES = 80;

  private final Set<Bytes> rows = ConcurrentHashMap.newKeySet();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean full;
  // Nothing is known before it is there.
  private volatile long since = Long.MAX_VALUE;

  /**
   * From here on, the rows are known; batches note them already.
   *
   * @param fresh draws a timestamp
   */
  public void begin(LongSupplier fresh) {
    since = fresh.getAsLong();
  }

  /** Whether there were more rows than are remembered. */
  public boolean isFull() {
    return full;
  }

  public void note(Bytes row) {
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

  /** The rows with versions in a span; empty when not all of them are known. */
  public Optional<Set<Bytes>> between(long from, long to, Veils veils) {
    boolean known =
        from > since
            && veils.all().stream()
                .noneMatch(veil -> veil.isLifted() && veil.commit() >= from && veil.commit() <= to);
    Set<Bytes> copy = known ? Set.copyOf(rows) : Set.of();
    // Looked at last: it is set before any row is forgotten.
    return known && !full ? Optional.of(copy) : Optional.empty();
  }
}
