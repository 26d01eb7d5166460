package io.braid.testkit.checker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/**
 * Finds short cycles. Steps along the clock cost nothing, so that the shortest cycle is one of few
 * transactions.
 */
final class ShortestCycle {
  private static final int FAR = Integer.MAX_VALUE;

  private final EventGraph graph;
  private final int[] distance;
  private final int[] arrival;
  private final Ints touched = new Ints();
  private final BitSet component = new BitSet();

  ShortestCycle(EventGraph graph) {
    this.graph = graph;
    this.distance = new int[graph.events()];
    this.arrival = new int[graph.events()];
    Arrays.fill(distance, FAR);
  }

  /** Restricts what follows to these events. */
  void within(int[] events) {
    component.clear();
    for (int event : events) {
      component.set(event);
    }
  }

  /** The edges of a shortest cycle through an event over edges of these kinds; empty if none. */
  List<Integer> through(int event, int kinds) {
    try {
      return search(event, kinds) ? walkBack(event) : List.of();
    } finally {
      for (int i = 0; i < touched.size(); i++) {
        distance[touched.at(i)] = FAR;
      }
      touched.clear();
    }
  }

  /** Visits events in the order of their distance, until {@code origin} is reached again. */
  private boolean search(int origin, int kinds) {
    Ints near = new Ints();
    Ints next = new Ints();
    near.push(origin);
    for (int level = 0; near.size() > 0; level++) {
      while (near.size() > 0) {
        int event = near.pop();
        if (distance[event] < level && event != origin) {
          continue;
        }
        for (int p = graph.firstEdge(event); p < graph.firstEdge(event + 1); p++) {
          int edge = graph.edgeAt(p);
          int reached = level + cost(edge);
          if (isOpen(edge, kinds) && reached < distance[graph.to(edge)]) {
            arrive(edge, reached);
            (reached == level ? near : next).push(graph.to(edge));
          }
        }
      }
      if (distance[origin] != FAR) {
        return true;
      }
      Ints done = near;
      near = next;
      next = done;
    }
    return false;
  }

  private boolean isOpen(int edge, int kinds) {
    return graph.isAmong(edge, kinds) && component.get(graph.to(edge));
  }

  private int cost(int edge) {
    return graph.kind(edge) == EdgeKind.LATER ? 0 : 1;
  }

  private void arrive(int edge, int reached) {
    int event = graph.to(edge);
    distance[event] = reached;
    arrival[event] = edge;
    touched.push(event);
  }

  private List<Integer> walkBack(int origin) {
    List<Integer> cycle = new ArrayList<>();
    int event = origin;
    do {
      cycle.add(arrival[event]);
      event = graph.from(arrival[event]);
    } while (event != origin);
    Collections.reverse(cycle);
    return cycle;
  }
}
