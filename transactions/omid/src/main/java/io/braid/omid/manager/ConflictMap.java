package io.braid.omid.manager;

/**
 * The newest commit timestamp of each recently committed cell (Omid, section 3.2: the in-memory
 * hash table of {@code conflictDetect}). Its memory is fixed; not safe for several threads.
 *
 * <p>A commit has one question: has a transaction that committed after my start written one of my
 * cells? Three answers come to mind first, and none will do.
 *
 * <ul>
 *   <li><em>Keep the last commit of every cell.</em> The map grows with the database.
 *   <li><em>Keep the write sets of the recent transactions, and compare with each.</em> A commit
 *       then costs as much as all commits that ran beside it.
 *   <li><em>Keep the cells that were used last, in one list.</em> Each look changes the list. And a
 *       cell that falls out takes its conflict along: two transactions may then both overwrite what
 *       neither has read.
 * </ul>
 *
 * <p>The map forgets cells, but never that it forgot. It keeps one number, the low watermark: the
 * highest commit timestamp that it has ever dropped. A transaction that began below it is refused,
 * whatever it wrote; one that began above it can trust that a missing cell has no newer commit. So
 * a map that is too small costs aborts of long transactions, and never a lost update. The same
 * holds for two cells with one hash of 64 bits: one of their writers may abort for nothing.
 *
 * <p>The dropped cell is the oldest of its set, not of the map. No list has to be kept in order,
 * and with eight places in a set the dropped cell is nearly always among the oldest of all.
 *
 * <p>An open-addressing table of sets, each of {@link #WAYS} neighbouring places, so that a look
 * touches two cache lines. Invariants:
 *
 * <ul>
 *   <li>A cell is in the set that its hash chooses, at most once, with the highest commit timestamp
 *       that was put for it.
 *   <li><em>Low watermark:</em> every cell that was put at a timestamp above it is still in the
 *       map. When a set is full, its oldest cell is removed, and the low watermark rises to that
 *       cell's timestamp. A transaction that began below the low watermark may have missed a
 *       conflict and must be refused.
 * </ul>
 */
final class ConflictMap {
  private static final int WAYS = 8;
  private static final int SET = WAYS * 2;

  // For each place the hash, then the timestamp; a place without a timestamp is free.
  private final long[] places;
  private final int sets;
  private long lowWatermark;

  /**
   * @param cells how many cells it holds at most, rounded up to a power of two
   * @param lowWatermark the timestamp below which no commits are known
   */
  ConflictMap(int cells, long lowWatermark) {
    requireSize(cells);
    this.sets = Integer.highestOneBit((cells + WAYS - 1) / WAYS * 2 - 1);
    this.places = new long[sets * SET];
    this.lowWatermark = lowWatermark;
  }

  /** Returns the number of cells, if a map can hold so many. */
  static int requireSize(int cells) {
    if (cells < 1 || cells > 1 << 26) {
      throw new IllegalArgumentException(
          "A conflict map of " + cells + " cells: use 1 to " + (1 << 26) + ".");
    }
    return cells;
  }

  /** Returns the newest commit of a cell, or of another with the same hash; 0 if none is known. */
  long newest(long cell) {
    int set = set(cell);
    for (int i = set; i < set + SET; i += 2) {
      if (places[i] == cell) {
        return places[i + 1];
      }
    }
    return 0;
  }

  /** Enters the commit of a cell at this timestamp. */
  void put(long cell, long commit) {
    int set = set(cell);
    int oldest = set;
    for (int i = set; i < set + SET; i += 2) {
      if (places[i] == cell && places[i + 1] != 0) {
        places[i + 1] = Math.max(places[i + 1], commit);
        return;
      }
      if (places[i + 1] < places[oldest + 1]) {
        oldest = i;
      }
    }
    lowWatermark = Math.max(lowWatermark, places[oldest + 1]);
    places[oldest] = cell;
    places[oldest + 1] = commit;
  }

  long lowWatermark() {
    return lowWatermark;
  }

  private int set(long cell) {
    return (int) (cell >>> 20 & sets - 1) * SET;
  }
}
