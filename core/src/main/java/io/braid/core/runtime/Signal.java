package io.braid.core.runtime;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * An event that remembers one raise: a raise before the wait ends the wait at once, and each ended
 * wait uses the raise up. With several waiters one of them goes on.
 */
@API(status = API.Status.EXPERIMENTAL)
public interface Signal {
  void raise();

  /** Waits for a raise; false when none came in time or the task is to stop. */
  boolean await(Duration timeout);
}
