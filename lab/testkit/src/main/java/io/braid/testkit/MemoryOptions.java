package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.testkit.MemoryStore.Reach;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * How a {@link MemoryStore} behaves.
 *
 * @param reach how far apart the rows of one procedure may lie
 * @param logged whether the store remembers what was not synced, so that {@link MemoryStore#crash}
 *     can take it away
 * @param splits the keys at which tablets of a new table begin, besides the first
 */
@API(status = API.Status.EXPERIMENTAL)
public record MemoryOptions(Reach reach, boolean logged, Function<String, List<Bytes>> splits) {

  /** The reach of a store, no log, one tablet for each table. */
  public static MemoryOptions defaults() {
    return new MemoryOptions(Reach.STORE, false, table -> List.of());
  }

  public MemoryOptions reach(Reach value) {
    return new MemoryOptions(value, logged, splits);
  }

  /** Remembers what was not synced. */
  public MemoryOptions withLog() {
    return new MemoryOptions(reach, true, splits);
  }

  /** New tables begin with tablets cut at the keys that {@code value} names for them. */
  public MemoryOptions splits(Function<String, List<Bytes>> value) {
    return new MemoryOptions(reach, logged, value);
  }

  /** All new tables begin with tablets cut at these keys. */
  public MemoryOptions splitAt(String... keys) {
    List<Bytes> cuts = new ArrayList<>();
    for (String key : keys) {
      cuts.add(Bytes.of(key));
    }
    return splits(table -> cuts);
  }

  /**
   * All new tables begin with this many tablets, from 1 to 256, cut evenly by the first byte of the
   * key.
   */
  public MemoryOptions tablets(int count) {
    if (count < 1 || count > 256) {
      throw new IllegalArgumentException("A table begins with 1 to 256 tablets, not " + count);
    }
    List<Bytes> cuts = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      cuts.add(Bytes.ofInts(i * 256 / count));
    }
    return splits(table -> cuts);
  }
}
