package io.braid.serving.imports;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.serving.NotFinishedException;
import io.braid.serving.ServingException;
import io.braid.serving.client.Parallel;
import io.braid.serving.writable.imports.ImportState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Asks the nodes of an import, all at a time; what fails on the way is tried again. */
final class ImportSteps {
  private static final Duration BETWEEN = Duration.ofMillis(50);
  private static final int TRIES = 3;

  /** So often it is looked whether a node that works has come to rest. */
  private static final int LOOKS = 200;

  private final Seams seams;
  private final String store;
  private final List<ImportNode> nodes;

  /** A request to a node. */
  interface NodeRequest {
    void of(ImportNode node) throws IOException;
  }

  ImportSteps(Seams seams, String store, List<? extends ImportNode> nodes) {
    this.seams = seams;
    this.store = store;
    this.nodes = List.copyOf(nodes);
  }

  /** The nodes that can be asked, and how far they are. */
  record NodeAnswers(Map<Integer, Optional<ImportState>> states, Map<Integer, String> silent) {
    List<ImportState> known() {
      return states.values().stream().flatMap(Optional::stream).toList();
    }

    void requireAll() {
      if (!silent.isEmpty()) {
        throw new NotFinishedException(String.join(" ", silent.values()), List.of());
      }
    }
  }

  NodeAnswers states() {
    Map<Integer, Optional<ImportState>> states = new ConcurrentHashMap<>();
    Map<Integer, String> silent =
        ask(nodes, "tell how far it is", node -> states.put(node.id(), node.state(store)));
    return new NodeAnswers(new TreeMap<>(states), silent);
  }

  /** A step on nodes: the others do it too when one cannot. */
  void step(Collection<Integer> which, ImportState ticket, ImportStep step, String what) {
    each(which, what, node -> node.step(store, ticket, step));
  }

  void all(ImportState ticket, ImportStep step, String what) {
    step(ids(), ticket, step, what);
  }

  List<Integer> ids() {
    return nodes.stream().map(ImportNode::id).toList();
  }

  void each(Collection<Integer> which, String what, NodeRequest ask) {
    List<ImportNode> asked = nodes.stream().filter(node -> which.contains(node.id())).toList();
    Map<Integer, String> problems = ask(asked, what, ask);
    if (!problems.isEmpty()) {
      List<String> names =
          asked.stream()
              .filter(node -> problems.containsKey(node.id()))
              .map(ImportNode::name)
              .toList();
      throw new NotFinishedException(String.join(" ", problems.values()), names);
    }
  }

  private Map<Integer, String> ask(List<ImportNode> asked, String what, NodeRequest ask) {
    Map<Integer, String> problems = new ConcurrentHashMap<>();
    List<Runnable> jobs = new ArrayList<>();
    for (ImportNode node : asked) {
      jobs.add(() -> one(node, what, ask).ifPresent(p -> problems.put(node.id(), p)));
    }
    Parallel.run(seams, "import-" + store, jobs);
    return new TreeMap<>(problems);
  }

  private Optional<String> one(ImportNode node, String what, NodeRequest ask) {
    int silences = 0;
    int looks = 0;
    while (true) {
      try {
        ask.of(node);
        return Optional.empty();
      } catch (IOException e) {
        if (++silences == TRIES) {
          return problem(node, what, e);
        }
      } catch (RuntimeException e) {
        if (!isBusy(e) || ++looks == LOOKS) {
          return problem(node, what, e);
        }
      }
      seams.sleep(BETWEEN);
    }
  }

  private static boolean isBusy(RuntimeException failure) {
    return failure instanceof ServingException refusal && refusal.code() == ErrorCode.IMPORT_BUSY;
  }

  private static Optional<String> problem(ImportNode node, String what, Exception why) {
    String text = why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage();
    return Optional.of("Node " + node.name() + " could not " + what + ": " + text);
  }
}
