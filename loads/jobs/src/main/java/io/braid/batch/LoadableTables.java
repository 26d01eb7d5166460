package io.braid.batch;

import io.braid.batch.rows.IndexRow;
import io.braid.core.cells.CellWrite;
import io.braid.core.data.Row;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Which tables may be loaded, and what a load writes of their indexes. Asked before a job begins,
 * and again whenever an epoch of the table was read, so that what was installed under it meanwhile
 * (an index) is known: it is known before the epoch is raised.
 */
@FunctionalInterface
public interface LoadableTables {
  LoadableTables ALL = table -> {};

  /**
   * Returns when the table may be loaded.
   *
   * @throws io.braid.batch.JobException when it may not; the text says what to do
   */
  void require(String table);

  /**
   * Returns when whoever wrote the table since a timestamp knew all of its indexes.
   *
   * @throws io.braid.batch.JobException when it has a younger one
   */
  default void requireIndexesSince(String table, long start) {}

  /**
   * An epoch was read, and is about to be known: what other processes have installed before it has
   * to be known as well.
   */
  default void lookAgain() {}

  /** The epoch of a table was raised: transactions that begin from now on are to know it. */
  default void learn(String table) {}

  /** Whether {@link #indexRows indexRows} may name rows for a table. */
  default boolean isIndexed(String table) {
    return false;
  }

  /**
   * The index rows that lead to a row by what it will hold. An index for which there are some
   * compares them with the rows that they lead to from now on: so they may be written before the
   * row is, and although it may never be.
   *
   * @param version at which they are to stand
   * @param epochs tells the epoch of a table as it was before this was asked
   * @throws IllegalArgumentException when a value is too long for an index
   */
  default List<IndexRow> indexRows(
      Row row, List<CellWrite> cells, long version, ToLongFunction<String> epochs) {
    return List.of();
  }
}
