package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a store in memory: gone with the process, for caches and tests.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class MemoryEngine implements Engine {
  private final ConcurrentNavigableMap<Bytes, List<VersionedValue>> tuples =
      new ConcurrentSkipListMap<>();

  @Override
  public List<VersionedValue> get(Bytes key) {
    return tuples.getOrDefault(key, List.of());
  }

  @Override
  public synchronized boolean put(Bytes key, VersionedValue fresh) {
    List<VersionedValue> there = get(key);
    if (!Siblings.accepts(there, fresh)) {
      return false;
    }
    tuples.put(key, Siblings.with(there, fresh));
    return true;
  }

  @Override
  public synchronized boolean putFirst(Bytes key, VersionedValue fresh, int master) {
    return Siblings.acceptsFirst(get(key), fresh, master) && put(key, fresh);
  }

  @Override
  public synchronized void remove(Bytes key, List<VersionedValue> gone) {
    List<VersionedValue> left = new ArrayList<>(get(key));
    left.removeAll(gone);
    if (left.isEmpty()) {
      tuples.remove(key);
    } else {
      tuples.put(key, List.copyOf(left));
    }
  }

  @Override
  public List<Entry> entries(@Nullable Bytes after, int most) {
    NavigableMap<Bytes, List<VersionedValue>> rest =
        after == null ? tuples : tuples.tailMap(after, false);
    List<Entry> entries = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<Bytes, List<VersionedValue>> tuple : rest.entrySet()) {
      if (entries.size() == most || bytes >= PAGE_BYTES) {
        break;
      }
      Entry entry = new Entry(tuple.getKey(), tuple.getValue());
      entries.add(entry);
      bytes += entry.bytes();
    }
    return entries;
  }

  @Override
  public void truncate() {
    tuples.clear();
  }
}
