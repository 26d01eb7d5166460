package io.braid.serving.net;

import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.build.Manifest;
import io.braid.serving.node.Membership;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.RefillFile;
import io.braid.serving.node.ServedStore;
import io.braid.serving.node.StoreVersions;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.TupleRefill;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as a node knows it. A topology of a higher version replaces the current one, durably;
 * a topology of a lower version never does.
 */
public final class ClusterMember {
  /** How a node gets the tuples that belong to it by the first topology that it learns. */
  enum JoinMode {
    /** There are none. */
    EMPTY,
    /** A move has copied them. */
    BY_MOVE,
    /** It had them, and lost them; all other nodes know this topology already. */
    TO_BE_REFILLED
  }

  private final NodeDirectory node;
  private volatile @Nullable Membership membership;
  private volatile Set<String> refilling;

  ClusterMember(NodeDirectory node) throws IOException {
    this.node = node;
    this.membership = node.membership().orElse(null);
    this.refilling = RefillFile.read(node.path());
  }

  /** The read-write stores of which this node lost what it had. */
  public Set<String> refilling() {
    return refilling;
  }

  /** A store is as it should be again, or is gone. */
  synchronized void refilled(String store) throws IOException {
    Set<String> rest = new TreeSet<>(refilling);
    rest.remove(store);
    RefillFile.write(node.path(), rest);
    refilling = Set.copyOf(rest);
  }

  public Optional<Membership> membership() {
    return Optional.ofNullable(membership);
  }

  /**
   * This node's place.
   *
   * @throws ServingException {@code VERSION_REFUSED} when it is in no cluster
   */
  Membership member() {
    Membership member = membership;
    if (member == null) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "This node is in no cluster, so it knows no peers: braid cluster init; or, if it was in one, braid cluster tell.");
    }
    return member;
  }

  /** The version of the topology; 0 when this node is in no cluster. */
  public long version() {
    Membership member = membership;
    return member == null ? 0 : member.topology().version();
  }

  /**
   * Takes a topology.
   *
   * @param coming how this node comes to what belongs to it, if it is in no cluster yet
   * @throws ServingException {@code VERSION_REFUSED} when it is older than the one that is known,
   *     or another one of the same version; or when this node lost what it had, and is not to be
   *     refilled
   */
  synchronized void install(int self, Topology topology, JoinMode coming) throws IOException {
    Membership fresh = new Membership(self, topology);
    Membership known = membership;
    if (fresh.equals(known)) {
      return;
    }
    if (known != null && topology.version() <= known.topology().version()) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "This node knows version "
              + known.topology().version()
              + " of the topology; version "
              + topology.version()
              + " is not newer.");
    }
    if (known != null && known.self() != self) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "This node is number " + known.self() + " of its cluster, not " + self + ".");
    }
    if (known == null && coming != JoinMode.BY_MOVE) {
      Set<String> lost = lost(self, topology);
      if (!lost.isEmpty() && coming != JoinMode.TO_BE_REFILLED) {
        throw new ServingException(
            ErrorCode.VERSION_REFUSED,
            "This node is in no cluster, and node "
                + self
                + " of that topology has tuples of "
                + lost
                + ": it lost them. Have it refilled from the other replicas: braid cluster tell.");
      }
      RefillFile.write(node.path(), lost);
      refilling = Set.copyOf(lost);
    }
    node.join(fresh);
    membership = fresh;
  }

  /** Forgets the cluster. To be called when this node has left its ring. */
  synchronized void forget() throws IOException {
    node.leave();
    membership = null;
  }

  private static Set<String> lost(int self, Topology topology) {
    Set<String> lost = new TreeSet<>();
    for (StoreDefinition store : topology.stores().values()) {
      if (TupleRefill.concerns(topology, self, store)) {
        lost.add(store.store());
      }
    }
    return lost;
  }

  /**
   * Refuses a version that was built for another ring.
   *
   * @throws ServingException {@code VERSION_REFUSED} when clients of the cluster would look for its
   *     keys elsewhere
   */
  void admit(Manifest manifest) {
    Membership member = membership;
    if (member == null) {
      return;
    }
    Ring ring = member.topology().ring();
    if (manifest.place().partitions() != ring.partitions() || manifest.node() != member.self()) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "This version was built for node "
              + manifest.node()
              + " of a ring of "
              + manifest.place().partitions()
              + " partitions; this is node "
              + member.self()
              + " of one of "
              + ring.partitions()
              + ". Build it with --cluster.");
    }
    if (!manifest.held().equals(manifest.definition().routing(ring).held(member.self()).keySet())) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "This version was built for an older topology than version "
              + member.topology().version()
              + ": other partitions belong here now. Build it again with --cluster.");
    }
  }

  /**
   * Refuses to go back to a version of which partitions that belong here now are missing.
   *
   * @param asked the version; 0: the last that was live before
   * @throws ServingException {@code VERSION_REFUSED} names them
   */
  void refuseGaps(StoreVersions versions, long asked) throws IOException {
    long version = versions.rollbackTarget(asked);
    Manifest manifest = versions.whole(version);
    Membership member = membership;
    Ring ring = member == null ? null : member.topology().ring();
    if (member != null && ring != null && ring.partitions() == manifest.place().partitions()) {
      Set<Integer> missing =
          new TreeSet<>(manifest.definition().routing(ring).held(member.self()).keySet());
      missing.removeAll(manifest.held());
      if (!missing.isEmpty()) {
        throw new ServingException(
            ErrorCode.VERSION_REFUSED,
            "Version "
                + version
                + " of "
                + manifest.store()
                + " lacks partitions "
                + missing
                + " here, which came to this node since: no node had them when they moved. Roll"
                + " back to another version, or push one.");
      }
    }
  }

  /**
   * Returns the topology for a client that bootstraps here. It includes the read-only stores that
   * are live here.
   */
  Optional<Topology> view(Iterable<ServedStore> stores) {
    Membership member = membership;
    if (member == null) {
      return Optional.empty();
    }
    Topology view = member.topology();
    for (ServedStore store : stores) {
      Optional<Manifest> manifest = store.manifest();
      if (manifest.isPresent()) {
        view = view.seeing(manifest.get().definition());
      }
    }
    return Optional.of(view);
  }
}
