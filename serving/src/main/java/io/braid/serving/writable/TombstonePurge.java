package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.data.Encoder;
import io.braid.serving.chunk.Placement;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Takes tuples away that were deleted long ago. Until then a deleted tuple leaves its clock behind,
 * so that an old write that comes late does not bring it back. It goes when nothing old can come
 * any more:
 *
 * <ul>
 *   <li>This node has had it for {@link #AGE}, in which it was running: no request lasts so long.
 *   <li>All nodes of the cluster answer, and none keeps a hint of the store.
 *   <li>Every other replica has the same, or nothing at all.
 * </ul>
 *
 * <p>So a node that was away, for however long, finds the deletions that it has missed.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class TombstonePurge {
  public static final Duration AGE = Duration.ofDays(10);
  private static final int PAGE = 1000;

  private final ReplicaNetwork network;
  private final Topology topology;
  private final int self;
  private final StoreDefinition store;
  private final Engine engine;
  private final ContentAges ages;

  /**
   * @param engine of the node {@code self}
   * @param ages of the tuples that the node has
   */
  public TombstonePurge(
      ReplicaNetwork network,
      Topology topology,
      int self,
      StoreDefinition store,
      Engine engine,
      ContentAges ages) {
    this.network = network;
    this.topology = topology;
    this.self = self;
    this.store = store;
    this.engine = engine;
    this.ages = ages;
  }

  /**
   * Walks through the store once.
   *
   * @return how many tuples went
   */
  public int run() {
    boolean settled = nobodyKeepsHints();
    int gone = 0;
    @Nullable Bytes last = null;
    while (true) {
      List<Engine.Entry> page = engine.entries(last, PAGE);
      if (page.isEmpty()) {
        ages.sweep(age(Bytes.EMPTY), key -> isDeleted(engine.get(key)));
        return gone;
      }
      for (Engine.Entry entry : page) {
        last = entry.key();
        if (isDeleted(entry.siblings())
            && ages.of(age(last), entry.siblings()).compareTo(AGE) > 0
            && settled
            && othersAgree(last, entry.siblings())) {
          engine.remove(last, entry.siblings());
          gone++;
        }
      }
    }
  }

  private Bytes age(Bytes key) {
    return new Encoder().text("deleted").text(store.store()).raw(key).finish();
  }

  private static boolean isDeleted(List<VersionedValue> siblings) {
    return !siblings.isEmpty() && siblings.stream().allMatch(s -> s.value().isEmpty());
  }

  private boolean nobodyKeepsHints() {
    try {
      for (Node node : topology.ring().nodes()) {
        if (network.keepsHints(node, store.store())) {
          return false;
        }
      }
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** Whether no other replica has anything else; where one has, both learn of the other's. */
  private boolean othersAgree(Bytes key, List<VersionedValue> ours) {
    Placement placement = new Placement(topology.ring().partitions(), 1);
    List<Node> replicas =
        store.routing(topology.ring()).nodes(placement.partition(store.hash().of(key.toArray())));
    boolean agree = replicas.stream().anyMatch(node -> node.id() == self);
    try {
      for (Node node : replicas) {
        if (agree && node.id() != self) {
          agree = agrees(node, key, ours);
        }
      }
      return agree;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private boolean agrees(Node node, Bytes key, List<VersionedValue> ours) throws IOException {
    List<VersionedValue> theirs = network.get(node, store.store(), key, topology.ringVersion());
    if (theirs.isEmpty() || theirs.equals(ours)) {
      return true;
    }
    for (VersionedValue version : ours) {
      network.put(node, store.store(), key, version, topology.ringVersion());
    }
    theirs.forEach(version -> engine.put(key, version));
    return false;
  }
}
