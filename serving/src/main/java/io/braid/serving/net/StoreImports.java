package io.braid.serving.net;

import io.braid.serving.imports.ImportEndpoint;
import io.braid.serving.imports.ImportStep;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.ImportedTuple;
import io.braid.serving.writable.ReplicaAgreement;
import io.braid.serving.writable.ReplicaNetwork;
import io.braid.serving.writable.imports.ImportState;
import io.braid.serving.writable.imports.WriteGate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** A node's part in imports into its read-write stores. */
final class StoreImports implements ImportEndpoint.Place {
  private final WritableStores stores;
  private final Path node;
  private final ImportEndpoint endpoint;
  private final ConcurrentMap<String, WriteGate> gates = new ConcurrentHashMap<>();

  /**
   * @param node the directory of the node
   */
  StoreImports(WritableStores stores, Path node, ReplicaNetwork network) throws IOException {
    this.stores = stores;
    this.node = node;
    this.endpoint = new ImportEndpoint(this, network);
    for (String store : ImportFile.stores(node)) {
      gate(store);
    }
  }

  @Override
  public WriteGate gate(String store) {
    return gates.computeIfAbsent(store, this::open);
  }

  private WriteGate open(String store) {
    try {
      return new WriteGate(store, new ImportFile(node, store));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Engine engine(String store) {
    return stores.engine(store);
  }

  @Override
  public ReplicaAgreement agreement(String store) {
    return stores.agreement(store);
  }

  @Override
  public void deliverHints() {
    stores.pushHints();
  }

  @Override
  public long topology() {
    return stores.topologyVersion();
  }

  /** Refuses what must not happen while any import runs. */
  void refuseWhileAnyRuns() {
    gates.values().forEach(WriteGate::refuseWhileRunning);
  }

  /** The stores into which imports run. */
  List<String> running() {
    return gates.entrySet().stream()
        .filter(each -> each.getValue().state().filter(ImportState::isRunning).isPresent())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The last import into a store that this node knows of. */
  Optional<ImportState> state(String store) {
    stores.engine(store);
    return gate(store).state();
  }

  /** A step that the importer asks for. Partitions do not begin to move while one begins. */
  void step(String store, ImportState ticket, ImportStep step) throws IOException {
    stores.engine(store);
    if (step == ImportStep.REFUSE) {
      try (NodeMoves.Change change = stores.change()) {
        if (gate(store).state().filter(ticket::isOf).isEmpty()) {
          stores.refuseWhileLeased();
        }
        endpoint.step(store, ticket, step);
      }
    } else {
      endpoint.step(store, ticket, step);
    }
  }

  /** Stores tuples of an import. */
  void take(String store, ImportState ticket, List<ImportedTuple> tuples) {
    stores.requireOfLife(store, ticket);
    endpoint.take(store, ticket, tuples);
  }
}
