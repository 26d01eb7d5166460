package io.braid.serving.build;

import io.braid.serving.chunk.ChunkName;
import io.braid.serving.chunk.Compression;
import io.braid.serving.chunk.FileDigest;
import io.braid.serving.chunk.IndexKind;
import io.braid.serving.chunk.Placement;
import io.braid.serving.ring.StoreDefinition;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * The required content of a version's folder (section 4.2.1); its {@code .metadata}.
 *
 * @param node the node that the folder belongs to
 * @param replicas of each tuple in the cluster
 * @param zones replicas in each zone; empty if zones do not matter
 * @param keys in the whole store, each counted once
 * @param minimumKeys the fewest keys with which the version is served
 * @param schema the form of the values, for their readers
 * @param compression of single values or of blocks, depending on the kind of the index
 * @param snapshot the timestamp of the snapshot that the tuples were read at, if there was one
 */
@API(status = API.Status.EXPERIMENTAL)
public record Manifest(
    String store,
    int node,
    IndexKind kind,
    Placement place,
    int replicas,
    Map<Integer, Integer> zones,
    long keys,
    long minimumKeys,
    int schema,
    Compression compression,
    OptionalLong snapshot,
    List<Chunk> chunks) {

  /** A pair of files. */
  public record Chunk(ChunkName name, long records, FileDigest data, FileDigest index) {}

  public Manifest {
    for (Chunk chunk : chunks) {
      if (chunk.name.partition() >= place.partitions()
          || chunk.name.chunk() >= place.chunks()
          || chunk.records < 0
          || chunk.data.bytes() < 0
          || chunk.index.bytes() < 0) {
        throw new IllegalArgumentException("chunk " + chunk.name + " cannot be");
      }
    }
    zones = Map.copyOf(zones);
    chunks = chunks.stream().sorted((a, b) -> a.name().compareTo(b.name())).toList();
  }

  /** The same for other chunks, of another node. */
  public Manifest with(int otherNode, List<Chunk> others) {
    return new Manifest(
        store,
        otherNode,
        kind,
        place,
        replicas,
        zones,
        keys,
        minimumKeys,
        schema,
        compression,
        snapshot,
        others);
  }

  /** Whether two folders are of one version of a store. */
  public boolean isOfSameBuild(Manifest other) {
    return with(0, List.of()).equals(other.with(0, List.of()));
  }

  /** Returns the facts of the store that clients must know. */
  public StoreDefinition definition() {
    return StoreDefinition.readOnly(store, kind.hash(), replicas, zones);
  }

  /** The partitions of which this folder has a replica. */
  public Set<Integer> held() {
    Set<Integer> held = new TreeSet<>();
    chunks.forEach(chunk -> held.add(chunk.name.partition()));
    return held;
  }

  /** Tuples in this folder. */
  public long records() {
    return chunks.stream().mapToLong(Chunk::records).sum();
  }

  public long bytes() {
    return chunks.stream().mapToLong(chunk -> chunk.data.bytes() + chunk.index.bytes()).sum();
  }

  public long indexBytes() {
    return chunks.stream().mapToLong(chunk -> chunk.index.bytes()).sum();
  }

  /** Every file by its name. */
  public TreeMap<String, FileDigest> files() {
    TreeMap<String, FileDigest> files = new TreeMap<>();
    for (Chunk chunk : chunks) {
      files.put(chunk.name.data(), chunk.data);
      files.put(chunk.name.index(), chunk.index);
    }
    return files;
  }

  /** The checksum of the checksums of all files: two folders with the same one hold the same. */
  public String checksum() {
    MessageDigest digest = FileDigest.begin();
    files()
        .forEach(
            (name, file) ->
                digest.update(
                    (name + " " + file.sha256() + "\n").getBytes(StandardCharsets.UTF_8)));
    return FileDigest.text(digest);
  }
}
