package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A column of a {@link MemoryRow}: its versions, in order; most new ones come last. */
final class MemoryColumn {
  private final ColumnName name;
  private long[] versions = new long[2];
  private @Nullable Bytes[] values = new @Nullable Bytes[2];
  private int size;

  MemoryColumn(ColumnName name) {
    this.name = name;
  }

  ColumnName name() {
    return name;
  }

  /** Its place in the order of columns, against that of another. */
  int compareTo(String family, Bytes qualifier) {
    int byFamily = name.family().equals(family) ? 0 : name.family().compareTo(family);
    return byFamily != 0 ? byFamily : name.qualifier().compareTo(qualifier);
  }

  boolean isEmpty() {
    return size == 0;
  }

  @Nullable Bytes get(long version) {
    int at = find(version);
    return at < 0 ? null : values[at];
  }

  /** Puts a value and returns the previous one, or null. */
  @Nullable Bytes put(long version, Bytes value) {
    int at = find(version);
    if (at >= 0) {
      Bytes before = values[at];
      values[at] = value;
      return before;
    }
    insert(-at - 1, version, value);
    return null;
  }

  private void insert(int at, long version, Bytes value) {
    if (size == versions.length) {
      versions = Arrays.copyOf(versions, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
    }
    System.arraycopy(versions, at, versions, at + 1, size - at);
    System.arraycopy(values, at, values, at + 1, size - at);
    versions[at] = version;
    values[at] = value;
    size++;
  }

  /** Removes a value and returns it, or null if there is none. */
  @Nullable Bytes remove(long version) {
    int at = find(version);
    if (at < 0) {
      return null;
    }
    Bytes before = values[at];
    size--;
    System.arraycopy(versions, at + 1, versions, at, size - at);
    System.arraycopy(values, at + 1, values, at, size - at);
    values[size] = null;
    return before;
  }

  /** Adds up to {@code limit} cells, from the highest version in these bounds down. */
  void select(long minVersion, long maxVersion, int limit, List<Cell> into) {
    int at = find(maxVersion);
    int newest = at >= 0 ? at : -at - 2;
    for (int i = newest; i >= 0 && newest - i < limit && versions[i] >= minVersion; i--) {
      Bytes value = values[i];
      if (value != null) {
        into.add(new Cell(name, versions[i], value));
      }
    }
  }

  /** As {@link Arrays#binarySearch}. */
  private int find(long version) {
    if (size == 0 || versions[size - 1] < version) {
      return -size - 1;
    }
    return Arrays.binarySearch(versions, 0, size, version);
  }
}
