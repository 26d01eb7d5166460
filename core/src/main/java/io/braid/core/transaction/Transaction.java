package io.braid.core.transaction;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A transaction under snapshot isolation: reads see the snapshot of its start and its own writes;
 * writes become visible together at its commit, or never. Closing it uncommitted rolls it back.
 * {@link Transactions#run Transactions.run} is the usual way to run one.
 *
 * <pre>{@code
 * try (Transaction tx = db.begin()) {
 *   long has = tx.get(bob, usd).orElse(0L);
 *   tx.set(bob, usd, has - 3);
 *   tx.set(joe, usd, tx.get(joe, usd).orElse(0L) + 3);
 *   tx.commit();
 * }
 * }</pre>
 *
 * <p>In the process of the database several threads may read and write in a transaction at once;
 * one of them commits or ends it when the others are done. Only {@link #lastChanged lastChanged}
 * and {@link #changedSince changedSince} are for the thread that began it. Such a transaction has
 * to fit into memory. The transactions of a client of a server are for one thread.
 *
 * <p>Writes are checked for size and names at once and buffered until {@link #commit}; the tables
 * that a transaction writes are bound to one protocol. Where a transaction may outgrow the memory
 * ({@link Limits#streams}), a write may throw the exceptions of {@link #commit}; the transaction is
 * rolled back then. Each write throws
 *
 * <ul>
 *   <li>{@link IllegalArgumentException} for an empty key, a key, qualifier or value longer than
 *       {@link Limits} allows, a name of Braid's own, a table bound to another protocol than those
 *       written before, or a transaction above its limit: the transaction lacks this write, and
 *       keeps the others;
 *   <li>{@link io.braid.core.store.UnknownTableException} when there is no such table or family;
 *   <li>{@link ConflictException} when its table has been changed since the transaction began, for
 *       example by another protocol or a new index: run the transaction again;
 *   <li>{@link IllegalStateException} when the transaction has ended.
 * </ul>
 *
 * <p>Reads and writes throw {@link ErrorCode#TRANSACTION_EXPIRED} once it has lasted longer than
 * {@code transaction.max-age}: it is rolled back.
 */
@API(status = API.Status.STABLE)
public interface Transaction extends Snapshot {
  /**
   * Writes a value at the commit; later reads of this transaction see it. Where a unique index does
   * not allow it, {@code io.braid.indexes.DuplicateValueException} is thrown at once.
   *
   * @param value not null; {@link #delete delete} writes none
   */
  <T> void set(Row row, Column<T> column, T value);

  /** Deletes the value of a column at the commit; does no harm where there is none. */
  void delete(Row row, Column<?> column);

  /**
   * Writes nothing, but conflicts with every transaction that writes the column at the same time. A
   * lock turns a read into one that must still be true at the commit, which prevents write skew.
   */
  void lock(Row row, Column<?> column);

  /**
   * Notifies the weak observers of a column that is only ever notified, never written, if this
   * transaction commits; without any conflict (Percolator, section 2.4). They may run more than
   * once.
   *
   * @throws IllegalArgumentException also when this transaction has written the column
   * @throws UnsupportedOperationException in a client of a server
   */
  void notifyWeakly(Row row, Column<?> column);

  /**
   * Separates the writes so far from later ones, and reads at {@link
   * ReadLevel#SNAPSHOT_EXCLUDE_CURRENT} from now on (Omid, section 6.2, figure 8). Writes of others
   * are always read at the start timestamp, at every level.
   *
   * @return the number of the checkpoint, from 1
   * @throws IllegalStateException also when it has outgrown its memory ({@link Limits#streams})
   * @throws UnsupportedOperationException in a client of a server, as do the two methods that
   *     follow
   */
  default int checkpoint() {
    throw new UnsupportedOperationException("This transaction has no checkpoints.");
  }

  /** Reads at another level from now on; {@link ReadLevel#SNAPSHOT} shows all own writes again. */
  default void readLevel(ReadLevel level) {
    throw new UnsupportedOperationException("This transaction has no checkpoints.");
  }

  /**
   * Returns the successive values of a cell in this transaction, oldest first. They are the value
   * in its snapshot, then the last value written before each checkpoint that followed, then the
   * newest. Empty where there was none.
   */
  default <T> List<Optional<T>> versions(Row row, Column<T> column) {
    throw new UnsupportedOperationException("This transaction has no checkpoints.");
  }

  /** Whether anything was written. */
  boolean hasWrites();

  /**
   * Commits, waiting for the store. However it ends, the transaction has ended: begin another.
   *
   * @return the commit timestamp; the start timestamp when nothing was written, or only notified
   * @throws ConflictException when another transaction was first: this one is rolled back and may
   *     be run again from its beginning
   * @throws CommitOutcomeUnknownException when the answer was lost: it may have committed
   * @throws TransactionException {@code UNAVAILABLE} when the thread was interrupted during this
   *     call and before the commit point: rolled back. An interrupt from before the call does not
   *     stop it
   * @throws KeyHeldByGroupException when a key group owns a row; rolled back
   * @throws TransactionException {@code TRANSACTION_EXPIRED} when it has lasted longer than {@code
   *     transaction.max-age}; rolled back
   * @throws io.braid.core.store.TabletUnavailableException when it surely did not commit because
   *     the store cannot be reached: run it again later
   * @throws io.braid.core.time.TimestampUnavailableException when it surely did not commit because
   *     no timestamp could be had: run it again later
   * @throws io.braid.core.store.StoreException when it surely did not commit because the store
   *     takes no writes, as on a full disk
   * @throws IllegalStateException when it has ended already, or an index could not be written along
   */
  long commit();

  /**
   * Gives up all writes; does nothing after the end. Never throws because of the store: others then
   * remove the writes that a large transaction has left there.
   */
  void rollback();

  /**
   * Returns the identity of the transaction once any of its writes may be in the store, for {@link
   * Transactions#outcome Transactions.outcome}; empty before, and always in a client of a server.
   */
  Optional<TransactionId> id();

  /** Rolls back unless it has ended. */
  @Override
  void close();
}
