package io.braid.percolator.context;

import io.braid.core.protocol.Retries;
import io.braid.core.store.Durability;
import io.braid.core.transaction.Limits;
import java.time.Duration;

/**
 * The options of Percolator's transactions. Begin with {@link #defaults()} and change what you
 * need; a {@code Braid} makes them of its settings.
 *
 * @param onePhase commit in one step when all rows are in reach of one procedure
 * @param durability how far a commit has come when it is acknowledged: BUFFERED or SYNCED
 * @param limits the limits on the writes of a transaction
 * @param smallValueBytes values up to this size are in the commit record, larger ones apart
 */
public record PercolatorOptions(
    boolean onePhase,
    Durability durability,
    Limits limits,
    int smallValueBytes,
    Locks locks,
    Patience patience,
    Retries retries,
    Duties duties,
    Savings savings) {

  /**
   * The limits by which the owners of locks are judged.
   *
   * @param ttl a live owner whose lock was not refreshed for so long counts as stuck, and others
   *     may roll it back; more than twice {@code heartbeat}
   * @param heartbeat how often a long commit refreshes its primary lock
   */
  public record Locks(Duration ttl, Duration heartbeat) {
    public Locks {
      require(heartbeat.compareTo(Duration.ZERO) > 0, "The heartbeat must be positive.");
    }

    /** Refuses a time to live that live owners cannot keep. */
    public void check() {
      require(
          ttl.compareTo(heartbeat.multipliedBy(2)) > 0,
          "The time to live of locks must be more than two heartbeats.");
    }
  }

  /**
   * The limits on durations.
   *
   * @param readWait how long a read waits for an undecided writer
   * @param maxAge how long after its begin a transaction may still read, write and commit
   */
  public record Patience(Duration readWait, Duration maxAge) {
    public Patience {
      require(!readWait.isNegative(), "The wait of readers must not be negative.");
      require(maxAge.compareTo(Duration.ZERO) > 0, "The age of transactions must be positive.");
    }
  }

  /**
   * The background work.
   *
   * @param sweepTasks how many tasks sweep up what crashed writers left; 0 for none
   * @param sweepInterval the pause between two sweeps
   * @param finishQueue how many rows may wait to be finished; 0 finishes them in the commit
   */
  public record Duties(int sweepTasks, Duration sweepInterval, int finishQueue) {
    public Duties {
      require(sweepTasks >= 0 && finishQueue >= 0, "Tasks and queue are at least 0.");
    }
  }

  /**
   * The ways to save calls of the store (Percolator, section 2.5).
   *
   * @param cachedRows the number of rows whose reads a snapshot remembers; 0 for none
   * @param prefetch whether columns that are usually read after another one are read with it; only
   *     where rows are remembered
   * @param batchDelay how long a read or a lock waits for others to share its trip; zero for not at
   *     all
   * @param batchMost how many share a trip; a full batch waits no longer
   */
  public record Savings(int cachedRows, boolean prefetch, Duration batchDelay, int batchMost) {
    public Savings {
      require(
          !batchDelay.isNegative() && batchDelay.compareTo(Duration.ofSeconds(10)) <= 0,
          "A call waits for others from 0 to 10 seconds.");
      require(batchMost > 0, "At least one call makes a trip.");
      require(cachedRows >= 0, "The number of remembered rows is at least 0.");
    }
  }

  public PercolatorOptions {
    require(durability != Durability.ORDERED, "Commits are BUFFERED or SYNCED.");
    require(smallValueBytes >= 0, "The size of small values must not be negative.");
  }

  /**
   * Returns the defaults. One phase if possible, buffered. Locks of 10 s, refreshed every 2 s. 30 s
   * for a read to wait and 1 h for a transaction to last. 50 attempts of {@code run}.
   */
  public static PercolatorOptions defaults() {
    return new PercolatorOptions(
        true,
        Durability.BUFFERED,
        Limits.DEFAULT,
        1024,
        new Locks(Duration.ofSeconds(10), Duration.ofSeconds(2)),
        new Patience(Duration.ofSeconds(30), Duration.ofHours(1)),
        new Retries(50, Duration.ofMillis(2), Duration.ofMillis(200), 6, Duration.ofMillis(5)),
        new Duties(1, Duration.ofSeconds(30), 65536),
        new Savings(64, true, Duration.ZERO, 256));
  }

  public PercolatorOptions onePhase(boolean value) {
    return new PercolatorOptions(
        value, durability, limits, smallValueBytes, locks, patience, retries, duties, savings);
  }

  public PercolatorOptions durability(Durability value) {
    return new PercolatorOptions(
        onePhase, value, limits, smallValueBytes, locks, patience, retries, duties, savings);
  }

  public PercolatorOptions limits(Limits value) {
    return new PercolatorOptions(
        onePhase, durability, value, smallValueBytes, locks, patience, retries, duties, savings);
  }

  public PercolatorOptions smallValueBytes(int value) {
    return new PercolatorOptions(
        onePhase, durability, limits, value, locks, patience, retries, duties, savings);
  }

  public PercolatorOptions locks(Locks value) {
    return new PercolatorOptions(
        onePhase, durability, limits, smallValueBytes, value, patience, retries, duties, savings);
  }

  public PercolatorOptions lockTtl(Duration value) {
    return locks(new Locks(value, locks.heartbeat));
  }

  public PercolatorOptions heartbeat(Duration value) {
    return locks(new Locks(locks.ttl, value));
  }

  public PercolatorOptions patience(Patience value) {
    return new PercolatorOptions(
        onePhase, durability, limits, smallValueBytes, locks, value, retries, duties, savings);
  }

  public PercolatorOptions readWait(Duration value) {
    return patience(new Patience(value, patience.maxAge));
  }

  public PercolatorOptions maxAge(Duration value) {
    return patience(new Patience(patience.readWait, value));
  }

  public PercolatorOptions retries(Retries value) {
    return new PercolatorOptions(
        onePhase, durability, limits, smallValueBytes, locks, patience, value, duties, savings);
  }

  public PercolatorOptions savings(Savings value) {
    return new PercolatorOptions(
        onePhase, durability, limits, smallValueBytes, locks, patience, retries, duties, value);
  }

  public PercolatorOptions duties(Duties value) {
    return new PercolatorOptions(
        onePhase, durability, limits, smallValueBytes, locks, patience, retries, value, savings);
  }

  private static void require(boolean holds, String law) {
    if (!holds) {
      throw new IllegalArgumentException(law);
    }
  }
}
