package io.braid.serving.build;

import io.braid.core.data.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Tuples in memory, up to a bound; sorts them. Takes no more of it than it needs, roughly. */
final class EntryArena {
  private static final int HEAD = 16;
  private static final int INDEX_BITS = 22;
  private static final int MOST = 1 << INDEX_BITS;

  private static final int FIRST = 1 << 16;

  private final int capacity;
  private ByteBuffer bytes;
  private int[] offsets = new int[1024];
  private int count;

  EntryArena(int capacity) {
    this.capacity = capacity;
    this.bytes = ByteBuffer.allocate(Math.min(FIRST, capacity));
  }

  /** False when there is no room for the tuple; nothing was added then. */
  boolean add(long hash, Bytes key, Bytes value) {
    long size = HEAD + (long) key.length() + value.length();
    if (count == MOST || bytes.position() + size > capacity) {
      return false;
    }
    while (size > bytes.remaining()) {
      grow();
    }
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * count);
    }
    offsets[count++] = bytes.position();
    bytes.putLong(hash).putInt(key.length()).putInt(value.length());
    key.copyTo(bytes.array(), bytes.position());
    value.copyTo(bytes.array(), bytes.position() + key.length());
    bytes.position(bytes.position() + key.length() + value.length());
    return true;
  }

  /** Fourfold, so that little is copied and the old array is a small part of both. */
  private void grow() {
    int larger = (int) Math.min(4L * bytes.capacity(), capacity);
    bytes = ByteBuffer.wrap(Arrays.copyOf(bytes.array(), larger)).position(bytes.position());
  }

  boolean isEmpty() {
    return count == 0;
  }

  void clear() {
    bytes.clear();
    count = 0;
  }

  /** Returns the added entries, sorted. Valid until the arena changes. */
  Entries sorted() {
    long[] order = order();
    return new Entries() {
      private int i = -1;

      @Override
      public boolean next() {
        return ++i < count;
      }

      private int at() {
        return offsets[(int) order[i] & MOST - 1];
      }

      @Override
      public long hash() {
        return bytes.getLong(at());
      }

      @Override
      public Bytes key() {
        return keyAt(at());
      }

      @Override
      public Bytes value() {
        int keyLength = bytes.getInt(at() + 8);
        return Bytes.wrap(bytes.array(), at() + HEAD + keyLength, bytes.getInt(at() + 12));
      }

      @Override
      public void close() {}
    };
  }

  /**
   * The upper bits of each hash, as a signed number, and the tuple's place in the order of arrival.
   */
  private long[] order() {
    long[] order = new long[count];
    for (int i = 0; i < count; i++) {
      order[i] = ((bytes.getLong(offsets[i]) ^ Long.MIN_VALUE) & -MOST) | i;
    }
    Arrays.sort(order);
    for (int from = 0; from < count; ) {
      int to = from + 1;
      while (to < count && (order[to] & -MOST) == (order[from] & -MOST)) {
        to++;
      }
      if (to - from > 1) {
        settle(order, from, to);
      }
      from = to;
    }
    return order;
  }

  /** Sorts those whose upper bits are equal. */
  private void settle(long[] order, int from, int to) {
    List<Long> ties = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      ties.add(order[i]);
    }
    ties.sort(
        (a, b) -> {
          int x = offsets[(int) (long) a & MOST - 1];
          int y = offsets[(int) (long) b & MOST - 1];
          int byHash = Long.compareUnsigned(bytes.getLong(x), bytes.getLong(y));
          return byHash != 0 ? byHash : keyAt(x).compareTo(keyAt(y));
        });
    for (int i = from; i < to; i++) {
      order[i] = ties.get(i - from);
    }
  }

  private Bytes keyAt(int at) {
    return Bytes.wrap(bytes.array(), at + HEAD, bytes.getInt(at + 8));
  }
}
