package io.braid.serving.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.braid.core.runtime.DurableFiles;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.files.SealedLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * The read-write stores that have to be refilled before a node answers for them, as file {@code
 * .refill} of its directory; there is none when there are none.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class RefillFile {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NAME = ".refill";
  private static final int LIMIT = 16 << 20;

  private RefillFile() {}

  public static Set<String> read(Path node) throws IOException {
    String line =
        SealedLine.read(
                node.resolve(NAME),
                LIMIT,
                damaged ->
                    new BadManifestException(
                        damaged
                            + ": it names stores that are to be refilled from other replicas. "
                            + "Start the node with an empty directory, so that all are."))
            .orElse("");
    if (line.isEmpty()) {
      return Set.of();
    }
    JsonNode names = JSON.readTree(line);
    Set<String> stores = new TreeSet<>();
    names.forEach(name -> stores.add(name.asText()));
    return Set.copyOf(stores);
  }

  public static void write(Path node, Set<String> stores) throws IOException {
    if (stores.isEmpty()) {
      Files.deleteIfExists(node.resolve(NAME));
      DurableFiles.syncDirectory(node);
    } else {
      ArrayNode names = JSON.createArrayNode();
      new TreeSet<>(stores).forEach(names::add);
      DurableFiles.write(node.resolve(NAME), SealedLine.encode(JSON.writeValueAsString(names)));
    }
  }
}
