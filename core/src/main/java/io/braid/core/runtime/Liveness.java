package io.braid.core.runtime;

import org.apiguardian.api.API;

/**
 * Tells whether a process is alive (Percolator, section 2.2: workers hold a token in the lock
 * service, which vanishes when they exit).
 */
@API(status = API.Status.EXPERIMENTAL)
public interface Liveness {
  /** The token of this process; the same for its whole life, never used by another. */
  String token();

  /** Whether the process that holds the token may be alive. Wrong only towards yes. */
  boolean isAlive(String token);
}
