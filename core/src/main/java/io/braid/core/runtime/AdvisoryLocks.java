package io.braid.core.runtime;

/**
 * A lightweight lock service (Percolator, section 2.4). Advisory: it keeps workers from doing the
 * same work twice, correctness never depends on it, and it persists nothing.
 */
public interface AdvisoryLocks {
  /**
   * Takes the lock if it is free; never waits. Locks of a dead process become free by themselves.
   */
  boolean tryLock(String name, String owner);

  /** Gives the lock back; does nothing when somebody else holds it. */
  void unlock(String name, String owner);
}
