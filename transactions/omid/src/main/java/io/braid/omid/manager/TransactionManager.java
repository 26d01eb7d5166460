package io.braid.omid.manager;

/**
 * Begins transactions and finds conflicts (Omid, section 3.2, algorithm 2). Safe for many threads.
 *
 * <ul>
 *   <li>A start timestamp is above every commit timestamp that was granted before the start was
 *       requested.
 *   <li>Let two transactions write the same cell, and one begin before the commit timestamp of the
 *       other was granted. At most one of them is granted a commit.
 *   <li>Transactions that are older than the manager, or than the commits that it had to forget,
 *       are refused.
 *   <li>After {@link #fence fence} has returned, no transaction that began before the fence and
 *       writes the table is granted a commit. Commits that were granted before have timestamps
 *       below the fence.
 * </ul>
 */
public interface TransactionManager {

  /** A transaction or snapshot that has begun: its versions are kept until it is closed. */
  interface BegunTransaction extends AutoCloseable {
    /** The start timestamp. */
    long timestamp();

    /** Ends the transaction or snapshot. */
    @Override
    void close();
  }

  /** The answer to a request to commit. */
  enum Verdict {
    /**
     * The transaction may commit at {@link WriteSet#commit}, unless a reader has invalidated it.
     */
    GRANTED,
    /** Others committed some of its cells first: {@link WriteSet#newer WriteSet.newer}. */
    CONFLICT,
    /** The transaction began before the oldest commits that the manager still knows. */
    TOO_OLD,
    /** A table that the transaction writes was fenced after its begin. */
    FENCED
  }

  /** Begins a transaction now. */
  BegunTransaction begin();

  /** Enters a snapshot of the past, so that its versions are kept. */
  BegunTransaction enter(long timestamp);

  /**
   * Asks for a commit timestamp. All intents must be durable by then. Must not be called twice for
   * a transaction: its own first grant would be in its way, and refuse it.
   */
  Verdict commit(WriteSet writes);

  /**
   * Returns whether a grant means that the entry of the commit table is written, and a begin waits
   * for the entries of all earlier grants. Then a transaction without an entry is above every
   * snapshot that has begun. In Omid LL the clients write the entries.
   */
  default boolean writesEntries() {
    return false;
  }

  /**
   * Sets a fence (section 6.1).
   *
   * @param table as {@link CellHash#table CellHash.table} has it
   * @return its timestamp
   */
  long fence(long table);

  /**
   * Returns a timestamp at or below every one that is or will be read at here. Versions that no
   * snapshot at or above it sees may be collected.
   */
  long lowWatermark();
}
