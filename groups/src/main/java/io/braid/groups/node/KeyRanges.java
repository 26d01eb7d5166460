package io.braid.groups.node;

import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Tablet;
import io.braid.core.store.UnknownTableException;
import io.braid.groups.protocol.KeyOwners;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which node owns a key: the tablets of a table in their order are dealt out to the live nodes in
 * theirs, in runs of neighbours. Nodes may be of different opinions for a moment, when a node comes
 * or goes or a tablet splits. That does no harm, since a key is yielded by a test-and-set of its
 * row, which any node may do; it is only nearer to one.
 */
final class KeyRanges implements KeyOwners {
  private static final Duration KEEP = Duration.ofSeconds(5);

  private final CellStore store;
  private final NodeDirectory nodes;
  private final Seams seams;
  private final String self;
  private final Map<String, Known> tablets = new ConcurrentHashMap<>();

  private record Known(List<Tablet> tablets, long since) {}

  KeyRanges(CellStore store, NodeDirectory nodes, Seams seams, String self) {
    this.store = store;
    this.nodes = nodes;
    this.seams = seams;
    this.self = self;
  }

  @Override
  public String owner(Row key) {
    List<NodeInfo> live = nodes.live();
    if (live.isEmpty()) {
      return self;
    }
    List<Tablet> all = known(key.table());
    int low = 0;
    int high = all.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) / 2;
      if (all.get(middle).range().start().compareTo(key.key()) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return live.get((int) ((long) low * live.size() / Math.max(1, all.size()))).name();
  }

  @Override
  public boolean mayYield(Row key, String node) {
    return true;
  }

  /** Looks the tablets up again, as they may have split; never with a monitor held. */
  void refresh() {
    long now = seams.nanoTime();
    tablets.forEach(
        (table, known) -> {
          if (now - known.since > KEEP.toNanos()) {
            tablets.put(table, look(table));
          }
        });
  }

  /** Makes sure that the tablets of these keys are known, so that {@link #owner} asks no store. */
  void learn(Iterable<Row> keys) {
    for (Row key : keys) {
      if (!tablets.containsKey(key.table())) {
        tablets.put(key.table(), look(key.table()));
      }
    }
  }

  private List<Tablet> known(String table) {
    Known known = tablets.get(table);
    return known == null ? List.of() : known.tablets;
  }

  private Known look(String table) {
    try {
      return new Known(List.copyOf(store.tablets(table)), seams.nanoTime());
    } catch (UnknownTableException e) {
      // Rows of groups may be in a table that is gone: they are to be freed all the same.
      return new Known(List.of(), seams.nanoTime());
    }
  }
}
