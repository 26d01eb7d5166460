package io.braid.core.runtime;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A lightweight lock service (Percolator, section 2.4). Advisory: it keeps workers from doing the
 * same work twice, correctness never depends on it, and it persists nothing.
 */
@API(status = API.Status.EXPERIMENTAL)
public interface AdvisoryLocks {
  /**
   * Takes the lock if it is free; never waits. Locks of a dead process become free by themselves.
   */
  boolean tryLock(String name, String owner);

  /**
   * Takes those of several locks that are free, in fewer messages than one after another.
   *
   * @return for each name whether its lock was taken
   */
  default List<Boolean> tryLockAll(List<String> names, String owner) {
    List<Boolean> taken = new ArrayList<>(names.size());
    names.forEach(name -> taken.add(tryLock(name, owner)));
    return taken;
  }

  /** Gives the lock back; does nothing when another owner holds it. */
  void unlock(String name, String owner);

  /** Gives several back, in fewer messages than one after another. */
  default void unlockAll(List<String> names, String owner) {
    names.forEach(name -> unlock(name, owner));
  }
}
