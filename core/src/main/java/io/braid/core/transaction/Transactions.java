package io.braid.core.transaction;

import io.braid.core.cells.HoldPass;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Begins transactions and snapshots, keeps snapshots by name, and tells what became of a
 * transaction. {@code Braid.transactions()} gives it. Safe for many threads.
 *
 * <p>What begins something throws {@link io.braid.core.time.TimestampUnavailableException} when no
 * timestamp can be had (try again), and {@link IllegalStateException} when the database is closed.
 */
public interface Transactions extends AutoCloseable {
  /**
   * Begins a transaction, which the caller commits and closes; {@link #run run} is more convenient.
   */
  Transaction begin();

  /**
   * A transaction on behalf of a key group, which may write the rows that the group holds, and no
   * others. Its commit throws {@link HoldLostException} when the group holds them no more.
   */
  Transaction begin(HoldPass pass);

  /**
   * Begins several transactions, in fewer requests to the oracle than one after another. Each sees
   * everything that was committed before the call.
   */
  default List<Transaction> beginAll(int count) {
    List<Transaction> all = new ArrayList<>(count);
    try {
      while (all.size() < count) {
        all.add(begin());
      }
      return all;
    } catch (RuntimeException e) {
      all.forEach(Transaction::close);
      throw e;
    }
  }

  /**
   * Reads for several transactions what they are about to be asked for, in fewer trips to the store
   * than one after another; waits for no other transaction. A hint: what could not be read is read
   * when it is asked for. To be called by the thread that uses the transactions.
   *
   * @return those that could not be read now: who asks for them may have to wait
   */
  default List<ReadAhead> readAhead(List<ReadAhead> reads) {
    return List.of();
  }

  /**
   * A read that is about to come.
   *
   * @param tx was begun here
   * @param version only a change above it will be asked for, as by {@link Snapshot#changedSince
   *     Snapshot.changedSince}; 0 for any
   */
  record ReadAhead(Transaction tx, Row row, Column<?> column, long version) {
    /** The same by a part of the transaction. */
    public ReadAhead by(Transaction part) {
      return new ReadAhead(part, row, column, version);
    }
  }

  /** A snapshot of now: sees everything that was committed before the call. */
  Snapshot snapshot();

  /**
   * A snapshot that may lie a little in the past, so that it takes no call of the oracle if this
   * process got a timestamp lately. What it sees is told at {@link Staleness}. Those that are taken
   * one after another never go back.
   */
  default Snapshot snapshot(Staleness staleness) {
    return snapshot();
  }

  /**
   * A snapshot of the past.
   *
   * @throws SnapshotTooOldException when its versions may have been collected
   * @throws IllegalArgumentException when the oracle has not given out the timestamp yet
   */
  Snapshot snapshotAt(long timestamp);

  /**
   * A snapshot of a wall-clock time, as the oracle's clock tells it.
   *
   * @throws SnapshotTooOldException when its versions may have been collected
   * @throws IllegalArgumentException when the time is yet to come, or before 2020
   */
  Snapshot snapshotAt(Instant time);

  /**
   * Runs a body in a transaction and commits it unless the body did. Runs it again, with growing
   * pauses and a bounded number of times, when the transaction conflicts or meets a table that was
   * created since it began ({@link io.braid.core.store.TableReplacedException}), and for no other
   * reason. Of a {@code Braid}: 50 times, with pauses from 2 ms to 200 ms.
   *
   * <pre>{@code
   * long n = db.run(tx -> {
   *   long next = tx.get(row, count).orElse(0L) + 1;
   *   tx.set(row, count, next);
   *   return next;
   * });
   * }</pre>
   *
   * @return what the body gave back when it was committed
   * @throws ConflictException when it still conflicts after the last attempt, or the thread is
   *     interrupted between two
   * @throws E what the body throws; the transaction is rolled back. Everything else that {@link
   *     Transaction#commit} throws comes through too, the unknown outcome among it
   */
  <R extends @Nullable Object, E extends Exception> R run(TransactionBody<R, E> body) throws E;

  /**
   * Commits transactions that were begun here and know nothing of each other, in fewer trips to the
   * store than one after another. Each commits or fails by itself, in any order: where two write
   * the same cell, at most one commits.
   *
   * @return how each ended, in the order of the transactions
   */
  default List<CommitResult> commitAll(List<? extends Transaction> all) {
    List<CommitResult> results = new ArrayList<>(all.size());
    all.forEach(tx -> results.add(CommitResult.of(tx::commit)));
    return results;
  }

  /**
   * A session of transactions of one operation on one row.
   *
   * @throws IllegalArgumentException when the oracle has not given out {@link FastOptions#after}
   * @throws UnsupportedOperationException where there is no fast path
   */
  default FastSession fast(FastOptions options) {
    throw new UnsupportedOperationException("There is no fast path here: open the whole database.");
  }

  /** As {@link #fast(FastOptions)}, by default. */
  default FastSession fast() {
    return fast(FastOptions.DEFAULT);
  }

  /**
   * What became of a transaction, as after a {@link CommitOutcomeUnknownException}. An undecided
   * one whose owner is dead is rolled back by the asking.
   *
   * <pre>{@code
   * try {
   *   tx.commit();
   * } catch (CommitOutcomeUnknownException e) {
   *   if (transactions.outcome(e.id()) instanceof TransactionOutcome.RolledBack) {
   *     // safe to run again
   *   }
   * }
   * }</pre>
   *
   * @throws io.braid.core.store.TabletUnavailableException when the store cannot be asked now: ask
   *     again
   */
  TransactionOutcome outcome(TransactionId id);

  /**
   * Keeps the versions that a snapshot at {@code timestamp} reads until {@link #unpin unpin}, over
   * restarts and for all processes. May be repeated.
   *
   * @param name chosen by the caller: 1 to 256 characters
   * @param timestamp as {@link Snapshot#timestamp} tells it
   * @throws PinExistsException when there is a pin of this name at another timestamp
   * @throws IllegalArgumentException when the name is none, or the oracle has not given out the
   *     timestamp yet
   * @throws SnapshotTooOldException when its versions may have been collected; there is no pin then
   * @throws io.braid.core.store.TabletUnavailableException when it may be pinned or not: pin it
   *     again
   */
  Pin pin(String name, long timestamp);

  /**
   * Removes a pin; false when there is none.
   *
   * @throws io.braid.core.store.TabletUnavailableException when it may be there still: call again
   */
  boolean unpin(String name);

  /** All pins, in the order of their names. */
  List<Pin> pins();

  /** A named snapshot that is kept: {@link #snapshotAt(long)} reads it. */
  record Pin(String name, long timestamp) {}

  /** Tells the transactions which columns are observed, and whom to tell of changes. */
  void observedBy(ChangeSink sink);

  /** Ends what goes on in the background; nothing can be begun afterwards. */
  @Override
  void close();
}
