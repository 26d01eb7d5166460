package io.braid.serving.imports;

import io.braid.serving.ServingException;
import io.braid.serving.writable.ImportedTuple;
import io.braid.serving.writable.imports.ImportState;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A node as an importer sees it. Methods throw IOException when the node did not answer, so that
 * the outcome of the step is unknown. They throw {@link ServingException} {@code IMPORT_BUSY} when
 * the importer must ask again, and another RuntimeException when the node refused.
 */
public interface ImportNode {
  int id();

  /** For messages. */
  String name();

  /** How far it is with the last import into a store. */
  Optional<ImportState> state(String store) throws IOException;

  void step(String store, ImportState ticket, ImportStep step) throws IOException;

  /** Stores tuples; any number of times. */
  void take(String store, ImportState ticket, List<ImportedTuple> tuples) throws IOException;
}
