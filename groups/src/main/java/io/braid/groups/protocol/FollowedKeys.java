package io.braid.groups.protocol;

import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys that a node has yielded to leaders. Changed by transitions only. */
class FollowedKeys {
  private final Map<Row, HeldKey> held = new LinkedHashMap<>();
  private final Map<GroupId, Retry> unconfirmed = new LinkedHashMap<>();

  /**
   * A key that is not this node's own for now.
   *
   * @param confirmed whether the leader is known to know
   */
  record HeldKey(GroupId group, long yieldId, boolean confirmed) {}

  /** When the JA of a group is sent again. */
  static final class Retry {
    private final Map<Row, Long> yields = new LinkedHashMap<>();
    long at;
    int tries;

    List<Yield> yields() {
      List<Yield> all = new ArrayList<>();
      yields.forEach((key, id) -> all.add(new Yield(key, id)));
      return all;
    }
  }

  @Nullable HeldKey of(Row key) {
    return held.get(key);
  }

  /**
   * Whether a JAA belongs to the JA that is waited for, and not to an earlier one of the same group
   * that a D has undone since (figure 5).
   */
  boolean isFresh(HeldKey key, Yield yield) {
    return key.yieldId == yield.id();
  }

  void yielding(GroupId group, List<Yield> yields) {
    Retry retry = unconfirmed.computeIfAbsent(group, id -> new Retry());
    for (Yield each : yields) {
      held.put(each.key(), new HeldKey(group, each.id(), false));
      retry.yields.put(each.key(), each.id());
    }
  }

  void yielded(GroupId group, List<Row> keys) {
    for (Row key : keys) {
      HeldKey before = held.get(key);
      if (before != null && before.group.equals(group)) {
        held.put(key, new HeldKey(group, before.yieldId, true));
        confirm(group, key);
      }
    }
  }

  void regained(GroupId group, List<Row> keys) {
    for (Row key : keys) {
      HeldKey before = held.get(key);
      if (before != null && before.group.equals(group)) {
        held.remove(key);
        confirm(group, key);
      }
    }
  }

  private void confirm(GroupId group, Row key) {
    Retry retry = unconfirmed.get(group);
    if (retry != null) {
      retry.yields.remove(key);
      if (retry.yields.isEmpty()) {
        unconfirmed.remove(group);
      }
    }
  }

  /** The groups whose leaders have not confirmed all keys. */
  Map<GroupId, Retry> unconfirmed() {
    return unconfirmed;
  }

  /** The keys that were yielded to these groups. */
  Map<GroupId, List<Row>> keysOf(Set<GroupId> groups) {
    Map<GroupId, List<Row>> keys = new LinkedHashMap<>();
    held.forEach(
        (key, state) -> {
          if (groups.contains(state.group)) {
            keys.computeIfAbsent(state.group, group -> new ArrayList<>()).add(key);
          }
        });
    return keys;
  }

  Map<Row, HeldKey> held() {
    return held;
  }

  /** The transitions that make keys like these. */
  List<Transition> toTransitions() {
    Map<GroupId, List<Yield>> yields = new LinkedHashMap<>();
    Map<GroupId, List<Row>> confirmed = new LinkedHashMap<>();
    held.forEach(
        (key, state) -> {
          yields
              .computeIfAbsent(state.group, g -> new ArrayList<>())
              .add(new Yield(key, state.yieldId));
          if (state.confirmed) {
            confirmed.computeIfAbsent(state.group, g -> new ArrayList<>()).add(key);
          }
        });
    List<Transition> all = new ArrayList<>();
    yields.forEach((group, each) -> all.add(new Transition.Yielding(group, each)));
    confirmed.forEach((group, keys) -> all.add(new Transition.Yielded(group, keys)));
    return all;
  }
}
