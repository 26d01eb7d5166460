package io.braid.observers;

import io.braid.core.data.Row;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how often observers run. Observers that trigger themselves, directly or in a circle, would
 * run for ever, as fast as they can; the paper leaves it to their authors to avoid that (section
 * 2.4). Here what runs too often waits for the next second, while changes collapse, and is
 * reported.
 *
 * <p>Runs are counted by the second, in places chosen by the hash of observer and row. Those that
 * share a place share its bound; so few do, and so far is the bound from what rows need, that it
 * does not matter.
 */
final class RunRates {
  private static final Logger LOG = LoggerFactory.getLogger(RunRates.class);
  private static final long WINDOW_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int PLACES = 1 << 16;
  private static final int REMEMBERED = 100;

  private final ObserverOptions.Bounds bounds;
  private final AtomicIntegerArray rows = new AtomicIntegerArray(PLACES);
  private final AtomicIntegerArray observers = new AtomicIntegerArray(PLACES);
  private final AtomicLong windowBegin;

  // Guarded by itself; the least recently noticed first.
  private final Map<Key, RunLoop> loops = new LinkedHashMap<>();

  RunRates(ObserverOptions.Bounds bounds, long nanoTime) {
    this.bounds = bounds;
    this.windowBegin = new AtomicLong(nanoTime);
  }

  private record Key(String observer, Row row) {}

  /**
   * In how many nanoseconds the observer may run on the row; 0 for now, and the run is counted.
   *
   * @param now on the monotonic clock
   */
  long nanosUntilAllowed(String observer, Row row, long now, long wallMillis) {
    long begin = windowBegin.get();
    if (now - begin >= WINDOW_NANOS && windowBegin.compareAndSet(begin, now)) {
      for (int i = 0; i < PLACES; i++) {
        rows.lazySet(i, 0);
        observers.lazySet(i, 0);
      }
      begin = now;
    }
    int hash = observer.hashCode();
    if (bounds.runsPerObserver() > 0
        && observers.incrementAndGet(place(hash)) > bounds.runsPerObserver()) {
      return untilNext(begin, now);
    }
    int runs = rows.incrementAndGet(place(hash * 31 + row.hashCode()));
    if (runs <= bounds.runsPerRow()) {
      return 0;
    }
    note(observer, row, wallMillis);
    return untilNext(begin, now);
  }

  private static long untilNext(long begin, long now) {
    return Math.max(1, begin + WINDOW_NANOS - now);
  }

  private static int place(int hash) {
    int mixed = hash * 0x9E3779B9;
    return (mixed ^ mixed >>> 16) & (PLACES - 1);
  }

  private void note(String observer, Row row, long wall) {
    boolean first;
    synchronized (loops) {
      Key key = new Key(observer, row);
      RunLoop before = loops.remove(key);
      first = before == null;
      loops.put(
          key,
          before == null
              ? new RunLoop(observer, row, 1, wall, wall)
              : new RunLoop(observer, row, before.seconds() + 1, before.firstMillis(), wall));
      if (loops.size() > REMEMBERED) {
        loops.remove(loops.keySet().iterator().next());
      }
    }
    if (first) {
      LOG.warn(
          "Observer {} runs more than {} times in a second on {}: does it trigger itself? It is"
              + " held back; pause it if it should stop.",
          observer,
          bounds.runsPerRow(),
          row);
    }
  }

  /** Returns the loops that were held back, the latest last. */
  List<RunLoop> loops() {
    synchronized (loops) {
      return List.copyOf(loops.values());
    }
  }
}
