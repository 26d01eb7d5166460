package io.braid.examples.closure;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.examples.closure.TransitiveClosure.Edge;
import io.braid.testkit.MemoryStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The loop of figure 8 over a real graph: the modules of this Java and what they require. */
class TransitiveClosureTest {
  @ParameterizedTest
  @EnumSource
  void iterationsDoNotSeeWhatTheyWrite(Protocol protocol) throws Exception {
    List<Edge> graph = modules();
    assertThat(graph).hasSizeGreaterThan(50);
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
      db.ensureTable("modules", protocol, TransitiveClosure.FAMILY);
      TransitiveClosure closure = new TransitiveClosure("modules");
      try (Transaction tx = db.begin();
          Snapshot before = db.snapshot()) {
        graph.forEach(edge -> closure.add(tx, edge));
        int iterations = closure.close(tx, 4);
        // Paths double with each iteration; the last one finds that there is nothing more.
        assertThat(iterations).isBetween(2, 8);
        assertThat(closure.edges(tx)).hasSize(reachable(graph).size());
        assertThat(closure.edges(before)).isEmpty();
        tx.commit();
      }
      try (Snapshot after = db.snapshot()) {
        assertThat(new LinkedHashSet<>(closure.edges(after))).isEqualTo(reachable(graph));
      }
    }
  }

  private static List<Edge> modules() {
    List<Edge> edges = new ArrayList<>();
    ModuleLayer.boot()
        .modules()
        .forEach(
            module ->
                module
                    .getDescriptor()
                    .requires()
                    .forEach(to -> edges.add(new Edge(module.getName(), to.name()))));
    return edges;
  }

  /** By walking, one module after another. */
  private static Set<Edge> reachable(List<Edge> graph) {
    Map<String, Set<String>> next = new TreeMap<>();
    graph.forEach(e -> next.computeIfAbsent(e.from(), f -> new TreeSet<>()).add(e.to()));
    Set<Edge> all = new LinkedHashSet<>();
    for (String from : next.keySet()) {
      Deque<String> open = new ArrayDeque<>(next.get(from));
      while (!open.isEmpty()) {
        String to = open.pop();
        if (all.add(new Edge(from, to))) {
          open.addAll(next.getOrDefault(to, Set.of()));
        }
      }
    }
    return all;
  }
}
