package io.braid.testkit.checker;

import io.braid.testkit.checker.SeenTransaction.AppendStep;
import io.braid.testkit.checker.SeenTransaction.Step;
import io.braid.testkit.history.HistoryEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The constraints of the clients' clock on transactions that may take effect in the past: those of
 * Omid's fast path (section 2.2). Of the transactions that ended before a fast-path transaction
 * began, it must come after
 *
 * <ul>
 *   <li>the writers of a key that it writes itself (2.2, condition i);
 *   <li>the writers of a key that it reads, if they are of the fast path too: their writes have no
 *       post-commit to wait for.
 * </ul>
 *
 * <p>A regular transaction that begins after a fast-path transaction has ended comes after it, as
 * after all others.
 */
final class RelaxedClock {
  private final List<SeenTransaction> committed;
  private final EventGraph graph;
  private final Map<ListKey, List<SeenTransaction>> writers = new LinkedHashMap<>();

  RelaxedClock(List<SeenTransaction> committed, EventGraph graph) {
    this.committed = committed;
    this.graph = graph;
  }

  void add() {
    if (committed.stream().noneMatch(t -> t.relaxed)) {
      return;
    }
    for (SeenTransaction transaction : committed) {
      if (transaction.type == HistoryEntry.Type.OK) {
        for (ListKey key : written(transaction)) {
          writers.computeIfAbsent(key, k -> new ArrayList<>()).add(transaction);
        }
      }
    }
    for (SeenTransaction transaction : committed) {
      if (transaction.relaxed) {
        Set<ListKey> written = written(transaction);
        Set<ListKey> keys = new LinkedHashSet<>();
        transaction.steps.forEach(step -> keys.add(step.key()));
        keys.forEach(key -> add(transaction, key, written.contains(key)));
      }
    }
  }

  private void add(SeenTransaction transaction, ListKey key, boolean writes) {
    for (SeenTransaction writer : writers.getOrDefault(key, List.of())) {
      if (writer.end < transaction.start && (writes || writer.relaxed)) {
        graph.edge(
            EdgeKind.CLOCK,
            EventGraph.commit(writer.number),
            EventGraph.begin(transaction.number),
            EventGraph.NO_KEY);
      }
    }
  }

  private static Set<ListKey> written(SeenTransaction transaction) {
    Set<ListKey> keys = new LinkedHashSet<>();
    for (Step step : transaction.steps) {
      if (step instanceof AppendStep append) {
        keys.add(append.key());
      }
    }
    return keys;
  }
}
