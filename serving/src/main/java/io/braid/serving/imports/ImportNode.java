package io.braid.serving.imports;

import io.braid.serving.writable.ImportedTuple;
import io.braid.serving.writable.imports.ImportState;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A node as an importer sees it. Methods throw IOException when it did not answer, so that nobody
 * knows whether it did what it was asked to; {@link
 * io.braid.serving.writable.imports.ImportBusyException} when it is to be asked again; and another
 * RuntimeException when it refused.
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
