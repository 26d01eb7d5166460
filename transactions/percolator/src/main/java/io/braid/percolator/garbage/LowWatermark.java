package io.braid.percolator.garbage;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.Transactions.Pin;
import java.time.Duration;
import java.util.Map;

/**
 * Finds the timestamp below which there are no readers, and raises the low watermark of the store
 * to it.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The low watermark is raised before anything is collected below it. The store shows it to
 *       every procedure that runs after the raise. So no read below it misses rows without
 *       noticing, and no transaction begun below it writes without noticing.
 *   <li>A collection announces how far it might go ({@code collection/TOKEN}) before it looks for
 *       readers. A reader that wants to keep a snapshot of the past says so before it looks at the
 *       announcements. So at least one of the two sees the other: no pin that was granted is lost.
 *   <li>Current snapshots need no such care: they are entered before their timestamp is drawn, and
 *       a collection draws its own before it looks.
 * </ul>
 */
final class LowWatermark {
  private static final String PREFIX = "collection/";
  private static final int ATTEMPTS = 50;
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final CellStore store;
  private final TimestampOracle oracle;
  private final Seams seams;
  private final Participants participants;
  private final PublishedReaders readers;
  private final SystemCells cells;

  LowWatermark(
      CellStore store,
      TimestampOracle oracle,
      Seams seams,
      Participants participants,
      PublishedReaders readers) {
    this.store = store;
    this.oracle = oracle;
    this.seams = seams;
    this.participants = participants;
    this.readers = readers;
    this.cells = new SystemCells(store);
  }

  /**
   * The timestamp up to which a collection may go.
   *
   * @param heldBy why it is not higher, in words
   */
  record Bound(long timestamp, String heldBy) {
    Bound lower(long other, String why) {
      return other < timestamp ? new Bound(other, why) : this;
    }
  }

  /** Raises the low watermark as far as possible now; returns its value then. */
  Bound raise(Duration keep) {
    Bound wanted = wanted(keep);
    String announcement = PREFIX + seams.liveness().token();
    cells.put(announcement, Bytes.ofLong(wanted.timestamp), Durability.BUFFERED);
    Bound bound = held(wanted);
    // A failed raise may still happen: the announcement stays until a later attempt succeeds.
    store.raiseWatermark(bound.timestamp);
    cells.remove(announcement);
    readers.removeDead();
    return atLeastCurrent(bound);
  }

  /** Returns how far the low watermark would be raised now. */
  Bound look(Duration keep) {
    return atLeastCurrent(held(wanted(keep)));
  }

  private Bound atLeastCurrent(Bound bound) {
    long current = store.watermark();
    return current > bound.timestamp
        ? new Bound(current, "an earlier collection has come as far")
        : bound;
  }

  private Bound wanted(Duration keep) {
    return new Bound(
        Timestamp.before(oracle.next(), keep),
        "everything younger than " + text(keep) + " is kept");
  }

  private static String text(Duration time) {
    long seconds = time.toSeconds();
    return seconds == 0
        ? time.toMillis() + " ms"
        : seconds % 86_400 == 0
            ? seconds / 86_400 + " d"
            : seconds % 3_600 == 0
                ? seconds / 3_600 + " h"
                : seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
  }

  private Bound held(Bound wanted) {
    PublishedReaders.Lowest elsewhere = readers.lowestElsewhere();
    Bound bound =
        wanted
            .lower(participants.lowestActive(), "a snapshot or transaction of this process")
            .lower(elsewhere.timestamp(), "a reader in process " + elsewhere.token());
    for (Pin pin : participants.pins()) {
      bound = bound.lower(pin.timestamp(), "pin " + pin.name());
    }
    return bound;
  }

  /**
   * Ensures that a snapshot of the past is kept from now on. To be called once the snapshot is
   * entered, or pinned.
   *
   * @throws TransactionException {@code SNAPSHOT_TOO_OLD} when it may not be kept any more
   */
  void requireKept(long timestamp) {
    boolean announced = announced(timestamp);
    for (int attempt = 0; attempt < ATTEMPTS && announced; attempt++) {
      seams.sleep(PAUSE);
      announced = announced(timestamp);
    }
    long watermark = store.watermark();
    if (announced || timestamp < watermark) {
      throw TransactionException.snapshotTooOld(timestamp, Math.max(watermark, timestamp + 1));
    }
  }

  /** Whether a running collection has announced that it may pass the timestamp. */
  private boolean announced(long timestamp) {
    for (Map.Entry<String, Bytes> each : cells.all(PREFIX).entrySet()) {
      if (timestamp < each.getValue().longAt(0) && seams.liveness().isAlive(each.getKey())) {
        return true;
      }
    }
    return false;
  }
}
