package io.braid.serving.writable.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * How far a node is with an import into a read-write store (Hadoop on PNUTS, section 6.2: only one
 * of the two ways to write is open at a time).
 *
 * @param id given by the importer; going on with an import needs it
 * @param number counts the imports of a store; in the clock of every tuple that was imported
 * @param begun milliseconds since 1970, the time of every tuple that is imported
 * @param input identifies the tuples: going on with others is refused
 * @param topology the version by which the importer sends tuples
 * @param before the imports that ended before this one, the last of them
 */
public record ImportState(
    String id,
    long number,
    long begun,
    String input,
    long topology,
    Phase phase,
    List<EndedImport> before) {
  /** The most ended imports that are remembered. */
  private static final int MOST_ENDED = 200;

  /**
   * An import that has come to its end.
   *
   * @param topology of its state
   */
  public record EndedImport(String id, String input, long topology) {}

  /** The phase of an import on a node. */
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

  public ImportState(String id, long number, long begun, String input, long topology, Phase phase) {
    this(id, number, begun, input, topology, phase, List.of());
  }

  public ImportState {
    before = List.copyOf(before);
    if (!id.matches("[A-Za-z0-9_.-]{1,64}")) {
      throw new IllegalArgumentException(
          "'" + id + "' is no id of an import: use letters, digits, '_', '-' and '.', at most 64.");
    }
    if (number < 1) {
      throw new IllegalArgumentException("Imports are numbered from 1 on, not " + number + ".");
    }
  }

  public ImportState in(Phase other) {
    return new ImportState(id, number, begun, input, topology, other, before);
  }

  /** This one, which remembers all that {@code last} does, and that one too. */
  ImportState after(ImportState last) {
    List<EndedImport> ended = new ArrayList<>(last.before);
    if (last.phase == Phase.DONE) {
      ended.removeIf(each -> each.id.equals(last.id));
      ended.add(new EndedImport(last.id, last.input, last.topology));
    }
    int most = Math.min(MOST_ENDED, ended.size());
    List<EndedImport> kept = ended.subList(ended.size() - most, ended.size());
    return new ImportState(id, number, begun, input, topology, phase, kept);
  }

  public boolean isRunning() {
    return phase.isRunning();
  }

  /** Whether both are of one import. */
  public boolean isOf(ImportState other) {
    return id.equals(other.id) && number == other.number;
  }

  public ObjectNode encode() {
    ObjectNode object =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", id)
            .put("number", number)
            .put("begun", begun)
            .put("input", input)
            .put("topology", topology)
            .put("phase", phase.name());
    if (!before.isEmpty()) {
      ArrayNode ended = object.putArray("before");
      before.forEach(
          each ->
              ended
                  .addObject()
                  .put("id", each.id)
                  .put("input", each.input)
                  .put("topology", each.topology));
    }
    return object;
  }

  public static ImportState decode(JsonNode node) {
    List<EndedImport> before = new ArrayList<>();
    for (JsonNode each : node.path("before")) {
      before.add(
          new EndedImport(
              each.path("id").asText(),
              each.path("input").asText(),
              each.path("topology").asLong()));
    }
    return new ImportState(
        node.path("id").asText(),
        node.path("number").asLong(),
        node.path("begun").asLong(),
        node.path("input").asText(),
        node.path("topology").asLong(),
        Phase.valueOf(node.path("phase").asText(Phase.REFUSING.name())),
        before);
  }
}
