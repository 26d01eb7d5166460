package io.braid.core.store;

import io.braid.core.data.Row;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The cells of a row to read.
 *
 * @param snapshot the timestamp of the read; 0 for a read without a snapshot
 */
@API(status = API.Status.EXPERIMENTAL)
public record RowRead(Row row, List<Selection> selections, long snapshot) {
  public RowRead {
    selections = List.copyOf(selections);
  }

  /** A read at no snapshot. */
  public static RowRead of(Row row, Selection... selections) {
    return new RowRead(row, List.of(selections), 0);
  }
}
