package io.braid.core.transaction;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import java.util.Optional;

/**
 * A transaction under snapshot isolation: reads see the snapshot of its start and its own writes;
 * writes become visible together at its commit, or never. Closing it uncommitted rolls it back. For
 * one thread at a time.
 *
 * <p>Writes are checked for size and names at once ({@link IllegalArgumentException}) and buffered
 * until {@link #commit}. Where a transaction may outgrow the memory ({@link Limits#streams}), a
 * write may throw what {@link #commit} throws; the transaction is rolled back then.
 */
public interface Transaction extends Snapshot {
  <T> void set(Row row, Column<T> column, T value);

  void delete(Row row, Column<?> column);

  /**
   * Writes nothing but conflicts with everybody who writes the column: turns a read into one that
   * must still be true at the commit.
   */
  void lock(Row row, Column<?> column);

  /**
   * Notifies the weak observers of a column that is only ever notified, never written, if this
   * transaction commits; without any conflict (Percolator, section 2.4). They may run more than
   * once.
   */
  void notifyWeakly(Row row, Column<?> column);

  /** Whether anything was written. */
  boolean hasWrites();

  /**
   * Commits.
   *
   * @return the commit timestamp; the start timestamp when nothing was written
   * @throws ConflictException when another transaction was first: this one is rolled back and may
   *     be run again from its beginning
   * @throws CommitOutcomeUnknownException when the answer was lost: it may have committed
   * @throws TransactionInterruptedException when the thread was interrupted before the commit
   *     point: rolled back
   * @throws KeyHeldByGroupException when a key group owns a row; rolled back
   * @throws io.braid.core.store.TabletUnavailableException when it surely did not commit because
   *     the store cannot be reached
   */
  long commit();

  /** Gives up all writes; does nothing after the end. */
  void rollback();

  /** Its identity once any of its writes may stand in the store; empty before. */
  Optional<TransactionId> id();

  /** Rolls back unless it has ended. */
  @Override
  void close();
}
