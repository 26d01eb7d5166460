package io.braid.simulation.cluster;

import io.braid.core.data.Row;
import io.braid.simulation.schedule.SimRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** The items of a call by the tablet that they go to, each group to travel by itself. */
final class TabletGroups {
  private static final List<List<Integer>> ONE = List.of(List.of(0));

  private final StoreServer server;
  private final SimRandom random;

  TabletGroups(StoreServer server, SimRandom random) {
    this.server = server;
    this.random = random;
  }

  /** Groups, and the items of each, in any order. */
  List<List<Integer>> of(int items, IntFunction<Row> rowOf) {
    if (items == 1) {
      return ONE;
    }
    Map<String, List<Integer>> byTablet = new LinkedHashMap<>();
    for (int i = 0; i < items; i++) {
      byTablet.computeIfAbsent(server.tablet(rowOf.apply(i)).id(), id -> new ArrayList<>()).add(i);
    }
    List<List<Integer>> groups = new ArrayList<>(byTablet.values());
    groups.forEach(this::shuffle);
    shuffle(groups);
    return groups;
  }

  private void shuffle(List<?> list) {
    for (int i = list.size(); i > 1; i--) {
      Collections.swap(list, i - 1, random.nextInt(i));
    }
  }
}
