package io.braid.core.transaction;

import org.apiguardian.api.API;

/**
 * The options of a {@link FastSession}.
 *
 * @param orRegular whether a regular transaction does a write that the fast path refuses because a
 *     transaction is writing there or the column is observed
 * @param after all versions written are above this: the {@link FastSession#last} of a session
 *     before it, not negative; 0 for none
 */
@API(status = API.Status.STABLE)
public record FastOptions(boolean orRegular, long after) {
  /** No regular transactions, and no session before it. */
  public static final FastOptions DEFAULT = new FastOptions(false, 0);

  public FastOptions {
    if (after < 0) {
      throw new IllegalArgumentException("No version is below 0: " + after + ".");
    }
  }

  /** Returns these options with or without regular transactions. */
  public FastOptions orRegular(boolean value) {
    return new FastOptions(value, after);
  }

  /** Returns these options with versions above another one. */
  public FastOptions after(long version) {
    return new FastOptions(orRegular, version);
  }
}
