package io.braid.serving.rebalance;

import io.braid.core.runtime.Seams;
import io.braid.serving.NotFinishedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Asks the nodes of a rebalancing to do something; what fails on the way is tried again. */
final class RebalanceSteps {
  private static final Duration BETWEEN = Duration.ofMillis(50);
  private static final int TRIES = 3;

  private final Seams seams;
  private final Map<Integer, RebalanceNode> nodes = new TreeMap<>();

  /** A request to a node. */
  interface Step {
    void on(RebalanceNode node) throws IOException;
  }

  RebalanceSteps(Seams seams, List<? extends RebalanceNode> all) {
    this.seams = seams;
    all.forEach(node -> nodes.put(node.id(), node));
  }

  List<RebalanceNode> nodes() {
    return List.copyOf(nodes.values());
  }

  Optional<RebalanceNode> node(int id) {
    return Optional.ofNullable(nodes.get(id));
  }

  /** A step on all nodes: the others do it too when one cannot. */
  void all(String what, Step step) {
    List<String> failed = new ArrayList<>();
    StringBuilder problems = new StringBuilder();
    for (RebalanceNode node : nodes.values()) {
      try {
        each(what, node, step);
      } catch (NotFinishedException e) {
        failed.add(node.name());
        problems.append(problems.isEmpty() ? "" : " ").append(e.getMessage());
      }
    }
    if (!failed.isEmpty()) {
      throw new NotFinishedException(problems.toString(), failed);
    }
  }

  /** A step on one node. */
  void each(String what, RebalanceNode node, Step step) {
    for (int attempt = 1; ; attempt++) {
      try {
        step.on(node);
        return;
      } catch (IOException e) {
        if (attempt == TRIES) {
          throw failed(what, node, e);
        }
        seams.sleep(BETWEEN.multipliedBy(attempt));
      } catch (RuntimeException e) {
        throw failed(what, node, e);
      }
    }
  }

  private static NotFinishedException failed(String what, RebalanceNode node, Exception why) {
    String text = why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage();
    return new NotFinishedException(
        "Node " + node.name() + " could not " + what + ": " + text, List.of(node.name()));
  }
}
