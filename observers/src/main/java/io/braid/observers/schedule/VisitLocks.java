package io.braid.observers.schedule;

import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import java.util.List;

/** The advisory locks on rows that are visited, so that processes rarely meet (section 2.4). */
public final class VisitLocks {
  private final Seams seams;
  private final String owner;

  public VisitLocks(Seams seams) {
    this.seams = seams;
    this.owner = seams.liveness().token();
  }

  public boolean tryLock(Row row) {
    return seams.locks().tryLock(name(row), owner);
  }

  /** For each row whether it was locked. */
  public List<Boolean> tryLockAll(List<Row> rows) {
    return seams.locks().tryLockAll(names(rows), owner);
  }

  public void unlockAll(List<Row> rows) {
    seams.locks().unlockAll(names(rows), owner);
  }

  private static List<String> names(List<Row> rows) {
    return rows.stream().map(VisitLocks::name).toList();
  }

  public void unlock(Row row) {
    seams.locks().unlock(name(row), owner);
  }

  private static String name(Row row) {
    return "observe/" + row;
  }
}
