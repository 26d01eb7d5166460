package io.braid.indexes;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Encoder;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.transaction.Scan;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The places of the rows of an index: one or several <em>parts</em>, each ordered by the values.
 *
 * <p>A global index is one part, a table of its own. A local index has a part for each tablet that
 * its table had when the index was created. The part for the rows from a key on comes right after
 * that key, in a family of Braid's own, so the part is in the tablet of its rows. When a tablet is
 * split, its part stays whole in the lower half. The index gives the same results as before, but
 * rows of the upper half have their index rows in the neighboring tablet.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class IndexRows {
  private static final Bytes END_OF_KEY = Bytes.wrap(new byte[] {0});

  private final Index index;
  private final NavigableMap<Bytes, Part> parts = new TreeMap<>();

  /**
   * One part.
   *
   * @param prefix what the keys of its rows begin with
   * @param column holds the key of the indexed row
   */
  public record Part(String table, Bytes prefix, Column<Bytes> column) {
    /** Returns a scan of its rows with values in a range of {@link IndexKeys}. */
    public Scan scan(KeyRange values) {
      Bytes end = values.end();
      KeyRange range =
          new KeyRange(
              prefix.concat(values.start()), end == null ? prefix.prefixEnd() : prefix.concat(end));
      return Scan.of(table).range(range).column(column);
    }

    /** Returns the key that orders an index row. The order is the same in all parts. */
    public Bytes order(Row row) {
      return row.key().slice(prefix.length());
    }
  }

  /** A cell of an index. */
  public record Place(Row row, Column<Bytes> column) {}

  /**
   * @param id never used before; 0 for a global index of a version that had none
   * @param starts of a local index: the first keys of its parts; the lowest is empty
   */
  IndexRows(Index index, long id, Collection<Bytes> starts) {
    this.index = index;
    if (!index.isLocal()) {
      String family = id == 0 ? IndexUpdates.OLD_FAMILY : Families.INDEX;
      Column<Bytes> column = Column.of(family, Bytes.EMPTY, IndexUpdates.AS_IS);
      parts.put(Bytes.EMPTY, new Part(index.name(), Bytes.EMPTY, column));
      return;
    }
    Bytes own = END_OF_KEY.concat(new Encoder(8).int64(id).finish());
    for (Bytes start : starts) {
      // Two parts may have keys that look alike; their columns differ.
      Column<Bytes> column = Column.of(Families.INDEX, start, IndexUpdates.AS_IS);
      parts.put(start, new Part(index.table(), start.concat(own), column));
    }
  }

  /** Returns the place of the index row that says that a row has a value. */
  Place at(Row row, Bytes value) {
    Part part = part(row.key());
    Bytes key = index.isUnique() ? IndexKeys.prefix(value) : IndexKeys.key(value, row.key());
    return new Place(Row.of(part.table, part.prefix.concat(key)), part.column);
  }

  /**
   * Returns how long the key of an index row is in a part that begins with a key of a given length.
   */
  int longestKey(Row row, Bytes value, int start) {
    Part part = part(row.key());
    int own = at(row, value).row().key().length() - part.prefix.length();
    return isGlobal() ? own : start + END_OF_KEY.length() + Long.BYTES + own;
  }

  /** The part of the row with a key. */
  Part part(Bytes key) {
    Map.Entry<Bytes, Part> floor = parts.floorEntry(key);
    if (floor == null) {
      throw new IllegalStateException("Index " + index.name() + " has no part for " + key + ".");
    }
    return floor.getValue();
  }

  /** Whether a scan asks this index, and no other one. */
  boolean isAskedBy(Scan scan) {
    return parts.values().stream()
        .anyMatch(
            part ->
                part.table.equals(scan.table())
                    && scan.columns().contains(part.column.name())
                    && KeyRange.prefix(part.prefix).contains(scan.range().start()));
  }

  boolean isGlobal() {
    return !index.isLocal();
  }

  public List<Part> parts() {
    return List.copyOf(parts.values());
  }
}
