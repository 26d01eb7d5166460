package io.braid.core.runtime;

import java.time.Duration;

/** A started task. */
public interface Task {
  /** Asks it to stop: its waits end at once and {@link #stopRequested} answers true. */
  void stop();

  boolean stopRequested();

  /** Waits until it ended; false when it has not after {@code timeout}. */
  boolean join(Duration timeout);
}
