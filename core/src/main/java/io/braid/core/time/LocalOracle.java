package io.braid.core.time;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The oracle itself (Percolator, section 2.3): reserves a range of timestamps by raising the
 * durable bound about a second ahead, and answers from memory.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Given out is only what lies below the durable bound, so a restart, which begins at the
 *       bound, repeats nothing.
 *   <li>Timestamps follow the wall clock as {@code SteadyClock} tells it: stepping back it makes
 *       them run slower, not back. At the start the wall clock is believed, unless the bound is
 *       ahead of it: the database may have lain untouched for years. Under load they run at most
 *       one second ahead of it; beyond that callers wait.
 *   <li>When somebody else has raised the bound, this oracle gives out nothing any more, not even
 *       the rest of its range ({@link OracleDeposedException}).
 * </ul>
 *
 * <p>The range is extended when half of it is used, by whichever caller notices; the others go on
 * meanwhile. The monitor covers arithmetic only: no clock, store or wait is called under it.
 *
 * <p>That there is one holder at a time is the business of whoever creates it: an embedded store
 * has the lock on its directory, a server its lease. A holder that was paused and replaced finds
 * its range in the past, must raise the bound, and fails.
 */
public final class LocalOracle implements TimestampOracle {
  private static final Logger LOG = LoggerFactory.getLogger(LocalOracle.class);

  static final int MAX_COUNT = 1 << 16;
  private static final long MAX_BORROWED_MILLIS = 1000;
  private static final long RETRY_NANOS = 20_000_000;

  // A raise that takes longer is slow: the range has to last until it has happened.
  private static final long SLOW_NANOS = 250_000_000;
  private static final long SLOWEST_NANOS = 10_000_000_000L;

  private final Seams seams;
  private final AllocatedRange range;
  private final SteadyClock clock;

  private static final long WARN_NANOS = 10_000_000_000L;

  // When a failure was told last; only who extends the range looks at it.
  private volatile boolean warned;
  private volatile long warnedAt;

  // How long the last raise took; written by whoever extends the range.
  private volatile long raiseNanos;

  // The rest is guarded by this.
  private final List<Signal> waiting = new ArrayList<>();
  private long issued;
  private long end;
  private boolean extending;
  private boolean failed;
  private long failedAt;
  private boolean deposed;

  private enum Step {
    GRANTED,
    EXTEND,
    AWAIT_EXTENSION,
    PAUSE
  }

  /**
   * Begins where the bound stands.
   *
   * @throws TimestampUnavailableException when the wall clock stands outside of 2020 to 2089 and
   *     the bound does not tell better
   */
  public LocalOracle(TimestampBound bound, Seams seams) {
    this.seams = seams;
    this.range = new AllocatedRange(bound);
    this.end = range.end();
    this.issued = lastBelow(end);
    this.clock = startClock(seams);
  }

  private SteadyClock startClock(Seams seams) {
    long reached = Timestamp.wallMillis(end);
    long now = end == 0 ? seams.wallMillis() : Math.max(seams.wallMillis(), reached);
    try {
      Timestamp.ofWallMillis(now);
    } catch (IllegalArgumentException e) {
      throw new TimestampUnavailableException("Set the clock of this machine.", e);
    }
    return new SteadyClock(now, seams.nanoTime());
  }

  @Override
  public long next(int count) {
    if (count < 1 || count > MAX_COUNT) {
      throw new IllegalArgumentException(
          "Asked for " + count + " timestamps: ask for 1 to " + MAX_COUNT + ".");
    }
    Grant grant = new Grant(count);
    Patience patience = new Patience(seams);
    while (true) {
      switch (step(grant, seams.wallMillis(), seams.nanoTime())) {
        case GRANTED -> {
          return grant.first;
        }
        case EXTEND -> extend(grant, patience);
        case AWAIT_EXTENSION -> awaitExtension(patience);
        case PAUSE -> patience.pause();
      }
    }
  }

  @Override
  public synchronized long lastIssued() {
    return issued;
  }

  /** What one caller asks for, and gets. */
  private static final class Grant {
    private final int count;
    private long first;

    Grant(int count) {
      this.count = count;
    }

    long last() {
      return first + (count - 1) * Timestamp.STEP;
    }
  }

  private synchronized Step step(Grant grant, long wallMillis, long nanoTime) {
    if (deposed) {
      throw new OracleDeposedException();
    }
    long now = clock.advance(wallMillis, nanoTime);
    grant.first = Math.max(issued + Timestamp.STEP, Timestamp.ofWallMillis(now));
    boolean fits = grant.last() < end;
    boolean halfUsed = end - grant.last() < AllocatedRange.AHEAD / 2;
    boolean mayTry = !failed || nanoTime - failedAt >= RETRY_NANOS;
    if (halfUsed && !extending && mayTry) {
      extending = true;
      return Step.EXTEND;
    }
    if (!fits) {
      return extending ? Step.AWAIT_EXTENSION : Step.PAUSE;
    }
    if (Timestamp.wallMillis(grant.last()) - now > MAX_BORROWED_MILLIS) {
      return Step.PAUSE;
    }
    issued = grant.last();
    return Step.GRANTED;
  }

  private void extend(Grant grant, Patience patience) {
    boolean extended = false;
    boolean lost = false;
    long begin = seams.nanoTime();
    try {
      extended = range.extend(grant.last() + slowness(), seams.random());
      lost = !extended;
      warned &= !extended;
    } catch (RuntimeException e) {
      patience.failedBecause(e);
      warn(e);
    } finally {
      long now = seams.nanoTime();
      raiseNanos = now - begin;
      extended(extended, lost, now).forEach(Signal::raise);
    }
  }

  /** Not each time: it is tried many times in a second, and a disk may be full for hours. */
  private void warn(RuntimeException failure) {
    long now = seams.nanoTime();
    if (warned && now - warnedAt < WARN_NANOS) {
      return;
    }
    warned = true;
    warnedAt = now;
    LOG.warn("The bound of the timestamps cannot be raised; trying again: {}", failure.toString());
  }

  /**
   * How much further a range has to reach where raises are slow. One of a second would be over
   * before a raise of two had happened, and nobody would ever get a timestamp.
   */
  private long slowness() {
    long nanos = Math.min(raiseNanos, SLOWEST_NANOS);
    long seconds = 1 + 2 * nanos / 1_000_000_000;
    return nanos < SLOW_NANOS ? 0 : seconds * AllocatedRange.AHEAD;
  }

  private synchronized List<Signal> extended(boolean extended, boolean lost, long nanoTime) {
    extending = false;
    deposed |= lost;
    failed = !extended;
    failedAt = nanoTime;
    issued = Math.max(issued, lastBelow(range.begin()));
    clock.atLeast(Timestamp.wallMillis(range.begin()));
    end = range.end();
    List<Signal> toRaise = List.copyOf(waiting);
    waiting.clear();
    return toRaise;
  }

  private static long lastBelow(long bound) {
    long aligned = (bound + Timestamp.STEP - 1) & -Timestamp.STEP;
    return Math.max(0, aligned - Timestamp.STEP);
  }

  private void awaitExtension(Patience patience) {
    Signal signal = seams.signal();
    if (enqueue(signal)) {
      patience.await(signal);
    }
  }

  private synchronized boolean enqueue(Signal signal) {
    return extending && waiting.add(signal);
  }
}
