package io.braid.tables;

import io.braid.core.runtime.Seams;
import io.braid.core.store.TabletUnavailableException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Orders the changes of one table, its indexes and its protocol one after another, in all
 * processes. The locks are advisory. Should a lock be lost, writes of two processes to one row of
 * Braid's own table still go by compare-and-set.
 */
final class TableLocks {
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Seams seams;
  private final AtomicLong owners = new AtomicLong();

  TableLocks(Seams seams) {
    this.seams = seams;
  }

  /**
   * Does work while no other caller changes the table.
   *
   * @throws TabletUnavailableException when another caller changes the table for ten minutes
   */
  <R> R holding(String table, Supplier<R> work) {
    String lock = "table/" + table;
    String owner = seams.liveness().token() + " " + owners.incrementAndGet();
    long begun = seams.nanoTime();
    while (!seams.locks().tryLock(lock, owner)) {
      if (seams.nanoTime() - begun > PATIENCE.toNanos()) {
        throw new TabletUnavailableException(
            "Table "
                + table
                + " has been in another change for ten minutes: an index of it is built or"
                + " dropped, or it is dropped or switched. Try again when that has ended ('braid"
                + " index list').");
      }
      seams.sleep(PAUSE);
      if (Thread.currentThread().isInterrupted()) {
        throw new TabletUnavailableException(
            "Interrupted while waiting for another change of table " + table + ".");
      }
    }
    try {
      return work.get();
    } finally {
      seams.locks().unlock(lock, owner);
    }
  }
}
