package io.braid.core.transaction;

/** Which of its own writes a transaction reads (Omid, section 6.2). */
public enum ReadLevel {
  /** All of them, the newest of each cell. */
  SNAPSHOT,
  /**
   * Those of before the last {@link Transaction#checkpoint}: what is being written meanwhile does
   * not show. So a program can read a table and write into it what it found, without meeting it
   * again.
   */
  SNAPSHOT_EXCLUDE_CURRENT,
  /**
   * As {@link #SNAPSHOT}; {@link Transaction#versions Transaction.versions} tells, at this level
   * and at the others, what a cell was at each checkpoint.
   */
  SNAPSHOT_ALL
}
