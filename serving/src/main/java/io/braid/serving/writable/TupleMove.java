package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.serving.chunk.Placement;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Succession;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings the tuples of a read-write store to a node that joins replicas of its partitions (section
 * 4.3.2). From each node that leaves for it, all that that one has: so what was acknowledged by a
 * quorum of the old replicas is there at a quorum of the new ones. From the other replicas what the
 * node itself was the first to take when it was a replica before: it goes on to count where it
 * stopped, as otherwise a clock would seem to include what its writer never saw.
 */
public final class TupleMove {
  private static final int PAGE = 1000;

  /** So often a page is asked for in a row before the copy fails: within three seconds. */
  private static final int ATTEMPTS = 6;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  private final Seams seams;
  private final Topology from;
  private final Topology to;
  private final int self;
  private final String store;

  public TupleMove(Seams seams, Topology from, Topology to, int self, String store) {
    this.seams = seams;
    this.from = from;
    this.to = to;
    this.self = self;
    this.store = store;
  }

  /**
   * Copies; tuples that are here already are merged. Donors must mirror new writes by now, see
   * {@link ReplicaDoor}. A page that does not come is asked for again a few times, so that
   * one lost answer does not have all begin anew.
   */
  public void copy(ReplicaNetwork network, Engine engine, BooleanSupplier stopped)
      throws IOException {
    StoreDefinition before = from.store(store);
    StoreDefinition after = to.store(store);
    if (before == null || after == null) {
      return;
    }
    Routing old = before.routing(from.ring());
    Routing next = after.routing(to.ring());
    Map<Integer, Set<Integer>> byDonor = new TreeMap<>();
    Map<Integer, Set<Integer>> byOther = new TreeMap<>();
    for (int partition = 0; partition < to.ring().partitions(); partition++) {
      Integer donor = Succession.of(old, next, partition).get(self);
      if (donor != null) {
        for (Node replica : old.nodes(partition)) {
          Map<Integer, Set<Integer>> sources = replica.id() == donor ? byDonor : byOther;
          sources.computeIfAbsent(replica.id(), d -> new TreeSet<>()).add(partition);
        }
      }
    }
    Copy copy = new Copy(network, engine, after, stopped);
    for (Map.Entry<Integer, Set<Integer>> donor : byDonor.entrySet()) {
      copy(copy, donor.getKey(), null, donor.getValue());
    }
    for (Map.Entry<Integer, Set<Integer>> other : byOther.entrySet()) {
      copy(copy, other.getKey(), self, other.getValue());
    }
  }

  /** Where tuples come from, and go. */
  private record Copy(
      ReplicaNetwork network, Engine engine, StoreDefinition store, BooleanSupplier stopped) {}

  private void copy(Copy copy, int node, @Nullable Integer master, Set<Integer> partitions)
      throws IOException {
    @Nullable Bytes last = null;
    do {
      List<Engine.Entry> page = page(copy, from.ring().node(node), last, master);
      for (Engine.Entry entry : page) {
        if (partitions.contains(partition(copy.store, to, entry.key()))) {
          entry.siblings().forEach(sibling -> copy.engine.put(entry.key(), sibling));
        }
      }
      last = page.isEmpty() ? null : page.get(page.size() - 1).key();
    } while (last != null && !copy.stopped.getAsBoolean());
  }

  private List<Engine.Entry> page(
      Copy copy, Node node, @Nullable Bytes after, @Nullable Integer master) throws IOException {
    Duration pause = FIRST_PAUSE;
    for (int attempt = 1; ; attempt++) {
      try {
        return copy.network.entries(node, store, after, master);
      } catch (IOException e) {
        if (attempt == ATTEMPTS || copy.stopped.getAsBoolean()) {
          throw e;
        }
      }
      seams.sleep(pause);
      pause = pause.multipliedBy(2);
    }
  }

  private static int partition(StoreDefinition store, Topology topology, Bytes key) {
    return new Placement(topology.ring().partitions(), 1).partition(store.hash().of(key.toArray()));
  }

  /** Takes those tuples away that a topology gives to other nodes. */
  public static void trim(Engine engine, Topology topology, int self, StoreDefinition store) {
    Set<Integer> held = store.routing(topology.ring()).held(self).keySet();
    @Nullable Bytes last = null;
    while (true) {
      List<Engine.Entry> page = engine.entries(last, PAGE);
      if (page.isEmpty()) {
        return;
      }
      for (Engine.Entry entry : page) {
        last = entry.key();
        if (!held.contains(partition(store, topology, entry.key()))) {
          engine.remove(entry.key(), entry.siblings());
        }
      }
    }
  }
}
