package io.braid.groups;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import java.util.Optional;

/**
 * A transaction on the members of a group; serializable. Closing it uncommitted rolls it back. For
 * one thread at a time.
 *
 * <p>Every method throws IllegalArgumentException for a row that is no member, and {@link
 * GroupGoneException} when the group is gone. A read throws {@link
 * io.braid.core.transaction.ConflictException} when what was read before has changed meanwhile:
 * what it would see never was. What a transaction has read counts once it is committed, also when
 * it has written nothing: commits of others that it has seen are durable then.
 *
 * <p>Reads and writes throw {@link io.braid.core.store.UnknownTableException} for a family that the
 * table does not have, writes {@link IllegalArgumentException} for a value that is too large, and
 * all {@link IllegalStateException} after the end.
 */
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
   * Commits; durable when it returns. However it ends, the transaction has ended.
   *
   * @return the position of the group's history that the commit stands at
   * @throws io.braid.core.transaction.ConflictException when others changed what was read: run it
   *     again
   * @throws GroupOutcomeUnknownException when the log could not be written: it may be in it
   */
  long commit();

  /** Gives up all writes. */
  void rollback();

  /** Whether it was neither committed nor rolled back. */
  boolean isActive();

  /** Whether it ended because of what others committed. */
  boolean hasConflicted();

  @Override
  void close();
}
