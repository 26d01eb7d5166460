package io.braid.store.rocksdb.engine;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts writes as they begin and as they end, so that a cursor which was brought up to date while
 * none was on its way need not be again until the next one begins.
 *
 * <p>A write counts as begun before anything of it can be read, and as ended once all of it can.
 */
public final class WriteCount {
  /** The state of a cursor that was never brought up to date, or amid writes. */
  public static final long UNKNOWN = -1;

  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();

  public void begin() {
    begun.incrementAndGet();
  }

  /** Not to be called for one that failed: whether it can be read is not known. */
  public void end() {
    ended.incrementAndGet();
  }

  /** Something changed, and can be read, that was not counted. */
  public void changed() {
    begin();
    end();
  }

  /** To be taken before a cursor is brought up to date. */
  public long state() {
    long now = begun.get();
    return ended.get() == now ? now : UNKNOWN;
  }

  /** Whether a cursor that was brought up to date in this state still is. */
  public boolean noneSince(long state) {
    return begun.get() == state;
  }
}
