package io.braid.serving.writable;

import io.braid.serving.ring.Node;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.imports.ImportState;
import io.braid.serving.writable.imports.WriteGate;
import java.io.IOException;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Lets a node that gets its tuples from others learn of their imports, too. So the next import has
 * a higher number than all in clocks, and an import that has ended is not repeated. All nodes that
 * have not lost their tuples know an import that has ended, so the answer of one is enough. Only
 * the nodes that the tuples came from are asked, after the tuples have come.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ImportHistory {
  private final ReplicaNetwork network;
  private final Topology topology;
  private final int self;
  private final String store;

  public ImportHistory(ReplicaNetwork network, Topology topology, int self, String store) {
    this.network = network;
    this.topology = topology;
    this.self = self;
    this.store = store;
  }

  /**
   * Asks the others.
   *
   * @return why it is not enough yet, a sentence; none when the node knows what they know
   */
  public Optional<String> learn(WriteGate gate) throws IOException {
    Optional<ImportState> newest = Optional.empty();
    boolean answered = topology.ring().nodes().size() == 1;
    String silent = "";
    for (Node node : topology.ring().nodes()) {
      if (node.id() != self) {
        try {
          newest = later(newest, network.imported(node, store));
          answered = true;
        } catch (IOException | RuntimeException e) {
          silent = "Node " + node.id() + " does not tell of imports: " + e.getMessage();
        }
      }
    }
    if (newest.filter(ImportState::isRunning).isPresent()) {
      return Optional.of("Import " + newest.get().id() + " has not ended.");
    }
    if (newest.isPresent()) {
      gate.learn(newest.get());
    }
    return answered ? Optional.empty() : Optional.of(silent);
  }

  private static Optional<ImportState> later(
      Optional<ImportState> one, Optional<ImportState> other) {
    return one.isPresent() && (other.isEmpty() || one.get().number() >= other.get().number())
        ? one
        : other;
  }
}
