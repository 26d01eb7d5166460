package io.braid.batch.atomic;

/**
 * The beginning and the end of a load that becomes visible as a whole. Every step may be repeated,
 * by any process, after any crash.
 */
public interface Publication {
  /** To be called before the load writes. */
  void begin();

  /**
   * Commits, unless it has been.
   *
   * @return the commit timestamp
   * @throws io.braid.batch.JobException when it cannot be committed now, or ever; the text says
   *     which
   */
  long commit();

  /**
   * Gives the load up: from now on it will never be seen.
   *
   * @return false when it has committed
   */
  boolean abort();

  /**
   * Does the remaining work after a commit or an abort. Whether readers see the load does not
   * depend on this work.
   *
   * @return how many rows were settled
   */
  long settle();
}
