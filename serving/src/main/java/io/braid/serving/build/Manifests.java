package io.braid.serving.build;

import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.ChunkName;
import io.braid.serving.chunk.Placement;
import io.braid.serving.ring.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes the manifests of all nodes' folders of a version, once its chunks are written. */
final class Manifests {
  private Manifests() {}

  /**
   * The manifest of each node, also of one that has no chunk.
   *
   * @param chunks each chunk of the store once, as its first replica
   * @throws ServingException {@code TOO_FEW_KEYS} when there are fewer keys than the plan's minimum
   */
  static Map<Integer, Manifest> of(BuildPlan plan, Placement place, List<Manifest.Chunk> chunks) {
    long keys = chunks.stream().mapToLong(Manifest.Chunk::records).sum();
    if (keys < plan.minimumKeys()) {
      throw new ServingException(
          ErrorCode.TOO_FEW_KEYS,
          "There are "
              + keys
              + " keys, and the version must have at least "
              + plan.minimumKeys()
              + ". Look whether its source is whole, or ask for a lower minimum.");
    }
    Map<Integer, List<Manifest.Chunk>> byNode = new TreeMap<>();
    for (Node node : plan.routing().ring().nodes()) {
      byNode.put(node.id(), new ArrayList<>());
    }
    for (Manifest.Chunk chunk : chunks) {
      ChunkName name = chunk.name();
      List<Node> nodes = plan.routing().nodes(name.partition());
      for (int replica = 0; replica < nodes.size(); replica++) {
        byNode
            .computeIfAbsent(nodes.get(replica).id(), node -> new ArrayList<>())
            .add(
                new Manifest.Chunk(
                    new ChunkName(name.partition(), replica, name.chunk()),
                    chunk.records(),
                    chunk.data(),
                    chunk.index()));
      }
    }
    Map<Integer, Manifest> manifests = new TreeMap<>();
    byNode.forEach((node, held) -> manifests.put(node, of(plan, place, node, keys, held)));
    return manifests;
  }

  /** The manifest of a folder with these chunks. */
  static Manifest of(
      BuildPlan plan, Placement place, int folder, long keys, List<Manifest.Chunk> chunks) {
    return new Manifest(
        plan.store(),
        folder,
        plan.kind(),
        place,
        plan.routing().replicas(),
        plan.routing().zones(),
        keys,
        plan.minimumKeys(),
        plan.schema(),
        plan.compression(),
        plan.snapshot(),
        chunks);
  }
}
