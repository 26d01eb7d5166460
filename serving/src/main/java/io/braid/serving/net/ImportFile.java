package io.braid.serving.net;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.core.runtime.DurableFiles;
import io.braid.serving.StoreNames;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.files.SealedLine;
import io.braid.serving.writable.imports.ImportKeeper;
import io.braid.serving.writable.imports.ImportState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The file {@code .import-STORE} in the directory of a node: how far it is with the last import
 * into a read-write store.
 */
final class ImportFile implements ImportKeeper {
  private static final String PREFIX = ".import-";
  private static final int LIMIT = 1 << 16;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;

  ImportFile(Path node, String store) {
    this.file = node.resolve(PREFIX + StoreNames.store(store));
  }

  /** The stores of a node that have had an import. */
  static List<String> stores(Path node) throws IOException {
    return DurableFiles.list(node).stream()
        .map(file -> String.valueOf(file.getFileName()))
        .filter(name -> name.startsWith(PREFIX))
        .map(name -> name.substring(PREFIX.length()))
        .filter(StoreNames::isStore)
        .toList();
  }

  @Override
  public Optional<ImportState> read() throws IOException {
    String line =
        SealedLine.read(
                file,
                LIMIT,
                damaged ->
                    new BadManifestException(
                        damaged
                            + ": it tells whether an import keeps writes out here. Look at the "
                            + "other nodes' files of this name: take the one of a node over if "
                            + "they are the same, and start this node again."))
            .orElse("");
    if (line.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(ImportState.decode(JSON.readTree(line)));
  }

  @Override
  public void write(ImportState state) throws IOException {
    DurableFiles.write(file, SealedLine.encode(JSON.writeValueAsString(state.encode())));
  }
}
