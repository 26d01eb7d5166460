package io.braid.core.time;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The oracle itself (Percolator, section 2.3): reserves a range of timestamps by raising the
 * durable bound about a second ahead, and answers from memory.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The oracle gives out only timestamps below the durable bound. So a restart, which begins at
 *       the bound, repeats nothing.
 *   <li>Timestamps follow the wall clock as {@code SteadyClock} reads it. If the wall clock steps
 *       back, they run slower, not back. A wall clock that is more than a week away is not followed
 *       until {@link #confirmClock} says that it is right. Under load timestamps run at most one
 *       second ahead of the clock; beyond that callers wait.
 *   <li>When another process has raised the bound, this oracle gives out nothing any more, not even
 *       the rest of its range ({@link TimestampUnavailableException#isLasting}).
 * </ul>
 *
 * <p>The first caller that notices that half of the range is used extends it; the others go on
 * meanwhile. The monitor covers arithmetic only: no clock, store or wait is called under it.
 *
 * <p>The creator of an oracle ensures that there is one holder at a time: an embedded store has the
 * lock on its directory, a server its lease. A holder that was paused and replaced finds its range
 * in the past, must raise the bound, and fails.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class LocalOracle implements TimestampOracle {
  private static final Logger LOG = LoggerFactory.getLogger(LocalOracle.class);

  static final int MAX_COUNT = 1 << 16;
  private static final long MAX_BORROWED_MILLIS = 1000;
  private static final long RETRY_NANOS = 20_000_000;

  // A raise that takes longer is slow: the range has to last until it has happened.
  private static final long SLOW_NANOS = 250_000_000;
  private static final long SLOWEST_NANOS = 10_000_000_000L;

  private final Seams seams;
  private final TimestampBound bound;
  private final AllocatedRange range;
  private final SteadyClock clock;

  private static final long WARN_NANOS = 10_000_000_000L;
  private static final long CLOCK_WARN_NANOS = 3_600_000_000_000L;

  // When a failure was last logged; only the thread that extends the range reads it.
  private volatile boolean warned;
  private volatile long warnedAt;
  private volatile boolean clockWarned;
  private volatile long clockWarnedAt;

  // How long the last raise took; written by the thread that extends the range.
  private volatile long raiseNanos;

  // The rest is guarded by this.
  private final List<Signal> waiting = new ArrayList<>();
  private long issued;
  private Lead confirmed;

  // The first timestamp since the wall clock is not trusted; 0 while it is trusted.
  private long doubtFrom;
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
   * Begins at the present bound.
   *
   * @throws TimestampUnavailableException when the wall clock is outside of 2020 to 2089 and the
   *     bound gives no better time
   */
  public LocalOracle(TimestampBound bound, Seams seams) {
    this.seams = seams;
    this.bound = bound;
    this.range = new AllocatedRange(bound);
    this.end = range.end();
    this.issued = lastBelow(end);
    this.confirmed = bound.lead();
    this.clock = startClock(seams);
  }

  private SteadyClock startClock(Seams seams) {
    long wall = seams.wallMillis();
    if (end == 0) {
      requireTimestamp(wall);
    }
    long now = end == 0 ? wall : Timestamp.wallMillis(end);
    return new SteadyClock(now, seams.nanoTime());
  }

  private static void requireTimestamp(long wallMillis) {
    try {
      Timestamp.ofWallMillis(wallMillis);
    } catch (IllegalArgumentException e) {
      throw new TimestampUnavailableException(
          "The clock of this machine reads "
              + Instant.ofEpochMilli(wallMillis)
              + ", and timestamps stand for 2020 to 2089. Set the clock of this machine.",
          e);
    }
  }

  /** Reads the clock of this machine, and tells whether it is trusted. */
  public ClockReading clock() {
    long wall = seams.wallMillis();
    long nanoTime = seams.nanoTime();
    synchronized (this) {
      long now = follow(wall, nanoTime);
      return new ClockReading(
          Instant.ofEpochMilli(wall), Instant.ofEpochMilli(now), clock.isDoubtful());
    }
  }

  /**
   * Trusts the clock of this machine, which a human has checked. If the clock is ahead of the
   * timestamps, they leap to it. The next collection then takes the snapshots that are older than
   * the retention. If the clock is behind, timestamps keep their present lead over it for good, and
   * {@link #lastAt} takes that lead into account.
   *
   * @throws TimestampUnavailableException when the clock is outside of 2020 to 2089
   */
  public void confirmClock() {
    ClockReading reading = clock();
    if (!reading.doubtful()) {
      return;
    }
    long wall = reading.wall().toEpochMilli();
    requireTimestamp(wall);
    long ahead = reading.newest().toEpochMilli() - wall;
    Lead lead = ahead > 0 ? new Lead(doubtBegan(), ahead) : Lead.NONE;
    bound.lead(lead);
    synchronized (this) {
      confirmed = lead;
      if (ahead < 0) {
        clock.atLeast(wall);
      }
    }
    long unused = next();
  }

  /**
   * The same as {@link #confirmClock()}, where another process may be the oracle. That oracle is
   * deposed, and its successor begins at the confirmed time.
   *
   * @throws TimestampUnavailableException when the clock is outside of 2020 to 2089, or the bound
   *     was raised meanwhile: try again
   */
  public static void confirmClock(TimestampBound bound, Seams seams) {
    long wall = seams.wallMillis();
    requireTimestamp(wall);
    long reached = bound.read();
    long ahead = Timestamp.wallMillis(reached) - wall;
    if (Math.abs(ahead - bound.lead().millis()) <= SteadyClock.MAX_LEAP_MILLIS) {
      return;
    }
    bound.lead(ahead > 0 ? new Lead(reached + 1, ahead) : Lead.NONE);
    long next = Math.max(reached, Timestamp.ofWallMillis(wall)) + AllocatedRange.AHEAD;
    if (!bound.raise(reached, next + seams.random().nextLong(AllocatedRange.AHEAD))) {
      throw new TimestampUnavailableException("Timestamps went on meanwhile: try again.");
    }
  }

  private synchronized long doubtBegan() {
    return doubtFrom;
  }

  @Override
  public long lastAt(Instant time) {
    return leadNow(seams.wallMillis(), seams.nanoTime()).lastAt(time);
  }

  private synchronized Lead leadNow(long wallMillis, long nanoTime) {
    long now = follow(wallMillis, nanoTime);
    return clock.isDoubtful() ? new Lead(doubtFrom, now - wallMillis) : confirmed;
  }

  /** To be called while holding the monitor. */
  private long follow(long wallMillis, long nanoTime) {
    long now = clock.advance(wallMillis + confirmed.millis(), nanoTime);
    if (!clock.isDoubtful()) {
      doubtFrom = 0;
    } else if (doubtFrom == 0) {
      doubtFrom = issued + 1;
    }
    return now;
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

  /** The request of one caller, and its answer. */
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
      throw TimestampUnavailableException.lasting(
          "Another process has taken over the timestamp oracle; this one gives out nothing any more."
              + " Make sure that only one process has the database open, then open it again.",
          null);
    }
    long now = follow(wallMillis, nanoTime);
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
    warnOfClock(begin);
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

  /**
   * Warns of a doubtful clock. Called when the range is extended, about once a second, and not by
   * threads that wait with a range: those have more to do than to look at a clock.
   */
  private void warnOfClock(long now) {
    ClockReading reading = clock();
    if (!reading.doubtful() || clockWarned && now - clockWarnedAt < CLOCK_WARN_NANOS) {
      clockWarned &= reading.doubtful();
      return;
    }
    clockWarned = true;
    clockWarnedAt = now;
    LOG.warn(
        "The clock of this machine reads {}, and the newest timestamp of the database is of {}."
            + " Until that is settled, timestamps go on from there at the pace of real time, and"
            + " nothing is collected sooner than by that. If the clock is wrong, set it. If it is"
            + " right, say so: 'braid gc --confirm-clock', or Operations.confirmClock.",
        reading.wall(),
        reading.newest());
  }

  /**
   * Warns of a failure, but not of each one: raises are tried many times in a second, and a disk
   * may be full for hours.
   */
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
   * Returns how much further a range has to reach where raises are slow. A range of one second
   * would be over before a raise of two seconds had happened, and no caller would ever get a
   * timestamp.
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
