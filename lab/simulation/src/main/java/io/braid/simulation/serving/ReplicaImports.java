package io.braid.simulation.serving;

import io.braid.serving.imports.ImportEndpoint;
import io.braid.serving.imports.ImportInput;
import io.braid.serving.imports.ImportNode;
import io.braid.serving.imports.ImportStep;
import io.braid.serving.imports.StoreImport;
import io.braid.serving.ring.Node;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.ImportedTuple;
import io.braid.serving.writable.ReplicaAgreement;
import io.braid.serving.writable.imports.ImportKeeper;
import io.braid.serving.writable.imports.ImportState;
import io.braid.serving.writable.imports.WriteGate;
import io.braid.simulation.schedule.SimulationFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Imports into the read-write store of a {@link ReplicaWorld}, by importers that may die. */
public final class ReplicaImports {
  private final ReplicaWorld world;
  private final Map<Integer, ImportKeeper> kept = new TreeMap<>();
  private final Map<Integer, WriteGate> gates = new TreeMap<>();
  private final Map<Integer, ImportEndpoint> endpoints = new TreeMap<>();

  ReplicaImports(ReplicaWorld world, List<Integer> nodes) {
    this.world = world;
    for (int id : nodes) {
      kept.put(id, ImportKeeper.memory());
      restart(id);
      endpoints.put(id, new ImportEndpoint(new Place(id), world.network("n" + id)));
    }
  }

  /** A node forgets what it does not keep on its disk. */
  public void restart(int id) {
    try {
      gates.put(
          id, new WriteGate(ReplicaWorld.STORE, kept.getOrDefault(id, ImportKeeper.memory())));
    } catch (IOException e) {
      throw new SimulationFailure("Memory cannot be read: " + e.getMessage());
    }
  }

  /** A node lost what it kept. */
  void loseDisk(int id) {
    kept.put(id, ImportKeeper.memory());
    restart(id);
  }

  WriteGate gate(int id) {
    WriteGate gate = gates.get(id);
    if (gate == null) {
      throw new SimulationFailure("There is no node " + id + ".");
    }
    return gate;
  }

  /** How far each node is. */
  public List<ImportState> states() {
    return gates.values().stream().flatMap(gate -> gate.state().stream()).toList();
  }

  /** The number of the last import; 0: there was none. */
  public long last() {
    return states().stream().map(ImportState::number).max(Comparator.naturalOrder()).orElse(0L);
  }

  public boolean isAnyRunning() {
    return states().stream().anyMatch(ImportState::isRunning);
  }

  /**
   * Returns an importer.
   *
   * @param calls the number of calls after which the importer is dead and reaches no node
   */
  public StoreImport importer(String id, long calls) {
    return importer(id, calls, step -> {});
  }

  /**
   * Returns an importer, like {@link #importer(String, long)}.
   *
   * @param before takes each step at a node before the step happens
   */
  public StoreImport importer(String id, long calls, Consumer<ImportStep> before) {
    long[] left = {calls};
    List<Called> nodes = new ArrayList<>();
    for (Node node : world.newest().ring().nodes()) {
      nodes.add(new Called(node, left, before));
    }
    return new StoreImport(
        world.seams(), nodes, world.newest(), ReplicaWorld.STORE, id, (step, done, total) -> {});
  }

  /** Tuples from memory. */
  public static ImportInput input(List<ImportedTuple> tuples) {
    Iterator<ImportedTuple> left = tuples.iterator();
    return new ImportInput() {
      @Override
      public String fingerprint() {
        return tuples.toString();
      }

      @Override
      public long count() {
        return tuples.size();
      }

      @Override
      public @Nullable ImportedTuple next() {
        return left.hasNext() ? left.next() : null;
      }
    };
  }

  /** A node as an importer reaches it. */
  private final class Called implements ImportNode {
    private final Node node;
    private final long[] left;
    private final Consumer<ImportStep> before;

    Called(Node node, long[] left, Consumer<ImportStep> before) {
      this.node = node;
      this.left = left;
      this.before = before;
    }

    private <T> T call(ReplicaLinks.Effect<T> effect) throws IOException {
      if (left[0]-- <= 0) {
        throw new IOException("the importer is dead");
      }
      return world.call("c0", node, effect);
    }

    private ImportEndpoint endpoint() {
      ImportEndpoint endpoint = endpoints.get(node.id());
      if (endpoint == null) {
        throw new SimulationFailure("There is no node " + node.id() + ".");
      }
      return endpoint;
    }

    @Override
    public int id() {
      return node.id();
    }

    @Override
    public String name() {
      return "n" + node.id();
    }

    @Override
    public Optional<ImportState> state(String store) throws IOException {
      return call(id -> gate(id).state());
    }

    @Override
    public void step(String store, ImportState ticket, ImportStep step) throws IOException {
      before.accept(step);
      call(
          id -> {
            endpoint().step(store, ticket, step);
            return true;
          });
    }

    @Override
    public void take(String store, ImportState ticket, List<ImportedTuple> tuples)
        throws IOException {
      call(
          id -> {
            endpoint().take(store, ticket, tuples);
            return true;
          });
    }
  }

  /** A node as it sees itself. */
  private final class Place implements ImportEndpoint.Place {
    private final int id;

    Place(int id) {
      this.id = id;
    }

    @Override
    public WriteGate gate(String store) {
      return ReplicaImports.this.gate(id);
    }

    @Override
    public Engine engine(String store) {
      return world.engine(id);
    }

    @Override
    public ReplicaAgreement agreement(String store) {
      return world.agreement(id);
    }

    @Override
    public void deliverHints() {
      world.pushHints(id);
    }

    @Override
    public long topology() {
      return world.topology(id).version();
    }
  }
}
