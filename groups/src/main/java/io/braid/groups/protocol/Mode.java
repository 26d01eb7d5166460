package io.braid.groups.protocol;

import org.apiguardian.api.API;

/** The result of a creation when some keys cannot join (section 4). */
@API(status = API.Status.STABLE)
public enum Mode {
  /** All keys join, or none. */
  ATOMIC,
  /** The group is formed of those that join; the leader key must. */
  BEST_EFFORT
}
