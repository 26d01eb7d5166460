package io.braid.core.transaction;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import java.util.List;
import java.util.Optional;

/**
 * A transaction under snapshot isolation: reads see the snapshot of its start and its own writes;
 * writes become visible together at its commit, or never. Closing it uncommitted rolls it back.
 * Several threads may read and write in it at once; one commits or ends it when the others are
 * done.
 *
 * <p>Writes are checked for size and names at once ({@link IllegalArgumentException}) and buffered
 * until {@link #commit}. Where a transaction may outgrow the memory ({@link Limits#streams}), a
 * write may throw what {@link #commit} throws; the transaction is rolled back then.
 */
public interface Transaction extends Snapshot {
  /**
   * Writes a value at the commit; later reads of this transaction see it.
   *
   * @throws IllegalArgumentException when the key, the qualifier or the value is longer than {@link
   *     Limits} allows, or the transaction writes more than it may
   * @throws IllegalStateException when the transaction has ended
   */
  <T> void set(Row row, Column<T> column, T value);

  /** Deletes the value of a column at the commit; does no harm where there is none. */
  void delete(Row row, Column<?> column);

  /**
   * Writes nothing, but conflicts with everybody who writes the column at the same time. It turns a
   * read into one that must still be true at the commit, which prevents write skew.
   */
  void lock(Row row, Column<?> column);

  /**
   * Notifies the weak observers of a column that is only ever notified, never written, if this
   * transaction commits; without any conflict (Percolator, section 2.4). They may run more than
   * once.
   */
  void notifyWeakly(Row row, Column<?> column);

  /**
   * Separates what was written so far from what will be, and reads at {@link
   * ReadLevel#SNAPSHOT_EXCLUDE_CURRENT} from now on (Omid, section 6.2, figure 8). Others are
   * always read at the start timestamp, whatever the level.
   *
   * @return the number of the checkpoint, from 1
   */
  default int checkpoint() {
    throw new UnsupportedOperationException("This transaction has no checkpoints.");
  }

  /** Reads at another level from now on; {@link ReadLevel#SNAPSHOT} shows all own writes again. */
  default void readLevel(ReadLevel level) {
    throw new UnsupportedOperationException("This transaction has no checkpoints.");
  }

  /**
   * What a cell has been in the course of this transaction, oldest first: what its snapshot shows,
   * then the last value written before each checkpoint that followed, then the newest. Empty where
   * there was none.
   */
  default <T> List<Optional<T>> versions(Row row, Column<T> column) {
    throw new UnsupportedOperationException("This transaction has no checkpoints.");
  }

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
