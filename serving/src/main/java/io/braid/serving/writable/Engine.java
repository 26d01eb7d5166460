package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Where a node keeps one read-write store (section 3.1.5). Implementing classes must comply with
 * the following:
 *
 * <ul>
 *   <li>{@link #put put} and {@link #remove remove} are atomic and durable when they return.
 *   <li>All methods may be called by many threads.
 * </ul>
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface Engine {
  /** The siblings of a key; none when it was never written. */
  List<VersionedValue> get(Bytes key);

  /**
   * Writes a version that another replica took first.
   *
   * @return false when what is there includes it, or is another value of the same clock; writing
   *     the same again is no obstacle
   */
  boolean put(Bytes key, VersionedValue fresh);

  /**
   * Writes a version that this replica takes first: refuses it also when the writer has not seen
   * all that was first written here. Without that a clock would seem to include what its writer
   * never saw.
   *
   * @param master the node of this replica, which {@code fresh} counts
   */
  boolean putFirst(Bytes key, VersionedValue fresh, int master);

  /** As {@link #put put}, of many versions; durable when it returns, not atomic. */
  default void putAll(List<Entry> fresh) {
    for (Entry entry : fresh) {
      entry.siblings().forEach(sibling -> put(entry.key(), sibling));
    }
  }

  /** Takes versions away, those alone. */
  void remove(Bytes key, List<VersionedValue> gone);

  /** A page of tuples also ends once it has this many bytes. */
  int PAGE_BYTES = 1 << 20;

  /** As {@link #remove remove}, of many; durable when it returns, not atomic. */
  default void removeAll(List<Entry> gone) {
    gone.forEach(entry -> remove(entry.key(), entry.siblings()));
  }

  /**
   * Tuples in the order of their keys; none when there are no more, fewer than asked for when they
   * are large ({@link #PAGE_BYTES}).
   *
   * @param after begins behind this key; null: at the first
   */
  List<Entry> entries(@Nullable Bytes after, int most);

  /**
   * As {@link #entries entries}, with those siblings alone that count writes which a node was the
   * first to take. The last entry may have none: it says how far was looked.
   *
   * @param master that node; null: all siblings
   */
  default List<Entry> counted(@Nullable Bytes after, int most, @Nullable Integer master) {
    List<Entry> page = entries(after, most);
    if (master == null) {
      return page;
    }
    List<Entry> counted = new ArrayList<>();
    for (int i = 0; i < page.size(); i++) {
      Entry entry = page.get(i);
      List<VersionedValue> siblings =
          entry.siblings().stream().filter(s -> s.clock().at(master) > 0).toList();
      if (!siblings.isEmpty() || i == page.size() - 1) {
        counted.add(new Entry(entry.key(), siblings));
      }
    }
    return counted;
  }

  /** Takes everything away. */
  void truncate();

  /** A key and its siblings. */
  record Entry(Bytes key, List<VersionedValue> siblings) {
    long bytes() {
      long bytes = key.length();
      for (VersionedValue sibling : siblings) {
        bytes += sibling.value().map(Bytes::length).orElse(0);
      }
      return bytes;
    }
  }
}
