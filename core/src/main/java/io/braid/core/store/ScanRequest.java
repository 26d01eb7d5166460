package io.braid.core.store;

import io.braid.core.data.KeyRange;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A scan over the rows of a range that have any selected cell, in the order of their keys.
 *
 * @param snapshot the timestamp of the scan; 0 for a scan without a snapshot
 * @param batchRows how many rows to fetch in one trip, a hint
 */
@API(status = API.Status.EXPERIMENTAL)
public record ScanRequest(
    String table, KeyRange range, List<Selection> selections, long snapshot, int batchRows) {
  public ScanRequest {
    selections = List.copyOf(selections);
    if (batchRows < 1) {
      throw new IllegalArgumentException("A scan fetches at least one row at a time.");
    }
  }

  /** A scan at no snapshot, 256 rows a trip. */
  public static ScanRequest of(String table, KeyRange range, Selection... selections) {
    return new ScanRequest(table, range, List.of(selections), 0, 256);
  }

  /** The same, made at a snapshot. */
  public ScanRequest at(long timestamp) {
    return new ScanRequest(table, range, selections, timestamp, batchRows);
  }
}
