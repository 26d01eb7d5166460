package io.braid.core.time;

import java.util.ArrayDeque;
import java.util.Deque;

/** A bound in memory whose next raises can be made to go wrong. Not idempotent, on purpose. */
final class FakeBound implements TimestampBound {
  /** The outcome of a raise. */
  enum Fate {
    DONE,
    /** Fails, and nothing happens. */
    LOST_REQUEST,
    /** Happens, but the caller is not told. */
    LOST_REPLY,
    /** Seems to fail, and happens before the next call. */
    LATE
  }

  final Deque<Fate> fates = new ArrayDeque<>();
  long value;
  private Lead lead = Lead.NONE;
  int raises;
  private Runnable late = () -> {};

  @Override
  public synchronized Lead lead() {
    return lead;
  }

  @Override
  public synchronized void lead(Lead next) {
    lead = next;
  }

  @Override
  public synchronized long read() {
    land();
    return value;
  }

  @Override
  public synchronized boolean raise(long expected, long next) {
    land();
    raises++;
    switch (fates.isEmpty() ? Fate.DONE : fates.remove()) {
      case DONE -> {
        return compareAndSet(expected, next);
      }
      case LOST_REQUEST -> throw new IllegalStateException("request lost");
      case LOST_REPLY -> {
        compareAndSet(expected, next);
        throw new IllegalStateException("reply lost");
      }
      case LATE -> {
        late = () -> compareAndSet(expected, next);
        throw new IllegalStateException("late");
      }
    }
    throw new AssertionError();
  }

  private boolean compareAndSet(long expected, long next) {
    boolean same = value == expected;
    value = same ? next : value;
    return same;
  }

  private void land() {
    late.run();
    late = () -> {};
  }
}
