package io.braid.omid.manager;

/**
 * Begins transactions and finds conflicts (Omid, section 3.2, algorithm 2). Safe for many threads.
 *
 * <ul>
 *   <li>A start timestamp is above every commit timestamp that was granted before it was asked for.
 *   <li>Of two transactions that write the same cell, one beginning before the other's commit
 *       timestamp was granted, at most one is granted a commit.
 *   <li>What is not known is refused: transactions that are older than the manager, or than what it
 *       had to forget.
 *   <li>After {@link #fence fence} has returned, no transaction that began before the fence and
 *       writes the table is granted a commit; what was granted before has a timestamp below the
 *       fence.
 * </ul>
 */
public interface TransactionManager {

  /** A transaction or snapshot that has begun: its versions are kept until it is closed. */
  interface Begun extends AutoCloseable {
    /** The start timestamp. */
    long timestamp();

    /** It has ended. */
    @Override
    void close();
  }

  /** What became of a request to commit. */
  enum Verdict {
    /** It may commit at {@link WriteSet#commit}, unless a reader has invalidated it. */
    GRANTED,
    /** Others committed cells of it first: {@link WriteSet#newer WriteSet.newer}. */
    CONFLICT,
    /** It began before what the manager still knows. */
    TOO_OLD,
    /** A table that it writes was fenced after it began. */
    FENCED
  }

  /** Begins a transaction now. */
  Begun begin();

  /** Enters a snapshot of the past, so that its versions are kept. */
  Begun enter(long timestamp);

  /**
   * Asks for a commit timestamp. All intents must be durable by then. Not to be asked again for the
   * same transaction: its own first grant would be in its way, and refuse it.
   */
  Verdict commit(WriteSet writes);

  /**
   * Sets a fence (section 6.1).
   *
   * @param table as {@link CellHash#table CellHash.table} has it
   * @return its timestamp
   */
  long fence(long table);

  /**
   * A timestamp at or below every one that is being read at here, or will be: versions that no
   * snapshot from there on sees may be collected.
   */
  long lowWatermark();
}
