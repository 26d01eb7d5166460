package io.braid.store.rocksdb.tables;

import io.braid.core.data.Bytes;
import io.braid.store.rocksdb.engine.Keys;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tells for a sparse family, from memory, that a row has no cell in it.
 *
 * <p>Counters, chosen by the hash of the row, in pieces of an array that are taken when they are
 * needed ({@link PresenceMemory}). Invariants:
 *
 * <ul>
 *   <li>A counter is never below the number of cells of its rows that a reader can see. It goes up
 *       before a new cell can be seen, and down after a removed one no longer can.
 *   <li>It goes up only for a cell that was not there, and down only for one that was; the writer
 *       knows which, for it holds the lock of the row. A write whose outcome is unknown leaves it
 *       too high, never too low.
 *   <li>A counter that reaches its end stays there until no cell is left, or until the store is
 *       opened again, when all cells are counted again.
 *   <li>Pieces are given back while the total is zero, and no thread counts meanwhile: a thread
 *       that adds a cell adds it to the total first, and waits there.
 * </ul>
 *
 * <p>The filter also remembers the cells that were put lately, with their values unless these are
 * large. An intent is decided soon after it was written, by a procedure that looks at it and
 * removes it, and needs no read for that. A place holds a key only while its cell is there; it is
 * looked at and changed under the lock of the row.
 *
 * <p>So zero means that there is no cell: when {@link #mayHave} answers false, the answer was right
 * at the instant of the look. Rows that share a counter cause needless reads, nothing else.
 */
public final class PresenceFilter {
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

  /** The total while pieces are given back. */
  private static final long CLEARING = Long.MIN_VALUE;

  private static final int PIECE_BITS = 10; // places of a piece

  private final PresenceMemory memory;

  // The cells that were put lately, in pieces.
  private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Recent>> recent =
      new AtomicReferenceArray<>(REMEMBERED >>> PIECE_BITS);

  // Two counters of sixteen bits to an int, in pieces.
  private final AtomicReferenceArray<@Nullable AtomicIntegerArray> pairs =
      new AtomicReferenceArray<>(COUNTERS / 2 >>> PIECE_BITS);
  private final AtomicLong total = new AtomicLong();

  /** How often a cell was added; moves after the total does, and before the cell can be seen. */
  private final AtomicLong added = new AtomicLong();

  PresenceFilter(PresenceMemory memory) {
    this.memory = memory;
  }

  public boolean mayHave(Bytes row) {
    int slot = slot(row);
    AtomicIntegerArray piece = pairs.get(slot >>> 1 + PIECE_BITS);
    return piece != null && (piece.get(inPiece(slot >>> 1)) >>> shift(slot) & FULL) != 0;
  }

  private static int inPiece(int place) {
    return place & (1 << PIECE_BITS) - 1;
  }

  /** Whether the cell is known to be there. To be called under the lock of its row. */
  public boolean remembers(Bytes key) {
    return recent(key) != null;
  }

  /**
   * The value of the cell; null when that is not known here. To be called under the lock of its
   * row.
   */
  public @Nullable Bytes value(Bytes key) {
    Recent kept = recent(key);
    return kept == null ? null : kept.value;
  }

  private @Nullable Recent recent(Bytes key) {
    int place = place(key);
    AtomicReferenceArray<@Nullable Recent> piece = recent.get(place >>> PIECE_BITS);
    Recent kept = piece == null ? null : piece.get(inPiece(place));
    return kept != null && kept.key.equals(key) ? kept : null;
  }

  /** The cell was put. To be called under the lock of its row. */
  public void remember(Bytes key, Bytes value) {
    boolean small = value.length() <= LARGEST_VALUE;
    remember(new Recent(key, small ? value.compact() : null));
  }

  /** The cell is there, as it was before. To be called under the lock of its row. */
  public void remember(Bytes key) {
    if (!remembers(key)) {
      remember(new Recent(key, null));
    }
  }

  private void remember(Recent cell) {
    int place = place(cell.key);
    taken(recent, place >>> PIECE_BITS, AtomicReferenceArray::new).set(inPiece(place), cell);
  }

  /** The piece with this number, which is taken now if it was not yet. */
  private <P> P taken(AtomicReferenceArray<@Nullable P> pieces, int number, IntFunction<P> empty) {
    P piece = pieces.get(number);
    while (piece == null) {
      if (pieces.compareAndSet(number, null, empty.apply(1 << PIECE_BITS))) {
        memory.took(this);
      }
      piece = pieces.get(number);
    }
    return piece;
  }

  /** The cell was removed. To be called under the lock of its row. */
  public void forget(Bytes key) {
    int place = place(key);
    AtomicReferenceArray<@Nullable Recent> piece = recent.get(place >>> PIECE_BITS);
    Recent kept = piece == null ? null : piece.get(inPiece(place));
    if (piece != null && kept != null && kept.key.equals(key)) {
      piece.compareAndSet(inPiece(place), kept, null);
    }
  }

  private static int place(Bytes key) {
    return Keys.spread(key.hashCode()) & (REMEMBERED - 1);
  }

  /** One more cell in the row. To be called before it can be seen. */
  public void up(Bytes row) {
    long before = total.get();
    while (before == CLEARING || !total.compareAndSet(before, before + 1)) {
      Thread.onSpinWait();
      before = total.get();
    }
    added.incrementAndGet();
    change(slot(row), 1);
  }

  /** One cell less in the row. To be called once it cannot be seen any more. */
  public void down(Bytes row) {
    change(slot(row), -1);
    total.decrementAndGet();
  }

  private void change(int slot, int by) {
    AtomicIntegerArray piece = taken(pairs, slot >>> 1 + PIECE_BITS, AtomicIntegerArray::new);
    int pair = inPiece(slot >>> 1);
    int shift = shift(slot);
    while (true) {
      int before = piece.get(pair);
      int count = before >>> shift & FULL;
      if (count == FULL) {
        return;
      }
      if (count + by < 0) {
        throw new IllegalStateException("A cell was removed that had not been counted.");
      }
      int after = before & ~(FULL << shift) | (count + by) << shift;
      if (piece.compareAndSet(pair, before, after)) {
        return;
      }
    }
  }

  /**
   * Gives its pieces back if there is no cell; else nothing, and answers a number below zero.
   *
   * @return how many they were
   */
  int clearIfIdle() {
    if (!total.compareAndSet(0, CLEARING)) {
      return -1;
    }
    int pieces = clear();
    total.set(0);
    return pieces;
  }

  /** Gives all pieces back, when no thread uses the filter; returns how many there were. */
  int clear() {
    return clear(pairs) + clear(recent);
  }

  private static <P> int clear(AtomicReferenceArray<@Nullable P> pieces) {
    int cleared = 0;
    for (int i = 0; i < pieces.length(); i++) {
      if (pieces.getAndSet(i, null) != null) {
        cleared++;
      }
    }
    return cleared;
  }

  /** The answer of {@link #silence} when the family may have cells. */
  public static final long NO_SILENCE = -1;

  /**
   * To be asked before a snapshot is taken: if it answers a number, and {@link #lasted} confirms it
   * afterwards, the snapshot has no cell of the family.
   */
  public long silence() {
    long before = added.get();
    return total.get() == 0 ? before : NO_SILENCE;
  }

  /** Whether no cell was added since then. */
  public boolean lasted(long silence) {
    return silence != NO_SILENCE && added.get() == silence;
  }

  private static int slot(Bytes row) {
    return Keys.spread(row.hashCode()) & (COUNTERS - 1);
  }

  private static int shift(int slot) {
    return (slot & 1) * BITS;
  }
}
