package io.braid.core.transaction;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Transactions of one operation on one row, each in one trip, without begin and commit (Omid,
 * section 4.1). Safe for many threads.
 *
 * <p>What is relaxed (section 2.2): a read may miss a commit of another process that has not yet
 * been brought to the row; those of its own process it sees. All else is in order: writes are found
 * by every snapshot taken later, conflicts with regular transactions are found where the row lives,
 * and what a session writes later, on whatever server, has a higher version.
 */
public interface FastSession {

  /**
   * What was read and up to which version.
   *
   * @param version 0 when nothing was ever written there
   */
  record Versioned<V>(long version, V value) {}

  /**
   * Names a write, so that it can be repeated after its outcome was unknown: a repetition answers
   * what the first one did.
   *
   * @param id at random, never a timestamp of the oracle
   * @param after the version will be above this
   */
  record Request(long id, long after) {}

  /** The newest committed value (the paper's {@code brc}). */
  default <T> Optional<T> read(Row row, Column<T> column) {
    return read(row, List.of(column)).get(column);
  }

  /** The newest committed values of some columns, as they stood together. */
  default RowValues read(Row row, Collection<? extends Column<?>> columns) {
    return readVersion(row, columns).value();
  }

  /** The newest committed value and its version, for {@link #writeIf} ({@code br}). */
  default <T> Versioned<Optional<T>> readVersion(Row row, Column<T> column) {
    Versioned<RowValues> read = readVersion(row, List.of(column));
    return new Versioned<>(read.version(), read.value().get(column));
  }

  /** The newest committed values of some columns, and a version that none of them is above. */
  Versioned<RowValues> readVersion(Row row, Collection<? extends Column<?>> columns);

  /** Writes a value, whatever stands there ({@code bwc}); its version. */
  default <T> long write(Row row, Column<T> column, T value) {
    return write(RowChange.of(row).set(column, value));
  }

  /**
   * Writes columns of a row, whatever stands there.
   *
   * @return their version
   * @throws ConflictException when a regular transaction is writing one of them, and the session is
   *     not {@link FastOptions#orRegular}: try again, or write in a regular transaction
   * @throws CommitOutcomeUnknownException when the answer was lost
   */
  long write(RowChange change);

  /** Writes a value if the column was not written since it had this version ({@code wc}). */
  default <T> long writeIf(long version, Row row, Column<T> column, T value) {
    return writeIf(version, RowChange.of(row).set(column, value));
  }

  /**
   * Writes columns of a row if none of them was written since {@link #readVersion} told this
   * version.
   *
   * @throws ConflictException when one was
   * @throws IllegalArgumentException when the version is negative
   */
  long writeIf(long version, RowChange change);

  /** A name for a write that may have to be repeated. */
  Request request();

  /**
   * As {@link #write(RowChange)}, under a name: the same again, by this or another session or
   * process, is written once. Never becomes a regular transaction. What was refused with a conflict
   * stays refused under its name: try again with another.
   */
  long write(Request request, RowChange change);

  /**
   * The version below which no later write of this session will be: to be handed to a session
   * elsewhere ({@link FastOptions#after}), so that no snapshot shows its writes without those of
   * this one.
   */
  long last();
}
