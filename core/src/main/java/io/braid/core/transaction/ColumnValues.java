package io.braid.core.transaction;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SortedMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The values of a row by column: an immutable sorted map over two arrays, because a scan makes one
 * for each row.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ColumnValues extends AbstractMap<ColumnName, Bytes>
    implements SortedMap<ColumnName, Bytes> {
  private final ColumnName[] columns;
  private final Bytes[] values;
  private final int from;
  private final int to;

  private ColumnValues(ColumnName[] columns, Bytes[] values, int from, int to) {
    this.columns = columns;
    this.values = values;
    this.from = from;
    this.to = to;
  }

  static ColumnValues copyOf(SortedMap<ColumnName, Bytes> map) {
    return map instanceof ColumnValues same
        ? same
        : new ColumnValues(
            map.keySet().toArray(new ColumnName[0]),
            map.values().toArray(new Bytes[0]),
            0,
            map.size());
  }

  /** Takes columns in ascending order, each once. */
  public static final class Builder {
    private final ColumnName[] columns;
    private final Bytes[] values;
    private int size;

    /**
     * @param most how many may be added
     */
    public Builder(int most) {
      columns = new ColumnName[most];
      values = new Bytes[most];
    }

    public void add(ColumnName column, Bytes value) {
      columns[size] = column;
      values[size++] = value;
    }

    /** The builder must not be used afterwards. */
    public ColumnValues build() {
      return new ColumnValues(columns, values, 0, size);
    }
  }

  @Override
  public int size() {
    return to - from;
  }

  @Override
  public @Nullable Bytes get(@Nullable Object key) {
    int at = key instanceof ColumnName column ? find(column) : -1;
    return at < 0 ? null : values[at];
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  private int find(ColumnName column) {
    return Arrays.binarySearch(columns, from, to, column);
  }

  /** The first place at or after the column. */
  private int placeOf(ColumnName column) {
    int at = find(column);
    return at < 0 ? -at - 1 : at;
  }

  @Override
  public @Nullable Comparator<? super ColumnName> comparator() {
    return null;
  }

  @Override
  public ColumnName firstKey() {
    return column(from);
  }

  @Override
  public ColumnName lastKey() {
    return column(to - 1);
  }

  private ColumnName column(int at) {
    if (isEmpty()) {
      throw new NoSuchElementException("The row has no values.");
    }
    return columns[at];
  }

  @Override
  public SortedMap<ColumnName, Bytes> subMap(ColumnName first, ColumnName end) {
    return new ColumnValues(columns, values, placeOf(first), placeOf(end));
  }

  @Override
  public SortedMap<ColumnName, Bytes> headMap(ColumnName end) {
    return new ColumnValues(columns, values, from, placeOf(end));
  }

  @Override
  public SortedMap<ColumnName, Bytes> tailMap(ColumnName first) {
    return new ColumnValues(columns, values, placeOf(first), to);
  }

  @Override
  public Set<Map.Entry<ColumnName, Bytes>> entrySet() {
    return new Entries();
  }

  private final class Entries extends AbstractSet<Map.Entry<ColumnName, Bytes>> {
    @Override
    public int size() {
      return to - from;
    }

    @Override
    public Iterator<Map.Entry<ColumnName, Bytes>> iterator() {
      return new Iterator<>() {
        private int next = from;

        @Override
        public boolean hasNext() {
          return next < to;
        }

        @Override
        public Map.Entry<ColumnName, Bytes> next() {
          if (next == to) {
            throw new NoSuchElementException("The row has no more values.");
          }
          Map.Entry<ColumnName, Bytes> entry = Map.entry(columns[next], values[next]);
          next++;
          return entry;
        }
      };
    }
  }
}
