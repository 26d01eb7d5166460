package io.braid.serving.client;

import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as the client knows it. The client bootstraps from any node that answers, and again
 * when a node reports a newer topology (section 4.3.2).
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ClusterMap {
  private final NodeNetwork network;
  private final List<String> first;
  private volatile @Nullable Topology topology;

  /**
   * @param first addresses of some nodes, at least one
   */
  public ClusterMap(NodeNetwork network, List<String> first) {
    this.network = network;
    this.first = List.copyOf(first);
    if (first.isEmpty()) {
      throw new IllegalArgumentException("Name at least one node to bootstrap from.");
    }
  }

  /** The topology as far as it is known here. */
  public Topology topology() {
    Topology known = topology;
    return known == null ? refresh(1) : known;
  }

  /**
   * The definition of a store; asks the cluster again when it is not known.
   *
   * @throws ServingException {@code NO_SUCH_STORE} when the cluster has none of the name
   */
  public StoreDefinition store(String name) {
    StoreDefinition store = topology().store(name);
    if (store == null) {
      store = refresh(Long.MAX_VALUE).store(name);
    }
    if (store == null) {
      throw new ServingException(
          ErrorCode.NO_SUCH_STORE,
          "The cluster serves no store '" + name + "'. Push a version of it, or create it.");
    }
    return store;
  }

  /**
   * Bootstraps: asks nodes until one knows a topology of version {@code wanted}, and keeps the
   * newest that was seen.
   *
   * @throws StoreUnavailableException when no node answers and none ever did
   */
  public Topology refresh(long wanted) {
    List<String> problems = new ArrayList<>();
    Topology best = topology;
    for (String address : addresses()) {
      try {
        Topology seen = network.bootstrap(address);
        best = best == null || seen.version() > best.version() ? seen : merged(best, seen);
        if (best.version() >= wanted) {
          break;
        }
      } catch (IOException | RuntimeException e) {
        // The exception has no message when the node is not there at all.
        problems.add(address + ": " + (e.getMessage() == null ? "no answer" : e.getMessage()));
      }
    }
    if (best == null) {
      throw new StoreUnavailableException(
          "No node could tell what the cluster looks like. " + String.join(" ", problems));
    }
    topology = best;
    return best;
  }

  /** Of two answers of one version each may know a store that the other does not serve yet. */
  private static Topology merged(Topology best, Topology seen) {
    Topology all = best;
    if (seen.version() == best.version()) {
      for (StoreDefinition store : seen.stores().values()) {
        all = all.seeing(store);
      }
    }
    return all;
  }

  private Set<String> addresses() {
    Set<String> addresses = new LinkedHashSet<>(first);
    Topology known = topology;
    if (known != null) {
      Ring ring = known.ring();
      ring.nodes().stream().map(Node::address).filter(a -> !a.isEmpty()).forEach(addresses::add);
    }
    return addresses;
  }
}
