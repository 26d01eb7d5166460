package io.braid.testkit.checker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The strongly connected components of an {@link EventGraph}, restricted to some kinds of edges:
 * what lies on a common cycle. Tarjan's algorithm with a stack of its own, since paths are as long
 * as the history.
 */
final class Components {
  private static final int NEW = -1;

  private final EventGraph graph;
  private final int kinds;
  private final int[] index;
  private final int[] low;
  private final boolean[] open;
  private final Ints openEvents = new Ints();
  private final Ints path = new Ints();

  /** For each event of the path the place of the edge to follow next. */
  private final Ints places = new Ints();

  private final List<int[]> cyclic = new ArrayList<>();
  private int visited;

  private Components(EventGraph graph, int kinds) {
    this.graph = graph;
    this.kinds = kinds;
    this.index = new int[graph.events()];
    this.low = new int[graph.events()];
    this.open = new boolean[graph.events()];
    Arrays.fill(index, NEW);
  }

  /** The components of more than one event. */
  static List<int[]> cyclic(EventGraph graph, int kinds) {
    Components components = new Components(graph, kinds);
    for (int event = 0; event < graph.events(); event++) {
      if (components.index[event] == NEW) {
        components.visitFrom(event);
      }
    }
    return components.cyclic;
  }

  private void visitFrom(int root) {
    enter(root);
    while (path.size() > 0) {
      int event = path.top();
      int place = places.pop();
      if (place == graph.firstEdge(event + 1)) {
        leave(path.pop());
        continue;
      }
      places.push(place + 1);
      int edge = graph.edgeAt(place);
      if (graph.isAmong(edge, kinds)) {
        follow(event, graph.to(edge));
      }
    }
  }

  private void enter(int event) {
    index[event] = visited;
    low[event] = visited;
    visited++;
    open[event] = true;
    openEvents.push(event);
    path.push(event);
    places.push(graph.firstEdge(event));
  }

  private void follow(int event, int next) {
    if (index[next] == NEW) {
      enter(next);
    } else if (open[next]) {
      low[event] = Math.min(low[event], index[next]);
    }
  }

  private void leave(int event) {
    if (path.size() > 0) {
      int before = path.top();
      low[before] = Math.min(low[before], low[event]);
    }
    if (low[event] != index[event]) {
      return;
    }
    Ints members = new Ints();
    int member;
    do {
      member = openEvents.pop();
      open[member] = false;
      members.push(member);
    } while (member != event);
    if (members.size() > 1) {
      cyclic.add(members.toArray());
    }
  }
}
