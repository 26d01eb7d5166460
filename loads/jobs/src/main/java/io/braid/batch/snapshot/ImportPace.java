package io.braid.batch.snapshot;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The progress of the imports of a load, and the time for the remaining ones. Before the first
 * import has ended, the time is a share of the time for reading: as in loads that ended, or as was
 * measured.
 */
final class ImportPace {
  private final double share;
  private final boolean together;
  private final int importers;
  private final AtomicLong found = new AtomicLong();
  private final AtomicLong arrived = new AtomicLong();
  private final AtomicLong imported = new AtomicLong();
  private final AtomicLong busyNanos = new AtomicLong();

  /**
   * @param share of the work after reading in the whole load
   * @param together whether nothing is imported before all is read
   * @param importers how many imports run side by side
   */
  ImportPace(double share, boolean together, int importers) {
    this.share = Math.max(0, Math.min(0.95, share));
    this.together = together;
    this.importers = Math.max(1, importers);
  }

  /** A snapshot of an earlier run was found. */
  void found(long bytes) {
    found.addAndGet(bytes);
  }

  void arrived(long bytes) {
    arrived.addAndGet(bytes);
  }

  void imported(long bytes, long nanos) {
    busyNanos.addAndGet(nanos);
    imported.addAndGet(bytes);
  }

  /**
   * Returns the expected seconds after the end of reading.
   *
   * @param read share of the records
   * @param reading seconds that reading all of them takes
   */
  double after(double read, double reading) {
    double byShare = reading * share / (1 - share);
    long done = imported.get();
    if (done == 0 || read <= 0) {
      return byShare;
    }
    double all = found.get() + arrived.get() / read;
    double behind = together ? all - done : (found.get() + arrived.get() - done) / read;
    return Math.max(0, Math.min(behind, all) * each(done));
  }

  /**
   * Returns the seconds for the remaining imports, when all is read.
   *
   * @param expected seconds expected for all imports
   * @param passed seconds since then
   */
  double left(double expected, double passed) {
    long done = imported.get();
    long left = Math.max(0, found.get() + arrived.get() - done);
    return done == 0 ? Math.max(0, expected - passed) : left * each(done);
  }

  /** Returns the imported share of the snapshots that are there. */
  double done() {
    long all = found.get() + arrived.get();
    return all == 0 ? 1 : Math.min(1, (double) imported.get() / all);
  }

  /** Seconds for a byte, when as many imports run as may. */
  private double each(long done) {
    return busyNanos.get() / 1e9 / done / importers;
  }
}
