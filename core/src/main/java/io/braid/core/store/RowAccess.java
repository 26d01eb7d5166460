package io.braid.core.store;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The access of a procedure to its rows. Reads see the rows as they were before the run, never the
 * procedure's own writes. Writes take effect together when the procedure returns, and not at all
 * when it throws.
 *
 * <p>A run that does not {@linkplain Procedure#excludesOthers exclude others} may make each of its
 * reads at a later instant than the one before. Such a run reads intents before the records that
 * they become.
 */
@API(status = API.Status.EXPERIMENTAL)
public interface RowAccess {
  /** The newest version of a column at or below {@code maxVersion}; null when there is none. */
  @Nullable Cell newest(Row row, ColumnName column, long maxVersion);

  /**
   * Returns the newest version of a column if it lies above {@code version}, else 0, for a conflict
   * check. A store may know without looking that there is none.
   */
  default long newestAbove(Row row, ColumnName column, long version) {
    Cell newest = newest(row, column, Long.MAX_VALUE);
    return newest == null || newest.version() <= version ? 0 : newest.version();
  }

  /** One version of a column; null when it is not there. */
  @Nullable Cell at(Row row, ColumnName column, long version);

  /**
   * Versions of a column from {@code maxVersion} down to {@code minVersion}, both included.
   *
   * @param limit how many at most
   */
  List<Cell> versions(Row row, ColumnName column, long minVersion, long maxVersion, int limit);

  /**
   * All cells of a family in a row whose qualifier starts with {@code qualifierPrefix}. For sparse
   * families; cheap where there are none.
   */
  List<Cell> family(Row row, String family, Bytes qualifierPrefix);

  /**
   * False when the row surely has no cell of the family, which a store may know without looking.
   */
  default boolean mayHave(Row row, String family) {
    return true;
  }

  /** Whether the table of a row has a family now; some families come while procedures run. */
  boolean has(Row row, String family);

  /** Writes one version, over one that is there. */
  void put(Row row, ColumnName column, long version, Bytes value);

  /** Removes one version; does nothing when it is not there. */
  void delete(Row row, ColumnName column, long version);

  /** The clock of the tablet that the rows lie in. */
  TabletClock clock();

  /** The current epoch of a table of these rows. */
  long epoch(String table);

  /** When a table of these rows was created; 0 when that is not known. */
  long birth(String table);

  /**
   * Returns whether a veil over the table could not be lifted a moment ago because of cells in a
   * sparse family. No more such cells shall be added then. The state ends by itself.
   */
  default boolean isClosing(String table) {
    return false;
  }

  /** The current low watermark of the store. A run that only reads asks for it after its reads. */
  long watermark();
}
