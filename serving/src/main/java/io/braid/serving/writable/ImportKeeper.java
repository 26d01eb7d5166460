package io.braid.serving.writable;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Where a node keeps how far it is with the import of one store, so that a restart knows. */
public interface ImportKeeper {
  Optional<ImportState> read() throws IOException;

  /** Replaces what was kept, durably. */
  void write(ImportState state) throws IOException;

  /** Keeps it in memory. */
  static ImportKeeper memory() {
    AtomicReference<Optional<ImportState>> kept = new AtomicReference<>(Optional.empty());
    return new ImportKeeper() {
      @Override
      public Optional<ImportState> read() {
        return kept.get();
      }

      @Override
      public void write(ImportState state) {
        kept.set(Optional.of(state));
      }
    };
  }
}
