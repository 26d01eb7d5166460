package io.braid.serving.build;

import io.braid.core.data.Bytes;
import io.braid.serving.chunk.ChunkName;
import io.braid.serving.chunk.ChunkWriter;
import io.braid.serving.chunk.Limits;
import io.braid.serving.chunk.Placement;
import io.braid.serving.files.Durable;
import io.braid.serving.ring.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * Builds a version of a store (section 4.2.1): tuples in any order become a folder {@code node-N}
 * for each node, chunk after chunk in the order of hashes. All replicas of a chunk are the same
 * bytes, so they are written once and linked.
 *
 * <p>The output depends on the tuples and the plan alone, not on the memory. A folder is whole when
 * its {@code .metadata} is there.
 */
public final class StoreBuilder implements AutoCloseable {
  private static final long CHUNK_BYTES = 512L << 20;

  private final BuildPlan plan;
  private final Path out;
  private final ExternalSort sort;
  private boolean finished;

  /** What was built: the manifest of each node's folder. */
  public record Built(Map<Integer, Manifest> manifests) {
    /** Keys of the store. */
    public long keys() {
      return manifests.values().iterator().next().keys();
    }
  }

  /**
   * @param out a directory that is empty or not there
   */
  public StoreBuilder(BuildPlan plan, Path out) throws IOException {
    if (!Durable.list(out).isEmpty()) {
      throw new IllegalArgumentException(
          "Directory " + out + " is not empty: name another one, or clear it first.");
    }
    this.plan = plan;
    this.out = Files.createDirectories(out);
    this.sort = new ExternalSort(out.resolve(".sort"), plan.memory());
  }

  /** The folder of a node. */
  public static Path folder(Path out, int node) {
    return out.resolve("node-" + node);
  }

  public void add(Bytes key, Bytes value) throws IOException {
    Limits.check(key, value);
    sort.add(plan.kind().hash().of(key.toArray()), key, value);
  }

  /** As {@link #finish(LongConsumer)}, in silence. */
  public Built finish() throws IOException {
    return finish(keys -> {});
  }

  /**
   * Writes the folders.
   *
   * @param progress is told now and then how many tuples were written
   * @throws DuplicateKeyException when a key came twice and must not
   * @throws TooFewKeysException when there are fewer than the plan's minimum
   */
  public Built finish(LongConsumer progress) throws IOException {
    int partitions = plan.routing().ring().partitions();
    Placement place = new Placement(partitions, chunks(partitions));
    Map<Integer, List<Manifest.Chunk>> byNode = new TreeMap<>();
    for (Node node : plan.routing().ring().nodes()) {
      Files.createDirectories(folder(out, node.id()));
      byNode.put(node.id(), new ArrayList<>());
    }
    long keys = 0;
    try (DistinctEntries entries =
        new DistinctEntries(sort.sorted(), plan.duplicates(), plan.reducer())) {
      boolean more = entries.next();
      for (int partition = 0; partition < partitions; partition++) {
        List<Node> nodes = plan.routing().nodes(partition);
        for (int chunk = 0; chunk < place.chunks(); chunk++) {
          ChunkName name = new ChunkName(partition, 0, chunk);
          Path folder = folder(out, nodes.get(0).id());
          ChunkWriter.Written written;
          try (ChunkWriter writer =
              new ChunkWriter(plan.kind(), plan.compression(), place, name, folder)) {
            while (more && isIn(place, name, entries.hash())) {
              Bytes value =
                  plan.kind().packsValues()
                      ? plan.compression().pack(entries.value())
                      : entries.value();
              writer.add(place.rest(entries.hash()), entries.key(), value);
              keys++;
              more = entries.next();
            }
            written = writer.finish();
          }
          replicate(written, nodes, byNode);
          progress.accept(keys);
        }
      }
    }
    if (keys < plan.minimumKeys()) {
      throw new TooFewKeysException(keys, plan.minimumKeys());
    }
    return publish(place, keys, byNode);
  }

  private static boolean isIn(Placement place, ChunkName name, long hash) {
    return place.partition(hash) == name.partition() && place.chunk(hash) == name.chunk();
  }

  private int chunks(int partitions) {
    if (plan.chunks() > 0) {
      return plan.chunks();
    }
    return (int) Math.min(Placement.MOST, 1 + sort.bytes() / partitions / CHUNK_BYTES);
  }

  private void replicate(
      ChunkWriter.Written written, List<Node> nodes, Map<Integer, List<Manifest.Chunk>> byNode)
      throws IOException {
    ChunkName first = written.name();
    Path source = folder(out, nodes.get(0).id());
    for (int replica = 0; replica < nodes.size(); replica++) {
      ChunkName name = new ChunkName(first.partition(), replica, first.chunk());
      int node = nodes.get(replica).id();
      if (replica > 0) {
        Path target = folder(out, node);
        link(source.resolve(first.data()), target.resolve(name.data()));
        link(source.resolve(first.index()), target.resolve(name.index()));
      }
      byNode
          .computeIfAbsent(node, n -> new ArrayList<>())
          .add(new Manifest.Chunk(name, written.records(), written.data(), written.index()));
    }
  }

  private static void link(Path from, Path to) throws IOException {
    try {
      Files.createLink(to, from);
    } catch (UnsupportedOperationException e) {
      Files.copy(from, to);
    }
  }

  private Built publish(Placement place, long keys, Map<Integer, List<Manifest.Chunk>> byNode)
      throws IOException {
    Map<Integer, Manifest> manifests = new TreeMap<>();
    for (Map.Entry<Integer, List<Manifest.Chunk>> node : byNode.entrySet()) {
      Manifest manifest =
          new Manifest(
              plan.store(),
              node.getKey(),
              plan.kind(),
              place,
              plan.routing().replicas(),
              plan.routing().zones(),
              keys,
              plan.minimumKeys(),
              plan.schema(),
              plan.compression(),
              plan.snapshot(),
              node.getValue());
      manifests.put(node.getKey(), manifest);
    }
    sort.close();
    for (Map.Entry<Integer, Manifest> manifest : manifests.entrySet()) {
      ManifestFile.write(folder(out, manifest.getKey()), manifest.getValue());
    }
    Durable.syncDirectory(out);
    finished = true;
    return new Built(manifests);
  }

  /** Removes what was written, unless it was finished. */
  @Override
  public void close() throws IOException {
    sort.close();
    if (!finished) {
      for (Node node : plan.routing().ring().nodes()) {
        Durable.deleteTree(folder(out, node.id()));
      }
    }
  }
}
