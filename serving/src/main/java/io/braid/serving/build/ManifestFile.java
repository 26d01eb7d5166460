package io.braid.serving.build;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.runtime.DurableFiles;
import io.braid.serving.chunk.ChunkName;
import io.braid.serving.chunk.Compression;
import io.braid.serving.chunk.FileDigest;
import io.braid.serving.chunk.IndexKind;
import io.braid.serving.chunk.Placement;
import io.braid.serving.files.SealedLine;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The file {@code .metadata}: a line of JSON, then a line with the SHA-256 of the first. Written
 * last, so a folder without it is not whole.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ManifestFile {
  public static final String NAME = ".metadata";
  private static final String FORMAT = "braid-store-1";

  /** Longest file that is read. */
  public static final int LIMIT = 64 << 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  private ManifestFile() {}

  public static void write(Path folder, Manifest manifest) throws IOException {
    DurableFiles.write(folder.resolve(NAME), encode(manifest));
  }

  /**
   * Reads the manifest of a folder.
   *
   * @throws BadManifestException when there is none or it is not as it was written
   */
  public static Manifest read(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    byte[] content;
    try {
      content = DurableFiles.read(file, LIMIT);
    } catch (NoSuchFileException e) {
      throw new BadManifestException(
          "There is no " + file + ": this is no folder of a store, or its build did not finish.");
    }
    return decode(content, file.toString());
  }

  /** The bytes of the file. */
  public static byte[] encode(Manifest manifest) throws IOException {
    ObjectNode root = JSON.createObjectNode();
    root.put("format", FORMAT).put("store", manifest.store()).put("node", manifest.node());
    root.put("index", manifest.kind().text());
    root.put("partitions", manifest.place().partitions()).put("chunks", manifest.place().chunks());
    root.put("replicas", manifest.replicas());
    if (!manifest.zones().isEmpty()) {
      ObjectNode zones = root.putObject("zones");
      new TreeMap<>(manifest.zones()).forEach((zone, n) -> zones.put(zone.toString(), n));
    }
    root.put("keys", manifest.keys()).put("minimumKeys", manifest.minimumKeys());
    root.put("schema", manifest.schema());
    if (manifest.compression() != Compression.NONE) {
      root.put("compression", manifest.compression().text());
    }
    if (manifest.snapshot().isPresent()) {
      root.put("snapshot", manifest.snapshot().getAsLong());
    }
    root.put("checksum", manifest.checksum());
    ArrayNode files = root.putArray("files");
    for (Manifest.Chunk chunk : manifest.chunks()) {
      ObjectNode node = files.addObject();
      node.put("chunk", chunk.name().toString()).put("records", chunk.records());
      node.put("dataBytes", chunk.data().bytes()).put("dataSha256", chunk.data().sha256());
      node.put("indexBytes", chunk.index().bytes()).put("indexSha256", chunk.index().sha256());
    }
    return SealedLine.encode(JSON.writeValueAsString(root));
  }

  /** Reads the bytes of the file; {@code from} is for messages. */
  public static Manifest decode(byte[] content, String from) {
    String line =
        SealedLine.decode(content)
            .orElseThrow(
                () ->
                    new BadManifestException(
                        from
                            + " is damaged: its checksum is wrong. Build or fetch the version"
                            + " again."));
    try {
      JsonNode root = JSON.readTree(line);
      if (!FORMAT.equals(root.path("format").asText())) {
        throw new BadManifestException(from + " is of another format than " + FORMAT + ".");
      }
      Manifest manifest = manifest(root);
      if (!manifest.checksum().equals(root.path("checksum").asText())) {
        throw new BadManifestException(from + " contradicts itself: the checksum of its files.");
      }
      return manifest;
    } catch (IOException | IllegalArgumentException e) {
      throw new BadManifestException(from + " cannot be understood: " + e.getMessage());
    }
  }

  private static Map<Integer, Integer> zones(JsonNode root) {
    Map<Integer, Integer> zones = new TreeMap<>();
    root.path("zones")
        .fields()
        .forEachRemaining(
            zone -> zones.put(Integer.valueOf(zone.getKey()), zone.getValue().asInt()));
    return zones;
  }

  private static Manifest manifest(JsonNode root) {
    List<Manifest.Chunk> chunks = new ArrayList<>();
    for (JsonNode node : root.withArray("files")) {
      ChunkName name =
          ChunkName.ofFile(node.path("chunk").asText() + ".data")
              .orElseThrow(
                  () -> new IllegalArgumentException("'" + node.path("chunk") + "' is no chunk."));
      chunks.add(
          new Manifest.Chunk(
              name,
              node.path("records").asLong(),
              new FileDigest(node.path("dataBytes").asLong(), node.path("dataSha256").asText()),
              new FileDigest(node.path("indexBytes").asLong(), node.path("indexSha256").asText())));
    }
    return new Manifest(
        root.path("store").asText(),
        root.path("node").asInt(),
        IndexKind.named(root.path("index").asText()),
        new Placement(root.path("partitions").asInt(), root.path("chunks").asInt()),
        root.path("replicas").asInt(),
        zones(root),
        root.path("keys").asLong(),
        root.path("minimumKeys").asLong(),
        root.path("schema").asInt(),
        Compression.named(root.path("compression").asText()),
        root.has("snapshot")
            ? OptionalLong.of(root.get("snapshot").asLong())
            : OptionalLong.empty(),
        chunks);
  }
}
