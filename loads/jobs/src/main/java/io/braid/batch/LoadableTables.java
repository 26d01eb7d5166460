package io.braid.batch;

import io.braid.batch.rows.IndexRow;
import io.braid.core.cells.CellWrite;
import io.braid.core.data.Row;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apiguardian.api.API;

/**
 * Which tables may be loaded, and which index rows a load writes. Asked before a job begins, and
 * again whenever an epoch of the table was read. So an index that was installed under the epoch is
 * known: its installer makes it known before raising the epoch.
 *
 * @hidden
 */
@FunctionalInterface
@API(status = API.Status.INTERNAL)
public interface LoadableTables {
  LoadableTables ALL = table -> {};

  /**
   * Returns when the table may be loaded.
   *
   * @throws io.braid.batch.JobException when it may not; the text says what to do
   */
  void require(String table);

  /**
   * Returns when all writers of the table since a timestamp knew all of its indexes.
   *
   * @throws io.braid.batch.JobException when the table has a younger index
   */
  default void requireIndexesSince(String table, long start) {}

  /**
   * Called when an epoch was read, before the epoch is used: changes that other processes installed
   * before the epoch have to be known as well.
   */
  default void lookAgain() {}

  /** The epoch of a table was raised: transactions that begin from now on are to know it. */
  default void learn(String table) {}

  /** Returns whether {@link #indexRows indexRows} may name rows for a table. */
  default boolean isIndexed(String table) {
    return false;
  }

  /**
   * Returns the index rows that lead to a row by its future values. From now on, an index with such
   * rows compares them with the rows that they lead to. So the index rows may be written before the
   * row, even if the row is never written.
   *
   * @param version the version of the index rows
   * @param epochs returns the epoch of a table as it was before this call
   * @throws IllegalArgumentException when a value is too long for an index
   */
  default List<IndexRow> indexRows(
      Row row, List<CellWrite> cells, long version, ToLongFunction<String> epochs) {
    return List.of();
  }
}
