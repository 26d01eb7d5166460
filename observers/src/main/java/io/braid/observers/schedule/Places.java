package io.braid.observers.schedule;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Tablet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Where a scanner begins: at a random key of a random tablet (Percolator, section 2.4).
 *
 * <p>Keys are rarely spread over all bytes, so most random keys of a tablet lie beside all of its
 * rows, and scanners would begin at the same first row. Therefore every other time it is a row that
 * had a notification not long ago. For one task.
 */
public final class Places {
  private static final int REMEMBERED = 256;

  private final CellStore store;
  private final Seams seams;
  private final Map<String, List<Bytes>> remembered = new HashMap<>();

  public Places(CellStore store, Seams seams) {
    this.store = store;
    this.seams = seams;
  }

  public Bytes pick(String table) {
    RandomGenerator random = seams.random();
    List<Bytes> keys = remembered.getOrDefault(table, List.of());
    if (!keys.isEmpty() && random.nextBoolean()) {
      return keys.get(random.nextInt(keys.size()));
    }
    List<Tablet> tablets = store.tablets(table);
    return tablets.isEmpty()
        ? Bytes.EMPTY
        : keyWithin(tablets.get(random.nextInt(tablets.size())).range(), random.nextLong());
  }

  /** A row of the table had a notification. */
  public void remember(String table, Bytes key) {
    List<Bytes> keys = remembered.computeIfAbsent(table, name -> new ArrayList<>());
    if (keys.size() < REMEMBERED) {
      keys.add(key);
    } else {
      keys.set(seams.random().nextInt(REMEMBERED), key);
    }
  }

  /** A key of the range, evenly spread over the eight bytes in which its bounds differ first. */
  static Bytes keyWithin(KeyRange range, long random) {
    Bytes end = range.end();
    int same = end == null ? 0 : samePrefix(range.start(), end);
    long low = longAt(range.start(), same);
    long width = (end == null ? -1 : longAt(end, same)) - low;
    long offset = width == 0 ? 0 : Long.remainderUnsigned(random, width);
    Bytes key = range.start().slice(0, same).concat(Bytes.ofLong(low + offset));
    return range.contains(key) ? key : range.start();
  }

  private static int samePrefix(Bytes a, Bytes b) {
    int limit = Math.min(a.length(), b.length());
    int same = 0;
    while (same < limit && a.at(same) == b.at(same)) {
      same++;
    }
    return same;
  }

  /** Eight bytes from {@code index} on as a number, zeros where there are none. */
  private static long longAt(Bytes bytes, int index) {
    long value = 0;
    for (int i = index; i < index + Long.BYTES; i++) {
      value = value << 8 | (i < bytes.length() ? bytes.at(i) & 0xFF : 0);
    }
    return value;
  }
}
