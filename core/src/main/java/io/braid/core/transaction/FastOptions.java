package io.braid.core.transaction;

/**
 * How a {@link FastSession} behaves.
 *
 * @param orRegular whether a write that the fast path cannot do is done by a regular transaction
 * @param after all versions written are above this: what a session before it has written
 */
public record FastOptions(boolean orRegular, long after) {
  public static final FastOptions DEFAULT = new FastOptions(false, 0);

  public FastOptions {
    if (after < 0) {
      throw new IllegalArgumentException("No version is below 0: " + after + ".");
    }
  }

  public FastOptions orRegular(boolean value) {
    return new FastOptions(value, after);
  }

  public FastOptions after(long version) {
    return new FastOptions(orRegular, version);
  }
}
