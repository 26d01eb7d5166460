package io.braid.percolator.garbage;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.time.Timestamp;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The reads of the processes that use the store, as rows {@code reader/TOKEN} of Braid's own table.
 * A row holds a timestamp: the process reads nothing below it and will not begin to, unless it
 * publishes a lower one first.
 *
 * <p>The row of a dead process does not count and is removed. The row of a live process lapses if
 * this process sees it unrenewed for a while: a stuck process must not keep everything for ever.
 * The readers of a stuck process may then get the error that their snapshots are too old.
 */
final class PublishedReaders {
  private static final String PREFIX = "reader/";
  private static final int LAPSES_AFTER_RENEWALS = 8;
  private static final Duration SHORTEST_LEASE = Duration.ofMinutes(2);

  private final SystemCells cells;
  private final Seams seams;
  private final Liveness liveness;
  private final long leaseNanos;
  private final AtomicLong beat = new AtomicLong();
  private final Map<String, Watch> watched = new HashMap<>();
  private volatile long published = Timestamp.MAX;

  private record Watch(Bytes value, long sinceNanos) {}

  /** The lowest timestamp that another process reads, and the token of that process. */
  record Lowest(String token, long timestamp) {}

  PublishedReaders(CellStore store, Seams seams, CollectionOptions options) {
    this.cells = new SystemCells(store);
    this.seams = seams;
    this.liveness = seams.liveness();
    Duration lease = options.renewal().multipliedBy(LAPSES_AFTER_RENEWALS);
    this.leaseNanos = (lease.compareTo(SHORTEST_LEASE) > 0 ? lease : SHORTEST_LEASE).toNanos();
  }

  /** Publishes that this process reads nothing below a timestamp. */
  void publish(long lowest) {
    Bytes value = new Encoder(16).int64(lowest).varint(beat.incrementAndGet()).finish();
    cells.put(PREFIX + liveness.token(), value, Durability.BUFFERED);
    published = lowest;
  }

  /** Whether others know that this process may read at the timestamp, if it publishes at all. */
  boolean covers(long timestamp) {
    return timestamp >= published;
  }

  /** Withdraws the row of this process, which reads nothing any more. */
  void withdraw() {
    if (published != Timestamp.MAX) {
      cells.remove(PREFIX + liveness.token());
    }
  }

  /**
   * Returns the lowest timestamp that another process reads at; the highest of all if there is
   * none.
   */
  synchronized Lowest lowestElsewhere() {
    Lowest lowest = new Lowest("", Timestamp.MAX);
    Map<String, Bytes> rows = cells.all(PREFIX);
    watched.keySet().retainAll(rows.keySet());
    for (Map.Entry<String, Bytes> row : rows.entrySet()) {
      String token = row.getKey();
      if (token.equals(liveness.token())) {
        continue;
      }
      long timestamp = new Decoder(row.getValue()).int64();
      if (counts(token, row.getValue()) && timestamp < lowest.timestamp) {
        lowest = new Lowest(token, timestamp);
      }
    }
    return lowest;
  }

  private boolean counts(String token, Bytes value) {
    if (!liveness.isAlive(token)) {
      return false;
    }
    long now = seams.nanoTime();
    Watch watch =
        watched.compute(
            token,
            (key, seen) -> seen != null && seen.value.equals(value) ? seen : new Watch(value, now));
    return now - watch.sinceNanos < leaseNanos;
  }

  /** Removes the rows of dead processes. */
  void removeDead() {
    for (String token : cells.all(PREFIX).keySet()) {
      if (!token.equals(liveness.token()) && !liveness.isAlive(token)) {
        cells.remove(PREFIX + token);
      }
    }
  }
}
