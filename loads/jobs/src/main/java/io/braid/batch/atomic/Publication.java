package io.braid.batch.atomic;

/**
 * How a load that becomes visible as a whole begins and ends. Every step may be repeated, by any
 * process, after any crash.
 */
public interface Publication {
  /** Before anything is written. */
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
   * What is left to do after either, and is nobody's condition for seeing it.
   *
   * @return how many rows were settled
   */
  long settle();
}
