package io.braid.core.store;

import io.braid.core.data.Bytes;
import org.apiguardian.api.API;

/** Writes a sorted file of cells of one family. */
@API(status = API.Status.EXPERIMENTAL)
public interface SortedFileWriter extends AutoCloseable {
  /**
   * Appends a cell.
   *
   * @throws IllegalArgumentException when it does not sort after the one before (rows ascending,
   *     then qualifiers ascending, then versions descending)
   */
  void put(Bytes rowKey, Bytes qualifier, long version, Bytes value);

  /** Ends the file, checksummed and synced. Without it, {@link #close} removes what was written. */
  void finish();

  @Override
  void close();
}
