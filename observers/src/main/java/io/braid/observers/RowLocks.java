package io.braid.observers;

import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;

/** The advisory locks on rows that are visited, so that processes rarely meet (section 2.4). */
final class RowLocks {
  private final Seams seams;
  private final String owner;

  RowLocks(Seams seams) {
    this.seams = seams;
    this.owner = seams.liveness().token();
  }

  boolean tryLock(Row row) {
    return seams.locks().tryLock(name(row), owner);
  }

  void unlock(Row row) {
    seams.locks().unlock(name(row), owner);
  }

  private static String name(Row row) {
    return "observe/" + row;
  }
}
