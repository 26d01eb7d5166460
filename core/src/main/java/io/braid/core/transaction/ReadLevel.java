package io.braid.core.transaction;

import org.apiguardian.api.API;

/** The choice of a transaction's own writes that its reads show (Omid, section 6.2). */
@API(status = API.Status.STABLE)
public enum ReadLevel {
  /** All of them, the newest of each cell. */
  SNAPSHOT,
  /**
   * Writes of before the last {@link Transaction#checkpoint}: later writes do not show. So a
   * program can read a table and write its findings into the same table, without meeting them
   * again.
   */
  SNAPSHOT_EXCLUDE_CURRENT,
  /**
   * The same as {@link #SNAPSHOT}. At this and the other levels, {@link Transaction#versions
   * Transaction.versions} returns the value of a cell at each checkpoint.
   */
  SNAPSHOT_ALL
}
