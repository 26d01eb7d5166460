package io.braid.core.runtime;

import java.time.Duration;
import org.apiguardian.api.API;

/** A started task. */
@API(status = API.Status.EXPERIMENTAL)
public interface Task {
  /** Asks it to stop: its waits end at once and {@link #stopRequested} answers true. */
  void stop();

  boolean stopRequested();

  /** Waits until it ended; false when it has not after {@code timeout}. */
  boolean join(Duration timeout);
}
