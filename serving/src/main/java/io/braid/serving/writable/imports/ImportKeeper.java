package io.braid.serving.writable.imports;

import java.io.IOException;
import java.util.Optional;

/** Where a node keeps how far it is with the import of one store, so that a restart knows. */
public interface ImportKeeper {
  Optional<ImportState> read() throws IOException;

  /** Replaces what was kept, durably. */
  void write(ImportState state) throws IOException;

  /** Keeps it in memory. */
  static ImportKeeper memory() {
    return new ImportKeeper() {
      private volatile Optional<ImportState> kept = Optional.empty();

      @Override
      public Optional<ImportState> read() {
        return kept;
      }

      @Override
      public void write(ImportState state) {
        kept = Optional.of(state);
      }
    };
  }
}
