package io.braid.changes.feed;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one transaction in one row.
 *
 * @param commit its commit timestamp
 * @param columns the new values; null where a column was deleted
 */
@API(status = API.Status.EXPERIMENTAL)
public record Change(Row row, long commit, SortedMap<ColumnName, @Nullable Bytes> columns) {
  public Change {
    columns = Collections.unmodifiableSortedMap(new TreeMap<>(columns));
  }

  /** The position right after it. */
  public Position position() {
    return new Position(commit, row.key());
  }
}
