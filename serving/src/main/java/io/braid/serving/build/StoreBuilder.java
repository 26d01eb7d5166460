package io.braid.serving.build;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.DurableFiles;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.ChunkName;
import io.braid.serving.chunk.ChunkWriter;
import io.braid.serving.chunk.Placement;
import io.braid.serving.ring.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apiguardian.api.API;

/**
 * Builds a version of a store (section 4.2.1): tuples in any order become a folder {@code node-N}
 * for each node, chunk after chunk in the order of hashes. All replicas of a chunk are the same
 * bytes, so they are written once and linked.
 *
 * <p>The output depends on the tuples and the plan alone, not on the memory. A folder is whole when
 * its {@code .metadata} is there. For one thread.
 *
 * <pre>{@code
 * try (StoreBuilder builder = new StoreBuilder(BuildPlan.of("people"), Path.of("out"))) {
 *   builder.add(Bytes.of("ann"), Bytes.of("Ann"));
 *   builder.finish(); // out/node-0 can be pushed
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL)
public final class StoreBuilder implements AutoCloseable {
  private static final long CHUNK_BYTES = 512L << 20;

  private final BuildPlan plan;
  private final Path out;
  private final boolean made;
  private final PartBuilder part;
  private boolean finished;

  /** The result of a build: the manifest of each node's folder. */
  public record BuildResult(Map<Integer, Manifest> manifests) {
    /** Keys of the store. */
    public long keys() {
      return manifests.values().iterator().next().keys();
    }
  }

  /**
   * Begins a build.
   *
   * @param out a directory that is empty or not there
   * @throws IllegalArgumentException when it is not empty
   */
  public StoreBuilder(BuildPlan plan, Path out) throws IOException {
    if (!DurableFiles.list(out).isEmpty()) {
      throw new IllegalArgumentException(
          "Directory " + out + " is not empty: name another one, or clear it first.");
    }
    this.plan = plan;
    this.made = Files.notExists(out);
    this.out = Files.createDirectories(out);
    this.part = new PartBuilder(plan, 0, plan.routing().ring().partitions(), out.resolve(".sort"));
  }

  /** The folder of a node. */
  public static Path folder(Path out, int node) {
    return out.resolve("node-" + node);
  }

  /**
   * Adds a tuple.
   *
   * @throws IllegalArgumentException when the key or the value is too long
   */
  public void add(Bytes key, Bytes value) throws IOException {
    part.add(key, value);
  }

  /** As {@link #finish(LongConsumer)}, in silence. */
  public BuildResult finish() throws IOException {
    return finish(keys -> {});
  }

  /**
   * Writes the folders.
   *
   * @param progress gets the number of tuples written, from time to time
   * @throws ServingException {@code DUPLICATE_KEY} when a key came twice although the plan forbids
   *     duplicates
   * @throws ServingException {@code TOO_FEW_KEYS} when there are fewer keys than the plan's minimum
   */
  public BuildResult finish(LongConsumer progress) throws IOException {
    int partitions = plan.routing().ring().partitions();
    Placement place = new Placement(partitions, chunks(partitions));
    for (Node node : plan.routing().ring().nodes()) {
      Files.createDirectories(folder(out, node.id()));
    }
    List<Manifest.Chunk> chunks = new ArrayList<>();
    for (ChunkWriter.WrittenChunk written : part.finish(place, this::first, progress)) {
      replicate(written.name());
      chunks.add(
          new Manifest.Chunk(written.name(), written.records(), written.data(), written.index()));
    }
    return publish(Manifests.of(plan, place, chunks));
  }

  private int chunks(int partitions) {
    if (plan.chunks() > 0) {
      return plan.chunks();
    }
    return (int) Math.min(Placement.MOST, 1 + part.bytes() / partitions / CHUNK_BYTES);
  }

  /** The folder of the node that has the first replica. */
  private Path first(int partition) {
    return folder(out, plan.routing().nodes(partition).get(0).id());
  }

  private void replicate(ChunkName first) throws IOException {
    Path source = first(first.partition());
    List<Node> nodes = plan.routing().nodes(first.partition());
    for (int replica = 1; replica < nodes.size(); replica++) {
      ChunkName name = new ChunkName(first.partition(), replica, first.chunk());
      Path target = folder(out, nodes.get(replica).id());
      link(source.resolve(first.data()), target.resolve(name.data()));
      link(source.resolve(first.index()), target.resolve(name.index()));
    }
  }

  private static void link(Path from, Path to) throws IOException {
    try {
      Files.createLink(to, from);
    } catch (UnsupportedOperationException e) {
      Files.copy(from, to);
    }
  }

  private BuildResult publish(Map<Integer, Manifest> manifests) throws IOException {
    part.close();
    for (Map.Entry<Integer, Manifest> manifest : manifests.entrySet()) {
      ManifestFile.write(folder(out, manifest.getKey()), manifest.getValue());
    }
    DurableFiles.syncDirectory(out);
    finished = true;
    return new BuildResult(manifests);
  }

  /** Removes what was written, unless it was finished. */
  @Override
  public void close() throws IOException {
    part.close();
    if (!finished) {
      for (Node node : plan.routing().ring().nodes()) {
        DurableFiles.deleteTree(folder(out, node.id()));
      }
      if (made && DurableFiles.list(out).isEmpty()) {
        Files.deleteIfExists(out);
      }
    }
  }
}
