package io.braid.indexes;

import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Secondary indexes: built while writers go on, kept in step by every transaction, asked at any
 * snapshot. An index belongs to the protocol of its table. Safe for many threads.
 *
 * <pre>{@code
 * db.indexes().create("people-by-city", "people", city.name(), Index.Kind.GLOBAL, rows -> {});
 * try (Snapshot now = db.snapshot()) {
 *   List<Row> inPisa = db.indexes().find(now, "people", city, "Pisa");
 * }
 * }</pre>
 *
 * <p>Methods that change an index wait for others that change the same table, for ten minutes at
 * most, and throw {@link io.braid.core.store.TabletUnavailableException} then: call again to go on.
 * They wait for no transaction: those that have begun and write the table abort. While an atomic
 * load into the table is open they throw {@link io.braid.batch.JobException}.
 */
@API(status = API.Status.STABLE)
public interface Indexes {
  /**
   * Creates an index, or goes on with one whose creation was broken off; returns when it is ready.
   * Transactions that have begun and write the table are run again, twice at most; once more if it
   * is unique.
   *
   * @param name of the index; that of a table that does not exist
   * @param column whose values are indexed; their order is that of their bytes
   * @param progress receives now and then how many rows were read
   * @throws DuplicateValueException when a unique index cannot be one; it is removed
   * @throws IllegalArgumentException when there is no such table or family, or the name is taken;
   *     or when a value is too long for an index, which is removed then
   * @throws io.braid.groups.GroupException when key groups have rows of the table, whose commits
   *     the index might refuse when they come to the store; the text names them
   */
  Index create(
      String name, String table, ColumnName column, Index.Kind kind, LongConsumer progress);

  /**
   * Removes the index rows that loads have left and that lead nowhere, as far as no snapshot needs
   * them: raises the low watermark, as a collection of garbage does.
   *
   * @param name of an index that is ready
   * @param keep every snapshot of the last so much time stays readable
   * @return how many were removed
   * @throws IllegalArgumentException when there is no such index that is ready
   * @throws io.braid.core.store.StoreException when garbage is being collected at the same time
   */
  long sweep(String name, Duration keep);

  /**
   * Has the parts of a local index follow the tablets of its table, which were split or merged
   * since, while writers go on. Continues a move that was broken off. Transactions that have begun
   * and write the table are run again, twice at most.
   *
   * @param progress receives how many index rows were moved
   * @throws IllegalArgumentException when there is no such index, it is not local, or not ready
   */
  Index follow(String name, LongConsumer progress);

  /**
   * Removes an index and its rows, or continues a removal that was broken off; false when there is
   * none. The table stays as it is.
   */
  boolean drop(String name);

  /** All indexes, in the order of their names. */
  List<Index> all();

  /**
   * The index of a column, one that is ready if there is any. As far as this process knows; {@link
   * #all} looks again.
   *
   * @throws IllegalArgumentException when there is none
   */
  Index of(String table, ColumnName column);

  /**
   * The rows whose column has a value, at a snapshot or in a transaction, in the order of their
   * keys. A transaction finds its own writes, and a lookup causes no conflict.
   *
   * @param reads a snapshot or transaction of this database, of the same thread
   * @throws IllegalArgumentException when there is no index that is ready, or it was created after
   *     the snapshot
   * @throws io.braid.core.transaction.ConflictException in a transaction that has written the table
   *     before the index was created, or moved: it cannot commit, and runs again
   * @throws io.braid.core.store.TabletUnavailableException while the index is being changed: ask
   *     again
   */
  <T> List<Row> find(Snapshot reads, String table, Column<T> column, T value);

  /**
   * The rows whose column has a value in a range, in the order of the values' bytes, then of the
   * rows' keys.
   *
   * @param from the lowest value; null for none
   * @param to the value before which it ends; null for none
   * @param limit how many rows at most; negative for all
   * @throws IllegalArgumentException as {@link #find find}, with all else that it throws
   */
  <T> List<Row> range(
      Snapshot reads, String table, Column<T> column, @Nullable T from, @Nullable T to, long limit);
}
