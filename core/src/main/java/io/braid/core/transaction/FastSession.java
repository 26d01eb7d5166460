package io.braid.core.transaction;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.time.Timestamp;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Transactions of one operation on one row, each in one round trip, without begin and commit (Omid,
 * section 4.1). For counters, caches and others that write single rows often. Safe for many
 * threads; needs no closing.
 *
 * <pre>{@code
 * FastSession fast = db.fast();
 * FastSession.Versioned<Optional<Long>> read = fast.readVersion(row, hits);
 * fast.writeIf(read.version(), row, hits, read.value().orElse(0L) + 1);
 * }</pre>
 *
 * <p>One guarantee is relaxed (section 2.2): a read may miss a commit of another process that has
 * not yet been brought to the row. A read sees all commits of its own process. The other guarantees
 * hold. Every later snapshot sees the writes. The server of the row finds conflicts with regular
 * transactions. A later write of a session, on any server, has a higher version.
 *
 * <p>Every read throws {@link io.braid.core.store.TabletUnavailableException} when the store does
 * not answer, and {@link IllegalArgumentException} for bytes that the codec cannot decode. Every
 * write throws, besides the exceptions documented at each method:
 *
 * <ul>
 *   <li>{@link CommitOutcomeUnknownException} when the answer was lost: the write may have
 *       happened. Repeat a write under a {@link #request}; for any other write ask {@link
 *       Transactions#outcome Transactions.outcome}.
 *   <li>{@link io.braid.core.store.TabletUnavailableException} when the store did not take the
 *       write.
 *   <li>{@link KeyHeldByGroupException} when a key group owns the row.
 *   <li>{@link TransactionException} {@code TRANSACTION_EXPIRED} when its request is older than the
 *       store still accepts: make a new one.
 *   <li>{@link IllegalArgumentException} for names and sizes that {@link Transaction#set
 *       Transaction.set} refuses too, for a change of nothing, and where a column is observed and
 *       the session is not {@link FastOptions#orRegular FastOptions.orRegular}.
 * </ul>
 *
 * <p>Tables with indexes are written by regular transactions, whatever the options.
 */
@API(status = API.Status.STABLE)
public interface FastSession {

  /**
   * A value that was read, and the version up to which it is current.
   *
   * @param version no version that was read is above this one; 0 when nothing was ever written
   *     there, unless a snapshot had to be read: then the timestamp of the snapshot
   */
  record Versioned<V>(long version, V value) {}

  /**
   * Names a write, so that it can be repeated after an unknown outcome: a repetition gives the
   * answer of the first call.
   *
   * @param id at random, below 2<sup>56</sup> and with local bits, so that it is no timestamp of
   *     the oracle
   * @param after the version will be above this
   */
  record Request(long id, long after) {
    private static final int BITS = 56;

    public Request {
      if (id <= 0 || id >>> BITS != 0 || Timestamp.local(id) == 0) {
        throw new IllegalArgumentException(
            "No write has the name " + id + ": take one that request() has made.");
      }
    }
  }

  /** The newest committed value (the paper's {@code brc}). */
  default <T> Optional<T> read(Row row, Column<T> column) {
    return read(row, List.of(column)).get(column);
  }

  /** Returns the newest committed values of some columns, all as of one instant. */
  default RowValues read(Row row, Collection<? extends Column<?>> columns) {
    return readVersion(row, columns).value();
  }

  /** The newest committed value and its version, for {@link #writeIf writeIf} ({@code br}). */
  default <T> Versioned<Optional<T>> readVersion(Row row, Column<T> column) {
    Versioned<RowValues> read = readVersion(row, List.of(column));
    return new Versioned<>(read.version(), read.value().get(column));
  }

  /** The newest committed values of some columns, and a version that none of them is above. */
  Versioned<RowValues> readVersion(Row row, Collection<? extends Column<?>> columns);

  /** Writes a value, whatever the column contains ({@code bwc}); see {@link #write(RowChange)}. */
  default <T> long write(Row row, Column<T> column, T value) {
    return write(RowChange.of(row).set(column, value));
  }

  /**
   * Writes columns of a row, whatever they contain.
   *
   * @return their version
   * @throws ConflictException when a regular transaction is writing one of them, and the session is
   *     not {@link FastOptions#orRegular FastOptions.orRegular}: try again, or write in a regular
   *     transaction
   */
  long write(RowChange change);

  /** Writes a value if the column was not written since it had this version ({@code wc}). */
  default <T> long writeIf(long version, Row row, Column<T> column, T value) {
    return writeIf(version, RowChange.of(row).set(column, value));
  }

  /**
   * Writes columns of a row if none of them was written since {@link #readVersion readVersion}
   * returned this version.
   *
   * @param version 0: only if none was ever written
   * @return their new version
   * @throws ConflictException when one of them was, or a regular transaction is writing one: read
   *     again
   * @throws IllegalArgumentException when the version is negative, or above all that the oracle has
   *     given out
   */
  long writeIf(long version, RowChange change);

  /**
   * A name for one write that may have to be repeated, of {@link #write(Request, RowChange)}. It
   * can be kept and used in another process.
   */
  Request request();

  /**
   * The same as {@link #write(RowChange)}, under a name. Repetitions under the name, by this or
   * another session or process, write once. Each name belongs to one write: another write under the
   * name is executed, and is distinguished from the first. Never becomes a regular transaction. A
   * write that was refused with a conflict stays refused under its name: try again with another.
   *
   * @throws CommitOutcomeUnknownException also when the name is so old that what was written under
   *     it may have been collected since
   * @throws IllegalArgumentException also when the table has an index, a column is observed, or the
   *     oracle has not given out the timestamp in the name
   */
  long write(Request request, RowChange change);

  /**
   * Returns the version below which no later write of this session will be. Pass it to a session
   * elsewhere ({@link FastOptions#after FastOptions.after}), so that no snapshot shows that
   * session's writes without those of this one.
   */
  long last();
}
