package io.braid.core.transaction;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * All tables as they were at one timestamp. For one thread at a time. Close it: versions that it
 * may read are kept until then, though not for longer than {@code transaction.max-age}, 1 h by
 * default. To read an older state for longer, {@link Transactions#pin Transactions.pin} it.
 *
 * <pre>{@code
 * try (Snapshot now = db.snapshot();
 *     RowCursor rows = now.scan(Scan.of("accounts").prefix("b").family("balance"))) {
 *   while (rows.hasNext()) {
 *     RowValues each = rows.next();
 *     System.out.println(each.row().key() + " " + each.get(usd).orElse(0L));
 *   }
 * }
 * }</pre>
 *
 * <p>Every read throws
 *
 * <ul>
 *   <li>{@link ErrorCode#SNAPSHOT_TOO_OLD} when versions that it needs may have been collected:
 *       begin with a newer snapshot;
 *   <li>{@link BlockedByTransactionException} when a writer that it has to wait for stays undecided
 *       too long: try again;
 *   <li>{@link TransactionException} with {@link ErrorCode#UNAVAILABLE} when the thread is
 *       interrupted meanwhile;
 *   <li>{@link io.braid.core.store.TabletUnavailableException} when the store cannot be reached:
 *       try again;
 *   <li>{@link io.braid.core.store.UnknownTableException} when there is no such table or family;
 *   <li>{@link IllegalArgumentException} for names that are Braid's own;
 *   <li>{@link IllegalStateException} after the end.
 * </ul>
 */
@API(status = API.Status.STABLE)
public interface Snapshot extends AutoCloseable {
  /**
   * Returns the timestamp of the reads: they see everything committed at or below it. {@link
   * io.braid.core.time.Timestamp#instant Timestamp.instant} converts it to a time of day.
   */
  long timestamp();

  /**
   * The value of a column; empty when it has none.
   *
   * @throws IllegalArgumentException when the bytes are not of the column's codec
   */
  default <T> Optional<T> get(Row row, Column<T> column) {
    return get(row, List.of(column)).get(column);
  }

  /** Several columns of a row in one trip to the store. */
  default RowValues get(Row row, Collection<? extends Column<?>> columns) {
    return Objects.requireNonNull(getAll(List.of(row), columns).get(row));
  }

  /** Columns of several rows, in one trip to each tablet; every row has an entry. */
  Map<Row, RowValues> getAll(Collection<Row> rows, Collection<? extends Column<?>> columns);

  /**
   * All columns of some families of a row.
   *
   * @throws IllegalArgumentException when no family is named
   */
  RowValues getRow(Row row, String... families);

  /**
   * The rows of a range, in the order of their keys, fetched as they are asked for. The caller
   * closes the cursor.
   *
   * @throws IllegalArgumentException when neither a family nor a column is named
   */
  RowCursor scan(Scan scan);

  /**
   * Returns the version of the newest change of a column that this snapshot sees, deletions
   * included unless they were collected since; empty when there is none. A transaction's own writes
   * do not count.
   */
  OptionalLong lastChanged(Row row, Column<?> column);

  /**
   * The version of the newest change of a column that this snapshot sees, if it lies above another
   * one; else empty. Costs less than {@link #lastChanged lastChanged} where the store knows from
   * memory that there is none.
   */
  default OptionalLong changedSince(Row row, Column<?> column, long version) {
    OptionalLong last = lastChanged(row, column);
    return last.isPresent() && last.getAsLong() > version ? last : OptionalLong.empty();
  }

  /** Releases its versions. Does nothing when the snapshot is closed. */
  @Override
  void close();
}
