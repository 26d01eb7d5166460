package io.braid.serving.writable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * How far a node is with an import into a read-write store (Hadoop on PNUTS, section 6.2: of the
 * two ways to write one is open at a time).
 *
 * @param id given by who imports; going on with an import needs it
 * @param number of the imports of a store; in the clock of every tuple that was imported
 * @param begun milliseconds since 1970, the time of every tuple that is imported
 * @param input stands for the tuples: going on with others is refused
 * @param topology the version by which the importer sends tuples
 */
public record ImportState(
    String id, long number, long begun, String input, long topology, Phase phase) {

  /** What a node does. */
  public enum Phase {
    /** It takes no new writes, and brings those that it took to the other replicas. */
    REFUSING,

    /** It takes tuples of the import, and no writes. */
    IMPORTING,

    /** All is imported: it takes neither until all nodes have come so far. */
    LOCKED,

    /** It takes neither until all nodes know that the import is given up. */
    ENDING,

    /** It takes writes. */
    DONE,

    /** It takes writes; some tuples may have been imported. */
    GIVEN_UP;

    /** Whether writes are refused. */
    public boolean isRunning() {
      return this != DONE && this != GIVEN_UP;
    }
  }

  public ImportState {
    if (!id.matches("[A-Za-z0-9_.-]{1,64}")) {
      throw new IllegalArgumentException(
          "'" + id + "' is no id of an import: use letters, digits, '_', '-' and '.', at most 64.");
    }
    if (number < 1) {
      throw new IllegalArgumentException("Imports are numbered from 1 on, not " + number + ".");
    }
  }

  ImportState in(Phase other) {
    return new ImportState(id, number, begun, input, topology, other);
  }

  public boolean isRunning() {
    return phase.isRunning();
  }

  /** Whether both are of one import. */
  public boolean isOf(ImportState other) {
    return id.equals(other.id) && number == other.number;
  }

  public ObjectNode encode() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("id", id)
        .put("number", number)
        .put("begun", begun)
        .put("input", input)
        .put("topology", topology)
        .put("phase", phase.name());
  }

  public static ImportState decode(JsonNode node) {
    return new ImportState(
        node.path("id").asText(),
        node.path("number").asLong(),
        node.path("begun").asLong(),
        node.path("input").asText(),
        node.path("topology").asLong(),
        Phase.valueOf(node.path("phase").asText(Phase.REFUSING.name())));
  }
}
