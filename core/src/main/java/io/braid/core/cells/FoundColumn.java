package io.braid.core.cells;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The content of a column at a snapshot.
 *
 * @param commit the version of its newest change at the snapshot
 * @param value null when that change deleted it
 */
public record FoundColumn(ColumnName column, long commit, @Nullable Bytes value) {
  /** Returns the values of the columns that have one. */
  public static SortedMap<ColumnName, Bytes> values(List<FoundColumn> all) {
    SortedMap<ColumnName, Bytes> values = new TreeMap<>();
    for (FoundColumn found : all) {
      Bytes value = found.value;
      if (value != null) {
        values.put(found.column, value);
      }
    }
    return values;
  }

  public void encode(Encoder to) {
    to.column(column).varint(commit).bool(value != null);
    if (value != null) {
      to.bytes(value);
    }
  }

  public static FoundColumn decode(Decoder from) {
    return new FoundColumn(from.column(), from.varint(), from.bool() ? from.bytes() : null);
  }
}
