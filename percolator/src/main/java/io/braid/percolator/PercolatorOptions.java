package io.braid.percolator;

import io.braid.core.store.Durability;
import io.braid.core.transaction.Limits;
import java.time.Duration;

/**
 * How transactions behave. Begin with {@link #defaults()} and change what you need.
 *
 * @param onePhase commit in one step when all rows are in reach of one procedure
 * @param durability how far a commit has come when it is acknowledged: BUFFERED or SYNCED
 * @param limits what a transaction may write at most
 * @param lockTtl a live owner whose lock was not refreshed for so long counts as stuck, and others
 *     may roll it back; more than twice {@code heartbeat}
 * @param heartbeat how often a long commit refreshes its primary lock
 * @param readWait how long a read waits for an undecided writer
 * @param runAttempts how often {@code run} tries a body that conflicts
 * @param runPause its first pause at most; each further one may be twice as long
 * @param runPauseMost its longest pause
 * @param storeAttempts how often a call is tried that the store did not execute or answer
 * @param storePause the first pause between these; each further one is twice as long
 * @param maxAge how long after its begin a transaction may still read and commit
 * @param smallValueBytes values up to this size stand in the commit record, larger ones apart
 * @param sweepInterval the pause between two sweeps for what crashed writers left
 * @param sweepTasks how many tasks sweep; 0 for none
 * @param finishQueue how many rows may wait to be finished in the background
 */
public record PercolatorOptions(
    boolean onePhase,
    Durability durability,
    Limits limits,
    Duration lockTtl,
    Duration heartbeat,
    Duration readWait,
    int runAttempts,
    Duration runPause,
    Duration runPauseMost,
    int storeAttempts,
    Duration storePause,
    Duration maxAge,
    int smallValueBytes,
    Duration sweepInterval,
    int sweepTasks,
    int finishQueue) {

  public PercolatorOptions {
    require(durability != Durability.ORDERED, "Commits are BUFFERED or SYNCED.");
    require(
        lockTtl.compareTo(heartbeat.multipliedBy(2)) > 0,
        "lockTtl must be more than twice heartbeat.");
    require(!heartbeat.isNegative() && !heartbeat.isZero(), "heartbeat must be positive.");
    require(!readWait.isNegative(), "readWait must not be negative.");
    require(runAttempts > 0 && storeAttempts > 0, "Attempts are at least 1.");
    require(maxAge.compareTo(Duration.ZERO) > 0, "maxAge must be positive.");
    require(smallValueBytes >= 0, "smallValueBytes must not be negative.");
    require(sweepTasks >= 0 && finishQueue >= 0, "sweepTasks and finishQueue are at least 0.");
  }

  public static PercolatorOptions defaults() {
    return new PercolatorOptions(
        true,
        Durability.BUFFERED,
        Limits.DEFAULT,
        Duration.ofSeconds(10),
        Duration.ofSeconds(2),
        Duration.ofSeconds(30),
        50,
        Duration.ofMillis(2),
        Duration.ofMillis(200),
        6,
        Duration.ofMillis(5),
        Duration.ofHours(1),
        1024,
        Duration.ofSeconds(30),
        1,
        65536);
  }

  public PercolatorOptions onePhase(boolean value) {
    return new PercolatorOptions(
        value, durability, limits, lockTtl, heartbeat, readWait, runAttempts, runPause,
        runPauseMost, storeAttempts, storePause, maxAge, smallValueBytes, sweepInterval,
        sweepTasks, finishQueue);
  }

  public PercolatorOptions durability(Durability value) {
    return new PercolatorOptions(
        onePhase, value, limits, lockTtl, heartbeat, readWait, runAttempts, runPause,
        runPauseMost, storeAttempts, storePause, maxAge, smallValueBytes, sweepInterval,
        sweepTasks, finishQueue);
  }

  public PercolatorOptions limits(Limits value) {
    return new PercolatorOptions(
        onePhase, durability, value, lockTtl, heartbeat, readWait, runAttempts, runPause,
        runPauseMost, storeAttempts, storePause, maxAge, smallValueBytes, sweepInterval,
        sweepTasks, finishQueue);
  }

  public PercolatorOptions lockTtl(Duration value) {
    return new PercolatorOptions(
        onePhase, durability, limits, value, heartbeat, readWait, runAttempts, runPause,
        runPauseMost, storeAttempts, storePause, maxAge, smallValueBytes, sweepInterval,
        sweepTasks, finishQueue);
  }

  public PercolatorOptions heartbeat(Duration value) {
    return new PercolatorOptions(
        onePhase, durability, limits, lockTtl, value, readWait, runAttempts, runPause,
        runPauseMost, storeAttempts, storePause, maxAge, smallValueBytes, sweepInterval,
        sweepTasks, finishQueue);
  }

  public PercolatorOptions readWait(Duration value) {
    return new PercolatorOptions(
        onePhase, durability, limits, lockTtl, heartbeat, value, runAttempts, runPause,
        runPauseMost, storeAttempts, storePause, maxAge, smallValueBytes, sweepInterval,
        sweepTasks, finishQueue);
  }

  /** Attempts of {@code run}, its first and its longest pause. */
  public PercolatorOptions retries(int attempts, Duration pause, Duration pauseMost) {
    return new PercolatorOptions(
        onePhase, durability, limits, lockTtl, heartbeat, readWait, attempts, pause, pauseMost,
        storeAttempts, storePause, maxAge, smallValueBytes, sweepInterval, sweepTasks,
        finishQueue);
  }

  /** Attempts of a call that the store did not execute or answer, and the first pause. */
  public PercolatorOptions storeRetries(int attempts, Duration pause) {
    return new PercolatorOptions(
        onePhase, durability, limits, lockTtl, heartbeat, readWait, runAttempts, runPause,
        runPauseMost, attempts, pause, maxAge, smallValueBytes, sweepInterval, sweepTasks,
        finishQueue);
  }

  public PercolatorOptions maxAge(Duration value) {
    return new PercolatorOptions(
        onePhase, durability, limits, lockTtl, heartbeat, readWait, runAttempts, runPause,
        runPauseMost, storeAttempts, storePause, value, smallValueBytes, sweepInterval,
        sweepTasks, finishQueue);
  }

  public PercolatorOptions smallValueBytes(int value) {
    return new PercolatorOptions(
        onePhase, durability, limits, lockTtl, heartbeat, readWait, runAttempts, runPause,
        runPauseMost, storeAttempts, storePause, maxAge, value, sweepInterval, sweepTasks,
        finishQueue);
  }

  /** How many tasks sweep (0 for none), and their pause. */
  public PercolatorOptions sweep(int tasks, Duration interval) {
    return new PercolatorOptions(
        onePhase, durability, limits, lockTtl, heartbeat, readWait, runAttempts, runPause,
        runPauseMost, storeAttempts, storePause, maxAge, smallValueBytes, interval, tasks,
        finishQueue);
  }

  /** How many rows may wait to be finished in the background; 0 finishes them in the commit. */
  public PercolatorOptions finishQueue(int value) {
    return new PercolatorOptions(
        onePhase, durability, limits, lockTtl, heartbeat, readWait, runAttempts, runPause,
        runPauseMost, storeAttempts, storePause, maxAge, smallValueBytes, sweepInterval,
        sweepTasks, value);
  }

  private static void require(boolean holds, String law) {
    if (!holds) {
      throw new IllegalArgumentException(law);
    }
  }
}
