package io.braid.core.transaction;

import io.braid.core.cells.HoldPass;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Begins transactions and snapshots, keeps snapshots by name, and answers the outcome of a
 * transaction. {@code Braid.transactions()} returns it. Safe for many threads.
 *
 * <p>Methods that begin something throw {@link io.braid.core.time.TimestampUnavailableException}
 * when no timestamp is available (try again), and {@link IllegalStateException} when the database
 * is closed.
 */
@API(status = API.Status.STABLE)
public interface Transactions extends AutoCloseable {
  /**
   * Begins a transaction, which the caller commits and closes; {@link #run run} is more convenient.
   */
  Transaction begin();

  /**
   * Begins a transaction on behalf of a key group. It may write the rows that the group holds, and
   * no others. Its commit throws {@link HoldLostException} when the group no longer holds them.
   *
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
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
   * Reads ahead for several transactions, in fewer trips to the store than one after another; waits
   * for no other transaction. A hint: a value that could not be read ahead is read on request. To
   * be called by the thread that uses the transactions.
   *
   * @return the reads that could not be done now: a later request for them may have to wait
   */
  default List<ReadAhead> readAhead(List<ReadAhead> reads) {
    return List.of();
  }

  /**
   * A read that is about to come.
   *
   * @param tx was begun here
   * @param version the request will be for a change above it only, as by {@link
   *     Snapshot#changedSince Snapshot.changedSince}; 0 for any
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
   * Returns a snapshot that may lie a little in the past. It takes no call of the oracle if this
   * process got a timestamp recently. {@link Staleness} describes what it sees. Snapshots that are
   * taken one after another never go back.
   */
  default Snapshot snapshot(Staleness staleness) {
    return snapshot();
  }

  /**
   * A snapshot of the past.
   *
   * @throws TransactionException {@code SNAPSHOT_TOO_OLD} when its versions may have been collected
   * @throws IllegalArgumentException when the oracle has not given out the timestamp yet
   */
  Snapshot snapshotAt(long timestamp);

  /**
   * A snapshot of a wall-clock time, as the oracle's clock tells it.
   *
   * @throws TransactionException {@code SNAPSHOT_TOO_OLD} when its versions may have been collected
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
   * @return the result of the body in the run that committed
   * @throws ConflictException when it still conflicts after the last attempt, or the thread is
   *     interrupted between two
   * @throws E the exceptions of the body; the transaction is rolled back. All other exceptions of
   *     {@link Transaction#commit} are rethrown too, including the unknown outcome
   */
  <R extends @Nullable Object, E extends Exception> R run(TransactionBody<R, E> body) throws E;

  /**
   * Commits independent transactions that were begun here, in fewer trips to the store than one
   * after another. Each commits or fails by itself, in any order: where two write the same cell, at
   * most one commits.
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

  /** The same as {@link #fast(FastOptions)}, with the default options. */
  default FastSession fast() {
    return fast(FastOptions.DEFAULT);
  }

  /**
   * Returns the outcome of a transaction, for example after a {@link
   * CommitOutcomeUnknownException}. Rolls back an undecided transaction whose owner is dead.
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
   * @param timestamp as {@link Snapshot#timestamp} returns it
   * @throws TransactionException {@code PIN_EXISTS} when there is a pin of this name at another
   *     timestamp
   * @throws IllegalArgumentException when the name is not valid, or the oracle has not given out
   *     the timestamp yet
   * @throws TransactionException {@code SNAPSHOT_TOO_OLD} when its versions may have been
   *     collected; there is no pin then
   * @throws io.braid.core.store.TabletUnavailableException when the outcome is unknown: pin it
   *     again
   */
  Pin pin(String name, long timestamp);

  /**
   * Removes a pin; false when there is none.
   *
   * @throws io.braid.core.store.TabletUnavailableException when the pin may still exist: call again
   */
  boolean unpin(String name);

  /** All pins, in the order of their names. */
  List<Pin> pins();

  /** A named snapshot that is kept: {@link #snapshotAt(long)} reads it. */
  record Pin(String name, long timestamp) {}

  /**
   * Sets which columns are observed, and the sink of their changes.
   *
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  void observedBy(ChangeSink sink);

  /** Ends the work in the background; nothing can be begun afterwards. */
  @Override
  void close();
}
