package io.braid.serving.imports;

import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.ImportedTuple;
import io.braid.serving.writable.ReplicaAgreement;
import io.braid.serving.writable.ReplicaNetwork;
import io.braid.serving.writable.imports.ImportState;
import io.braid.serving.writable.imports.WriteGate;
import java.io.IOException;
import java.util.List;

/** Runs the steps of an import on a node, at the request of an importer. */
public final class ImportEndpoint {
  private final Place place;
  private final ReplicaNetwork network;

  /** The parts of a node that an import uses. */
  public interface Place {
    WriteGate gate(String store);

    Engine engine(String store);

    ReplicaAgreement agreement(String store);

    void deliverHints();

    /** The version of the topology that it knows. */
    long topology();
  }

  /**
   * @param network to the other nodes
   */
  public ImportEndpoint(Place place, ReplicaNetwork network) {
    this.place = place;
    this.network = network;
  }

  /** A step. */
  public void step(String store, ImportState ticket, ImportStep step) throws IOException {
    WriteGate gate = place.gate(store);
    switch (step) {
      case REFUSE -> refuse(gate, ticket);
      case DELIVER -> place.deliverHints();
      case AGREE -> {
        gate.requireIdle(ticket);
        place.agreement(store).spread(network);
      }
      case BEGIN -> gate.begin(ticket);
      case LOCK -> gate.lock(ticket);
      case OPEN -> gate.open(ticket);
      case END -> gate.end(ticket);
      case GIVE_UP -> gate.giveUp(ticket);
    }
  }

  private void refuse(WriteGate gate, ImportState ticket) throws IOException {
    boolean known = gate.state().filter(ticket::isOf).isPresent();
    if (!known && ticket.topology() != place.topology()) {
      throw new ServingException(
          ErrorCode.IMPORT_REFUSED,
          "This node knows version "
              + place.topology()
              + " of the topology, not "
              + ticket.topology()
              + ". Tell all nodes the same, and import again.");
    }
    gate.refuse(ticket);
  }

  /** Stores tuples. */
  public void take(String store, ImportState ticket, List<ImportedTuple> tuples) {
    Engine engine = place.engine(store);
    place.gate(store).take(ticket, () -> ImportedTuple.store(engine, ticket, tuples));
  }
}
