package io.braid.observers;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How observers are run. Begin with {@link #defaults()} and change what you need.
 *
 * @param workers how many tasks run observers
 * @param scanners how many tasks look for notifications without a hint; 0 for none
 * @param scanInterval the pause between two sweeps of a scanner over all observed tables
 * @param hintQueueCapacity how many changed rows are remembered; scanning finds the rest
 * @param registryInterval how often to look for observers that other processes registered
 * @param retries how runs are tried again
 * @param bounds how much may happen in a second
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record ObserverOptions(
    int workers,
    int scanners,
    Duration scanInterval,
    int hintQueueCapacity,
    Duration registryInterval,
    Retries retries,
    Bounds bounds) {

  /**
   * How much may happen in a second.
   *
   * @param runsPerRow how often one observer may run on one row; further runs wait, collapse and
   *     are reported as a loop
   * @param runsPerObserver how often one observer may run in this process; 0 for no bound
   * @param backfilledRows how many existing rows a backfill looks at
   */
  public record Bounds(int runsPerRow, int runsPerObserver, int backfilledRows) {
    public Bounds {
      require(runsPerRow >= 1, "An observer may run on a row at least once in a second.");
      require(runsPerObserver >= 0, "There cannot be fewer than no runs.");
      require(backfilledRows >= 1, "A backfill looks at a row at least once in a second.");
    }

    /** 1000 runs on a row, any number of runs, 20000 rows of a backfill. */
    public static Bounds defaults() {
      return new Bounds(1000, 0, 20_000);
    }
  }

  /**
   * How runs are tried again.
   *
   * @param attempts how often an observer that throws is tried before its change becomes a dead
   *     letter
   * @param pause the first pause; each further one is twice as long, and up to a half shorter by
   *     chance
   * @param longestPause of these after failures; after conflicts never more than 250 ms
   */
  public record Retries(int attempts, Duration pause, Duration longestPause) {
    public Retries {
      require(attempts >= 1, "An observer is tried at least once.");
      require(pause.compareTo(Duration.ZERO) > 0, "The pause must be positive.");
      require(longestPause.compareTo(pause) >= 0, "The longest pause is at least the first one.");
    }
  }

  public ObserverOptions {
    require(workers >= 1, "At least one worker runs observers.");
    require(scanners >= 0, "There cannot be fewer than no scanners.");
    require(scanInterval.compareTo(Duration.ZERO) > 0, "The scan interval must be positive.");
    require(hintQueueCapacity >= 1, "At least one hint is remembered.");
    require(registryInterval.compareTo(Duration.ZERO) > 0, "The interval must be positive.");
  }

  /**
   * As many workers as processors, one scanner with pauses of 500 ms, 65536 hints; 8 attempts with
   * pauses from 5 ms to 5 s.
   */
  public static ObserverOptions defaults() {
    return new ObserverOptions(
        Runtime.getRuntime().availableProcessors(),
        1,
        Duration.ofMillis(500),
        1 << 16,
        Duration.ofSeconds(1),
        new Retries(8, Duration.ofMillis(5), Duration.ofSeconds(5)),
        Bounds.defaults());
  }

  public ObserverOptions workers(int value) {
    return new ObserverOptions(
        value, scanners, scanInterval, hintQueueCapacity, registryInterval, retries, bounds);
  }

  public ObserverOptions scanners(int value) {
    return new ObserverOptions(
        workers, value, scanInterval, hintQueueCapacity, registryInterval, retries, bounds);
  }

  public ObserverOptions scanInterval(Duration value) {
    return new ObserverOptions(
        workers, scanners, value, hintQueueCapacity, registryInterval, retries, bounds);
  }

  public ObserverOptions hintQueueCapacity(int value) {
    return new ObserverOptions(
        workers, scanners, scanInterval, value, registryInterval, retries, bounds);
  }

  public ObserverOptions registryInterval(Duration value) {
    return new ObserverOptions(
        workers, scanners, scanInterval, hintQueueCapacity, value, retries, bounds);
  }

  public ObserverOptions attempts(int value) {
    return retries(new Retries(value, retries.pause, retries.longestPause));
  }

  public ObserverOptions backoff(Duration pause, Duration longestPause) {
    return retries(new Retries(retries.attempts, pause, longestPause));
  }

  private ObserverOptions retries(Retries value) {
    return new ObserverOptions(
        workers, scanners, scanInterval, hintQueueCapacity, registryInterval, value, bounds);
  }

  public ObserverOptions bounds(Bounds value) {
    return new ObserverOptions(
        workers, scanners, scanInterval, hintQueueCapacity, registryInterval, retries, value);
  }

  private static void require(boolean holds, String law) {
    if (!holds) {
      throw new IllegalArgumentException(law);
    }
  }
}
