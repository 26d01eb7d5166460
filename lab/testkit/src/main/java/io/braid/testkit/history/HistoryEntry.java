package io.braid.testkit.history;

import io.braid.core.transaction.TransactionException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One transaction as its client saw it.
 *
 * @param process the process that ran it; a process runs one transaction at a time, and none after
 *     an INFO
 * @param start nanoseconds of the history's clock, before the transaction was begun
 * @param end nanoseconds of the history's clock, after it was answered; for INFO when its client
 *     gave up, which bounds nothing
 * @param ops its operations, in order; reads that an INFO only meant to make are left out
 * @param snapshot the timestamp it read at; {@link #NONE} when not known
 * @param commit its commit timestamp; {@link #NONE} when not known
 * @param error why it is FAIL or INFO
 * @param relaxed whether it may take effect in the past: a transaction of Omid's fast path
 */
public record HistoryEntry(
    long process,
    Type type,
    long start,
    long end,
    List<Op> ops,
    long snapshot,
    long commit,
    @Nullable String error,
    boolean relaxed) {

  /** No timestamp is known. */
  public static final long NONE = -1;

  /** How the transaction ended. */
  public enum Type {
    /** Committed. */
    OK,
    /** Surely had no effect. */
    FAIL,
    /** May have committed, or may yet. */
    INFO
  }

  public HistoryEntry {
    ops = List.copyOf(ops);
    if (start > end) {
      throw new IllegalArgumentException(
          "A transaction cannot start at " + start + " and end before, at " + end + ".");
    }
  }

  /** One that is not relaxed. */
  public HistoryEntry(
      long process,
      Type type,
      long start,
      long end,
      List<Op> ops,
      long snapshot,
      long commit,
      @Nullable String error) {
    this(process, type, start, end, ops, snapshot, commit, error, false);
  }

  public static HistoryEntry ok(long process, long start, long end, List<Op> ops) {
    return new HistoryEntry(process, Type.OK, start, end, ops, NONE, NONE, null);
  }

  public static HistoryEntry fail(
      long process, long start, long end, List<Op> ops, @Nullable String error) {
    return new HistoryEntry(process, Type.FAIL, start, end, ops, NONE, NONE, error);
  }

  public static HistoryEntry info(
      long process, long start, long end, List<Op> ops, @Nullable String error) {
    return new HistoryEntry(process, Type.INFO, start, end, ops, NONE, NONE, error);
  }

  /** Returns why a transaction failed: the class of an exception, or the code of a general one. */
  public static String errorOf(RuntimeException failure) {
    return failure.getClass() == TransactionException.class
        ? ((TransactionException) failure).code().name()
        : failure.getClass().getSimpleName();
  }

  /** The same with the timestamps that the database told. */
  public HistoryEntry at(long snapshotTimestamp, long commitTimestamp) {
    return new HistoryEntry(
        process, type, start, end, ops, snapshotTimestamp, commitTimestamp, error, relaxed);
  }

  /** The same as a transaction that may take effect in the past. */
  public HistoryEntry asRelaxed() {
    return new HistoryEntry(process, type, start, end, ops, snapshot, commit, error, true);
  }
}
