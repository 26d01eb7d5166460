package io.braid.serving.build;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.runtime.DurableFiles;
import io.braid.serving.chunk.ChunkName;
import io.braid.serving.chunk.Delta;
import io.braid.serving.chunk.FileDigest;
import io.braid.serving.files.SealedLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * Deltas that spare nodes the fetch of data files that they mostly have (section 6). The file
 * {@code .patch} in a folder names the base version and lists the deltas. Nodes fetch index files
 * whole. The folder also has all files whole, for nodes that do not have the base version.
 *
 * @param base the checksum of the base version's manifest
 * @param deltas by the name of the data file that they produce
 * @param insteadOf bytes of those data files
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record Patch(String base, Map<String, FileDigest> deltas, long insteadOf) {
  public static final String NAME = ".patch";
  private static final String FORMAT = "braid-patch-1";
  private static final ObjectMapper JSON = new ObjectMapper();

  public Patch {
    deltas = new TreeMap<>(deltas);
  }

  /** The file with the delta of a data file. */
  public static String delta(String data) {
    return data + ".delta";
  }

  /** Bytes of all deltas. */
  public long bytes() {
    return deltas.values().stream().mapToLong(FileDigest::bytes).sum();
  }

  /**
   * Writes deltas into a folder. A file of which little has stayed gets none.
   *
   * @param before the folder of the same node of an earlier version
   */
  public static Patch make(Path before, Path folder) throws IOException {
    Manifest old = ManifestFile.read(before);
    Manifest fresh = ManifestFile.read(folder);
    Map<String, FileDigest> deltas = new TreeMap<>();
    long insteadOf = 0;
    if (old.place().equals(fresh.place()) && old.kind() == fresh.kind()) {
      for (Manifest.Chunk chunk : fresh.chunks()) {
        ChunkName name = chunk.name();
        if (old.files().containsKey(name.data())) {
          Path delta = folder.resolve(delta(name.data()));
          Delta.write(before, name, folder, name, delta);
          if (Files.size(delta) < chunk.data().bytes() * 3 / 4) {
            deltas.put(name.data(), FileDigest.of(delta));
            insteadOf += chunk.data().bytes();
          } else {
            Files.delete(delta);
          }
        }
      }
    }
    Patch patch = new Patch(old.checksum(), deltas, insteadOf);
    DurableFiles.write(folder.resolve(NAME), patch.encode());
    return patch;
  }

  private byte[] encode() throws IOException {
    ObjectNode root = JSON.createObjectNode().put("format", FORMAT).put("base", base);
    root.put("insteadOf", insteadOf);
    ObjectNode files = root.putObject("deltas");
    deltas.forEach(
        (name, file) ->
            files.putObject(name).put("bytes", file.bytes()).put("sha256", file.sha256()));
    return SealedLine.encode(JSON.writeValueAsString(root));
  }

  /** Reads the bytes of the file; none when they are not as they were written. */
  public static Optional<Patch> decode(byte[] content) throws IOException {
    Optional<String> line = SealedLine.decode(content);
    if (line.isEmpty()) {
      return Optional.empty();
    }
    JsonNode root = JSON.readTree(line.get());
    if (!FORMAT.equals(root.path("format").asText())) {
      return Optional.empty();
    }
    Map<String, FileDigest> deltas = new TreeMap<>();
    root.path("deltas")
        .fields()
        .forEachRemaining(
            file ->
                deltas.put(
                    file.getKey(),
                    new FileDigest(
                        file.getValue().path("bytes").asLong(),
                        file.getValue().path("sha256").asText())));
    return Optional.of(
        new Patch(root.path("base").asText(), deltas, root.path("insteadOf").asLong()));
  }
}
