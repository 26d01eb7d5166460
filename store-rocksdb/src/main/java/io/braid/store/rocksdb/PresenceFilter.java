package io.braid.store.rocksdb;

import io.braid.core.data.Bytes;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Tells for a sparse family, from memory, that a row has no cell in it.
 *
 * <p>A fixed array of counters, chosen by the hash of the row. Invariants:
 *
 * <ul>
 *   <li>A counter is never below the number of cells of its rows that a reader can see: it goes up
 *       before a new cell can be seen, and down after a removed one no longer can.
 *   <li>It goes up only for a cell that was not there, and down only for one that was; the writer
 *       knows which, for it holds the lock of the row. A write whose outcome is unknown leaves it
 *       too high, never too low.
 *   <li>A counter that reaches its end stays there until the store is opened again, when all are
 *       counted anew.
 * </ul>
 *
 * <p>Cells that were put lately are remembered themselves, with their values unless these are
 * large: what becomes of an intent is decided soon after it was written, by a procedure that looks
 * at it and removes it, and takes no read for that. A place holds a key only while its cell is
 * there; it is looked at and changed under the lock of the row.
 *
 * <p>So zero means nothing: {@link #mayHave} that answers false was right at the instant of the
 * look. Rows that share a counter cause needless reads, nothing else.
 */
final class PresenceFilter {
  private static final int COUNTERS = 1 << 19;
  private static final int BITS = 16;
  private static final int FULL = (1 << BITS) - 1;

  private static final int REMEMBERED = 1 << 15;

  private static final int LARGEST_VALUE = 1 << 9;

  /**
   * A cell that is there.
   *
   * @param value null when it is not remembered
   */
  private record Recent(Bytes key, @Nullable Bytes value) {}

  // The cells that were put lately.
  private final AtomicReferenceArray<@Nullable Recent> recent =
      new AtomicReferenceArray<>(REMEMBERED);

  // Two counters of sixteen bits to an int.
  private final AtomicIntegerArray pairs = new AtomicIntegerArray(COUNTERS / 2);
  private final AtomicLong total = new AtomicLong();

  /** How often a cell was added; moves after the total does, and before the cell can be seen. */
  private final AtomicLong added = new AtomicLong();

  boolean mayHave(Bytes row) {
    int slot = slot(row);
    return (pairs.get(slot >>> 1) >>> shift(slot) & FULL) != 0;
  }

  /** Whether the cell is known to be there. To be called under the lock of its row. */
  boolean remembers(Bytes key) {
    return recent(key) != null;
  }

  /**
   * The value of the cell; null when that is not known here. To be called under the lock of its
   * row.
   */
  @Nullable Bytes value(Bytes key) {
    Recent kept = recent(key);
    return kept == null ? null : kept.value;
  }

  private @Nullable Recent recent(Bytes key) {
    Recent kept = recent.get(place(key));
    return kept != null && kept.key.equals(key) ? kept : null;
  }

  /** The cell was put. To be called under the lock of its row. */
  void remember(Bytes key, Bytes value) {
    boolean small = value.length() <= LARGEST_VALUE;
    recent.set(place(key), new Recent(key, small ? value.compact() : null));
  }

  /** The cell is there, as it was before. To be called under the lock of its row. */
  void remember(Bytes key) {
    if (!remembers(key)) {
      recent.set(place(key), new Recent(key, null));
    }
  }

  /** The cell was removed. To be called under the lock of its row. */
  void forget(Bytes key) {
    int place = place(key);
    Recent kept = recent.get(place);
    if (kept != null && kept.key.equals(key)) {
      recent.compareAndSet(place, kept, null);
    }
  }

  private static int place(Bytes key) {
    return spread(key.hashCode()) & (REMEMBERED - 1);
  }

  /** One more cell in the row. To be called before it can be seen. */
  void up(Bytes row) {
    total.incrementAndGet();
    added.incrementAndGet();
    change(slot(row), 1);
  }

  /** One cell less in the row. To be called once it cannot be seen any more. */
  void down(Bytes row) {
    change(slot(row), -1);
    total.decrementAndGet();
  }

  private void change(int slot, int by) {
    int pair = slot >>> 1;
    int shift = shift(slot);
    while (true) {
      int before = pairs.get(pair);
      int count = before >>> shift & FULL;
      if (count == FULL) {
        return;
      }
      if (count + by < 0) {
        throw new IllegalStateException("A cell was removed that had not been counted.");
      }
      int after = before & ~(FULL << shift) | (count + by) << shift;
      if (pairs.compareAndSet(pair, before, after)) {
        return;
      }
    }
  }

  /** What {@link #silence} answers when the family may have cells. */
  static final long NO_SILENCE = -1;

  /**
   * To be asked before a snapshot is taken: if it answers a number, and {@link #lasted} confirms it
   * afterwards, the snapshot has no cell of the family.
   */
  long silence() {
    long before = added.get();
    return total.get() == 0 ? before : NO_SILENCE;
  }

  /** Whether no cell was added since then. */
  boolean lasted(long silence) {
    return silence != NO_SILENCE && added.get() == silence;
  }

  private static int slot(Bytes row) {
    return spread(row.hashCode()) & (COUNTERS - 1);
  }

  private static int shift(int slot) {
    return (slot & 1) * BITS;
  }

  /** Lets every bit of the hash bear on the low ones. */
  static int spread(int hash) {
    int h = hash;
    h = (h ^ (h >>> 16)) * 0x85EBCA6B;
    h = (h ^ (h >>> 13)) * 0xC2B2AE35;
    return h ^ (h >>> 16);
  }
}
