package io.braid.testkit.history;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/** An immutable list of numbers that takes eight bytes for each: histories hold many. */
public final class Longs extends AbstractList<Long> implements RandomAccess {
  public static final Longs EMPTY = new Longs(new long[0], 0);

  private final long[] values;
  private final int size;

  private Longs(long[] values, int size) {
    this.values = values;
    this.size = size;
  }

  public static Longs of(long... values) {
    return new Longs(values.clone(), values.length);
  }

  public static Longs copyOf(List<Long> values) {
    if (values instanceof Longs already) {
      return already;
    }
    return new Longs(values.stream().mapToLong(Long::longValue).toArray(), values.size());
  }

  public long at(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
    return values[index];
  }

  /** The first {@code count} of them; copies nothing. */
  public Longs first(int count) {
    if (count < 0 || count > size) {
      throw new IndexOutOfBoundsException(count);
    }
    return count == size ? this : new Longs(values, count);
  }

  /** How many values at the beginning of both are the same. */
  public int commonPrefix(Longs other) {
    int shorter = Math.min(size, other.size);
    int different = Arrays.mismatch(values, 0, shorter, other.values, 0, shorter);
    return different < 0 ? shorter : different;
  }

  /** Whether the last values are these. */
  public boolean endsWith(Longs other) {
    return size >= other.size
        && Arrays.equals(values, size - other.size, size, other.values, 0, other.size);
  }

  public Longs plus(long value) {
    long[] more = Arrays.copyOf(values, size + 1);
    more[size] = value;
    return new Longs(more, more.length);
  }

  @Override
  public Long get(int index) {
    return at(index);
  }

  @Override
  public int size() {
    return size;
  }

  /** Gathers numbers one by one. */
  static final class Builder {
    private long[] values = new long[16];
    private int size;

    void add(long value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, size * 2);
      }
      values[size++] = value;
    }

    Longs build() {
      return size == 0 ? EMPTY : new Longs(Arrays.copyOf(values, size), size);
    }
  }
}
