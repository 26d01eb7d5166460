package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.data.Encoder;
import io.braid.core.runtime.Seams;
import io.braid.serving.chunk.Placement;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the hints of a slop store (section 3.1.4), at a bounded rate. A hint may be delivered
 * twice and does no harm. A node discards a hint that is older than its own tuple. A hint that was
 * not delivered while its keeper was running for {@link #AGE} is dropped: its node is as good as
 * gone, and reads repair it. When a partition has moved since, its current replicas get the hint.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class HintPusher {
  /** How long a hint is kept. No deletion is forgotten before, see {@link TombstonePurge}. */
  public static final Duration AGE = Duration.ofDays(7);

  private static final int BATCH = 256;

  private final Seams seams;
  private final Engine slop;
  private final ContentAges ages;
  private final ReplicaNetwork network;
  private final Duration between;

  /**
   * @param between pauses after each delivery
   */
  public HintPusher(
      Seams seams, Engine slop, ContentAges ages, ReplicaNetwork network, Duration between) {
    this.seams = seams;
    this.slop = slop;
    this.ages = ages;
    this.network = network;
    this.between = between;
  }

  /** Keeps a hint, durably. */
  public static void keep(Engine slop, Hint hint, VersionedValue missed) {
    slop.put(hint.slopKey(), missed);
  }

  /** Whether a slop store has a hint of a store. */
  public static boolean keepsAny(Engine slop, String store) {
    @Nullable Bytes after = null;
    while (true) {
      List<Engine.Entry> batch = slop.entries(after, BATCH);
      if (batch.isEmpty()) {
        return false;
      }
      for (Engine.Entry entry : batch) {
        after = entry.key();
        if (Hint.of(after).store().equals(store)) {
          return true;
        }
      }
    }
  }

  /**
   * Walks through the slop store once. A node that does not answer is not tried again on this walk.
   *
   * @return how many hints were delivered
   */
  public int push(Topology topology) {
    int delivered = 0;
    Set<Integer> silent = new HashSet<>();
    @Nullable Bytes after = null;
    while (true) {
      List<Engine.Entry> batch = slop.entries(after, BATCH);
      if (batch.isEmpty()) {
        return delivered;
      }
      for (Engine.Entry entry : batch) {
        after = entry.key();
        Bytes age = age(after);
        boolean taken = deliver(topology, Hint.of(after), entry.siblings(), silent);
        if (taken || ages.of(age, entry.siblings()).compareTo(AGE) > 0) {
          slop.remove(after, entry.siblings());
          ages.forget(age);
        }
        if (taken) {
          delivered++;
          seams.sleep(between);
        }
      }
    }
  }

  private static Bytes age(Bytes slopKey) {
    return new Encoder().text("hint").raw(slopKey).finish();
  }

  private boolean deliver(
      Topology topology, Hint hint, List<VersionedValue> missed, Set<Integer> silent) {
    StoreDefinition store = topology.store(hint.store());
    if (store == null || !store.writable() || isOfBefore(missed, store)) {
      return true;
    }
    int partition =
        new Placement(topology.ring().partitions(), 1)
            .partition(store.hash().of(hint.key().toArray()));
    List<Node> replicas = store.routing(topology.ring()).nodes(partition);
    List<Node> targets = replicas.stream().filter(node -> node.id() == hint.node()).toList();
    for (Node node : targets.isEmpty() ? replicas : targets) {
      if (silent.contains(node.id()) || !deliver(node, hint, missed, topology.ringVersion())) {
        silent.add(node.id());
        return false;
      }
    }
    return true;
  }

  /** Whether the store was dropped or emptied since. */
  private static boolean isOfBefore(List<VersionedValue> missed, StoreDefinition store) {
    return missed.stream().allMatch(version -> version.clock().life() < store.life());
  }

  private boolean deliver(Node node, Hint hint, List<VersionedValue> missed, long ring) {
    try {
      for (VersionedValue version : missed) {
        network.put(node, hint.store(), hint.key(), version, ring);
      }
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
