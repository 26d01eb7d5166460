package io.braid.omid.manager;

import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The transactions and snapshots that have begun and not ended, so that nobody collects what they
 * read.
 *
 * <p>Each occupies a place from before its timestamp is drawn, at a bound below it. So whoever asks
 * the oracle for the last timestamp and then looks for the lowest place misses nobody below that
 * timestamp. Places are used again; a begin allocates nothing.
 *
 * <p>The search for a free place begins where the last one that the thread found lies: with one
 * open at a time it is free again, with many the ones behind it were freed longest ago.
 */
final class ActiveTransactions {
  private static final long FREE = Long.MAX_VALUE;
  private static final int FIRST = 256;

  // Threads share a hint by their number; each lies on a cache line of its own.
  private static final int HINTS = 64;
  private static final int HINT_STRIDE = 16;

  // How far the bound may lag behind, so that it is not written by every begin.
  private static final long LAG = Timestamp.STEP << Timestamp.COUNTER_BITS;

  private final TimestampOracle oracle;
  private final Object growing = new Object();
  private volatile Place[] places = grow(new Place[0], FIRST);
  private volatile long bound;

  // Where to look first; races only cost a longer search.
  private final int[] hints = spread();

  ActiveTransactions(TimestampOracle oracle) {
    this.oracle = oracle;
  }

  /** Where one transaction stands; on cache lines of its own. */
  @SuppressWarnings("unused")
  private static final class Place extends AtomicLong implements TransactionManager.Begun {
    private static final long serialVersionUID = 1;
    private long p1;
    private long p2;
    private long p3;
    private long p4;
    private long p5;
    private long p6;
    private long p7;

    Place() {
      super(FREE);
    }

    @Override
    public long timestamp() {
      return get();
    }

    @Override
    public void close() {
      setRelease(FREE);
    }
  }

  TransactionManager.Begun begin() {
    long below = bound;
    Place place = claim(below);
    try {
      long timestamp = oracle.next();
      place.setRelease(timestamp);
      if (timestamp - below > LAG) {
        bound = timestamp;
      }
      return place;
    } catch (RuntimeException e) {
      place.close();
      throw e;
    }
  }

  TransactionManager.Begun enter(long timestamp) {
    return claim(timestamp);
  }

  long lowest() {
    long lowest = oracle.lastIssued();
    for (Place place : places) {
      lowest = Math.min(lowest, place.get());
    }
    return lowest;
  }

  private Place claim(long timestamp) {
    int hint = (int) (Thread.currentThread().getId() & HINTS - 1) * HINT_STRIDE;
    while (true) {
      Place[] all = places;
      int first = hints[hint];
      for (int i = 0; i < all.length; i++) {
        int at = first + i & all.length - 1;
        Place place = all[at];
        if (place.get() == FREE && place.compareAndSet(FREE, timestamp)) {
          hints[hint] = at;
          return place;
        }
      }
      synchronized (growing) {
        if (places == all) {
          places = grow(all, all.length * 2);
        }
      }
    }
  }

  private static int[] spread() {
    int[] hints = new int[HINTS * HINT_STRIDE];
    for (int i = 0; i < HINTS; i++) {
      hints[i * HINT_STRIDE] = i * (FIRST / HINTS);
    }
    return hints;
  }

  private static Place[] grow(Place[] before, int size) {
    Place[] after = new Place[size];
    System.arraycopy(before, 0, after, 0, before.length);
    for (int i = before.length; i < size; i++) {
      after[i] = new Place();
    }
    return after;
  }
}
