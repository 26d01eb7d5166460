package io.braid.simulation;

import io.braid.observers.ObserverOptions;
import io.braid.simulation.schedule.SimRandom;
import java.time.Duration;

/** The choices of a seed for observers. */
final class ObserverSettings {
  /** Nobody is given up: a row that failed often is tried for ever. */
  private static final int FOR_EVER = 1_000_000;

  private ObserverSettings() {}

  static ObserverOptions drawn(SimRandom random) {
    return new ObserverOptions(
        1 + random.nextInt(4),
        1 + random.nextInt(2),
        Duration.ofMillis(100 + random.nextInt(1000)),
        random.nextBoolean() ? 1 + random.nextInt(4) : 1000,
        Duration.ofSeconds(1),
        new ObserverOptions.Retries(
            random.nextBoolean() ? FOR_EVER : 1 + random.nextInt(4),
            Duration.ofMillis(5),
            Duration.ofMillis(500)),
        ObserverOptions.Bounds.defaults());
  }

  /** The same, with bounds so low that observers are held back. */
  static ObserverOptions bounded(ObserverOptions options, SimRandom random) {
    return options.bounds(
        new ObserverOptions.Bounds(
            1 + random.nextInt(4),
            random.nextBoolean() ? 0 : 20 + random.nextInt(50),
            5 + random.nextInt(100)));
  }

  /** Returns the same options, with a bound on the runs on a row that a loop reaches. */
  static ObserverOptions looping(ObserverOptions options, SimRandom random) {
    ObserverOptions.Bounds bounds = options.bounds();
    return options.bounds(
        new ObserverOptions.Bounds(
            Math.min(bounds.runsPerRow(), 2 + random.nextInt(4)),
            bounds.runsPerObserver(),
            bounds.backfilledRows()));
  }

  /** Returns the same options, except that no row is ever given up. */
  static ObserverOptions patient(ObserverOptions options) {
    ObserverOptions.Retries drawn = options.retries();
    return new ObserverOptions(
        options.workers(),
        options.scanners(),
        options.scanInterval(),
        options.hintQueueCapacity(),
        options.registryInterval(),
        new ObserverOptions.Retries(FOR_EVER, drawn.pause(), drawn.longestPause()),
        options.bounds());
  }

  /** Whether changes at which an observer fails become dead letters in the end. */
  static boolean writesDeadLetters(ObserverOptions options) {
    return options.retries().attempts() < FOR_EVER;
  }
}
