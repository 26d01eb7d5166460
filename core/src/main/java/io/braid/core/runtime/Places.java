package io.braid.core.runtime;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.ToLongFunction;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The things that are open at the moment, for many threads that open and close all the time and few
 * that look at all of them. Each thing has a place on cache lines of its own, so that threads do
 * not contend.
 *
 * <p>The search for a free place begins at the last place that the thread took. With one thing open
 * at a time, that place is free again. With many, the places behind it were freed longest ago.
 * Places are added while all are taken, and kept.
 *
 * <p>A look at all places sees everything whose {@link #add add} returned before, and whose place
 * was not {@linkplain Place#free freed} before.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Places<T> {
  private static final int FIRST = 256;

  // Threads share a hint by their number; each lies on a cache line of its own.
  private static final int HINTS = 64;
  private static final int HINT_STRIDE = 16;

  private final Object growing = new Object();
  private volatile Place<T>[] places = grow(null, FIRST);

  // Where to look first; races only cost a longer search.
  private final int[] hints = spread();

  /** The place of one thing; so long that no two places lie on one cache line. */
  @SuppressWarnings({"unused", "rawtypes"})
  public static final class Place<T> {
    private static final AtomicReferenceFieldUpdater<Place, Object> WHAT =
        AtomicReferenceFieldUpdater.newUpdater(Place.class, Object.class, "what");

    private volatile @Nullable T what;
    private long p0;
    private long p1;
    private long p2;
    private long p3;
    private long p4;
    private long p5;
    private long p6;
    private long p7;
    private long p8;
    private long p9;
    private long p10;
    private long p11;
    private long p12;
    private long p13;

    private Place() {}

    private boolean take(T thing) {
      return what == null && WHAT.compareAndSet(this, null, thing);
    }

    /** Frees the place if it holds this thing, so that a second call does no harm. */
    public void free(T thing) {
      WHAT.compareAndSet(this, thing, null);
    }
  }

  /** Gives the thing a place, which the caller has to free later. */
  public Place<T> add(T what) {
    int hint = (int) (Thread.currentThread().getId() & HINTS - 1) * HINT_STRIDE;
    while (true) {
      Place<T>[] all = places;
      int first = hints[hint];
      for (int i = 0; i < all.length; i++) {
        int at = first + i & all.length - 1;
        if (all[at].take(what)) {
          hints[hint] = at;
          return all[at];
        }
      }
      synchronized (growing) {
        if (places == all) {
          places = grow(all, all.length * 2);
        }
      }
    }
  }

  /**
   * The lowest value of all that is open.
   *
   * @param most the value when there is none
   */
  public long lowest(ToLongFunction<T> value, long most) {
    long lowest = most;
    for (Place<T> place : places) {
      T what = place.what;
      if (what != null) {
        lowest = Math.min(lowest, value.applyAsLong(what));
      }
    }
    return lowest;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <T> Place<T>[] grow(Place<T> @Nullable [] before, int size) {
    Place<T>[] after = new Place[size];
    int known = before == null ? 0 : before.length;
    if (before != null) {
      System.arraycopy(before, 0, after, 0, known);
    }
    for (int i = known; i < size; i++) {
      after[i] = new Place<>();
    }
    return after;
  }

  private static int[] spread() {
    int[] hints = new int[HINTS * HINT_STRIDE];
    for (int i = 0; i < HINTS; i++) {
      hints[i * HINT_STRIDE] = i * (FIRST / HINTS);
    }
    return hints;
  }
}
