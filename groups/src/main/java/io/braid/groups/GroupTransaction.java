package io.braid.groups;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A transaction on the members of a group; serializable. Closing an uncommitted transaction rolls
 * it back. For one thread at a time.
 *
 * <p>Every method throws IllegalArgumentException for a row that is no member, and {@link
 * GroupGoneException} when the group is gone. A read throws {@link
 * io.braid.core.transaction.ConflictException} when a value read before has changed meanwhile: the
 * transaction would see a state that never existed. The values that a transaction has read are
 * reliable once it is committed, even if it has written nothing: the commits that it has seen are
 * durable then.
 *
 * <p>Reads and writes throw {@link io.braid.core.store.UnknownTableException} for a family that the
 * table does not have. Writes throw {@link IllegalArgumentException} for a value that is too large.
 * All methods throw {@link IllegalStateException} after the end.
 */
@API(status = API.Status.STABLE)
public interface GroupTransaction extends AutoCloseable {
  /** The value of a column of a member, with what this has written; empty when it has none. */
  <T> Optional<T> get(Row row, Column<T> column);

  /** All columns of some families of a member. */
  RowValues getRow(Row row, String... families);

  /** Writes a value of a member at the commit; not null. */
  <T> void set(Row row, Column<T> column, T value);

  /** Deletes a value of a member at the commit. */
  void delete(Row row, Column<?> column);

  /**
   * Commits; the commit is durable on return. The transaction ends in any case, even after an
   * exception.
   *
   * @return the position of the commit in the group's history
   * @throws io.braid.core.transaction.ConflictException when others changed values that were read:
   *     run the transaction again
   * @throws GroupOutcomeUnknownException when the log could not be written: the commit may be in it
   */
  long commit();

  /** Gives up all writes. */
  void rollback();

  /** Whether it was neither committed nor rolled back. */
  boolean isActive();

  /** Returns whether it ended because of commits of others. */
  boolean hasConflicted();

  @Override
  void close();
}
