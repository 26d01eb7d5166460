package io.braid.testkit.checker;

import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryEntry.Type;
import io.braid.testkit.history.Longs;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The definition of strong snapshot isolation, taken by its word: tries every order of begins and
 * commits that the clock allows, and every fate of the undecided, until one explains what was read.
 * For a handful of transactions.
 */
final class AllOrders {
  private final List<HistoryEntry> entries;
  private final long[] begun;
  private final boolean[] done;
  private final Map<String, List<Longs>> versions = new HashMap<>();
  private final List<Map<String, Longs>> snapshots = new ArrayList<>();

  private AllOrders(List<HistoryEntry> entries) {
    this.entries = entries;
    this.begun = new long[entries.size()];
    this.done = new boolean[entries.size()];
    entries.forEach(e -> snapshots.add(new HashMap<>()));
  }

  /** Whether the history is strong snapshot isolation. */
  static boolean explain(List<HistoryEntry> history) {
    return new AllOrders(history.stream().filter(e -> e.type() != Type.FAIL).toList()).search();
  }

  /** Whether the rest can be explained, from the state that the steps so far have led to. */
  private boolean search() {
    boolean all = true;
    for (int t = 0; t < entries.size(); t++) {
      if (done[t]) {
        continue;
      }
      all &= entries.get(t).type() == Type.INFO;
      if (begun[t] == 0 ? mayBegin(t) && begin(t) : commit(t)) {
        return true;
      }
    }
    return all;
  }

  /** Everything that ended before it started must be done. */
  private boolean mayBegin(int t) {
    for (int other = 0; other < entries.size(); other++) {
      HistoryEntry entry = entries.get(other);
      if (entry.type() == Type.OK && !done[other] && entry.end() < entries.get(t).start()) {
        return false;
      }
    }
    return true;
  }

  private boolean begin(int t) {
    Map<String, Longs> view = new HashMap<>();
    versions.forEach((key, all) -> view.put(key, all.get(all.size() - 1)));
    snapshots.set(t, Map.copyOf(view));
    for (Op op : entries.get(t).ops()) {
      if (op instanceof Op.Append append) {
        view.merge(append.key(), Longs.of(append.value()), (a, b) -> a.plus(append.value()));
      } else if (op instanceof Op.Read read
          && !view.getOrDefault(read.key(), Longs.EMPTY).equals(read.values())) {
        return false;
      }
    }
    begun[t] = 1;
    boolean found = search();
    begun[t] = 0;
    return found;
  }

  private boolean commit(int t) {
    Map<String, Longs> mine = new HashMap<>();
    for (Op op : entries.get(t).ops()) {
      if (op instanceof Op.Append append) {
        Longs before = snapshots.get(t).getOrDefault(append.key(), Longs.EMPTY);
        mine.merge(append.key(), before.plus(append.value()), (a, b) -> a.plus(append.value()));
      }
    }
    for (String key : mine.keySet()) {
      List<Longs> all = versions.getOrDefault(key, List.of(Longs.EMPTY));
      if (!all.get(all.size() - 1).equals(snapshots.get(t).getOrDefault(key, Longs.EMPTY))) {
        return false;
      }
    }
    mine.forEach((k, v) -> versions.computeIfAbsent(k, x -> new ArrayList<>()).add(v));
    done[t] = true;
    boolean found = search();
    done[t] = false;
    mine.forEach((key, v) -> removeLast(key));
    return found;
  }

  private void removeLast(String key) {
    List<Longs> all = Objects.requireNonNull(versions.get(key));
    all.remove(all.size() - 1);
    if (all.isEmpty()) {
      versions.remove(key);
    }
  }
}
