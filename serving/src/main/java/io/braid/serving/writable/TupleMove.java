package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Succession;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Brings the tuples of a read-write store to a node that joins replicas of its partitions (section
 * 4.3.2). From each node that leaves for it, all that that one has: so what was acknowledged by a
 * quorum of the old replicas is there at a quorum of the new ones. From the other replicas what the
 * node itself was the first to take when it was a replica before: it goes on to count where it
 * stopped, as otherwise a clock would seem to include what its writer never saw.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class TupleMove {
  private static final int PAGE = 1000;

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
   * {@link ReplicaEndpoint}.
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
    TupleCopy copy = new TupleCopy(seams, network, after, to.ring().partitions(), engine, stopped);
    for (Map.Entry<Integer, Set<Integer>> donor : byDonor.entrySet()) {
      copy.from(from.ring().node(donor.getKey()), null, donor.getValue());
    }
    for (Map.Entry<Integer, Set<Integer>> other : byOther.entrySet()) {
      copy.from(from.ring().node(other.getKey()), self, other.getValue());
    }
    if (stopped.getAsBoolean()) {
      throw new InterruptedIOException("The copy was stopped.");
    }
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
        if (!held.contains(TupleCopy.partition(store, topology.ring().partitions(), entry.key()))) {
          engine.remove(entry.key(), entry.siblings());
        }
      }
    }
  }
}
