package io.braid.testkit.checker;

import java.util.BitSet;
import java.util.List;

/**
 * Finds the cycles of an {@link EventGraph} and reports the shortest ones. Looks for cycles of the
 * weaker kinds of edges first, as they break weaker promises. Cycles that share a transaction with
 * a reported one are not reported.
 */
final class CycleReport {
  private static final int STARTS = 32;

  private final EventGraph graph;
  private final List<SeenTransaction> committed;
  private final List<ListKey> keys;
  private final Findings findings;
  private final ShortestCycle shortest;
  private final BitSet told = new BitSet();

  CycleReport(
      EventGraph graph, List<SeenTransaction> committed, List<ListKey> keys, Findings findings) {
    this.graph = graph;
    this.committed = committed;
    this.keys = keys;
    this.findings = findings;
    this.shortest = new ShortestCycle(graph);
  }

  void report() {
    for (EdgeKind strongest : List.of(EdgeKind.WW, EdgeKind.WR, EdgeKind.RW, EdgeKind.LATER)) {
      for (int[] component : Components.cyclic(graph, strongest.upTo())) {
        if (!isTold(component)) {
          tell(component, strongest.upTo());
        }
      }
    }
  }

  private boolean isTold(int[] component) {
    for (int event : component) {
      if (told.get(event)) {
        return true;
      }
    }
    return false;
  }

  private void tell(int[] component, int kinds) {
    shortest.within(component);
    int step = Math.max(1, component.length / STARTS);
    Cycle best = null;
    for (int i = 0; i < component.length; i += step) {
      Cycle cycle = cycleFrom(component, i, kinds);
      if (best == null || cycle.links().size() < best.links().size()) {
        best = cycle;
      }
    }
    if (best != null) {
      findings.add(best.anomaly());
    }
    for (int event : component) {
      told.set(event);
    }
  }

  /** A cycle through the first event of a transaction from a place on. */
  private Cycle cycleFrom(int[] component, int place, int kinds) {
    int i = place;
    while (component[i] >= 2 * committed.size()) {
      i = (i + 1) % component.length;
    }
    return Cycle.of(graph, committed, keys, shortest.through(component[i], kinds));
  }
}
