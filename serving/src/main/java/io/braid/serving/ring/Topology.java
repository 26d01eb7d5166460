package io.braid.serving.ring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a client that bootstraps (section 3.1.6): the ring, how far apart its zones are,
 * and the stores. Every node keeps the topology; a changed one has a higher version. Immutable.
 *
 * @param ringVersion the version with which the ring became what it is
 * @param proximity for a zone the others, the nearest first
 * @param stores by name
 */
@API(status = API.Status.EXPERIMENTAL)
public record Topology(
    long version,
    long ringVersion,
    Ring ring,
    Map<Integer, List<Integer>> proximity,
    Map<String, StoreDefinition> stores) {

  public Topology {
    if (version < 1) {
      throw new IllegalArgumentException("A topology has a version from 1 on, not " + version);
    }
    if (ringVersion < 1 || ringVersion > version) {
      throw new IllegalArgumentException(
          "The ring of version " + version + " cannot be of version " + ringVersion + ".");
    }
    proximity = Map.copyOf(proximity);
    stores = Map.copyOf(new TreeMap<>(stores));
  }

  /** The first topology of a cluster. */
  public static Topology of(Ring ring, Map<Integer, List<Integer>> proximity) {
    return new Topology(1, 1, ring, proximity, Map.of());
  }

  public @Nullable StoreDefinition store(String name) {
    return stores.get(name);
  }

  /** The zones in the order in which a client in {@code zone} tries them. */
  public List<Integer> order(int zone) {
    List<Integer> order = new ArrayList<>(List.of(zone));
    order.addAll(proximity.getOrDefault(zone, List.of()));
    return order;
  }

  /** This one with another ring, as the next version. */
  public Topology with(Ring changed) {
    return new Topology(version + 1, version + 1, changed, proximity, stores);
  }

  /**
   * Returns this topology with one more store, or with a store defined again, as the next version.
   */
  public Topology with(StoreDefinition store) {
    return new Topology(version + 1, ringVersion, ring, proximity, put(store));
  }

  /** This one without a store, as the next version. */
  public Topology without(String store) {
    Map<String, StoreDefinition> fewer = new TreeMap<>(stores);
    fewer.remove(store);
    return new Topology(version + 1, ringVersion, ring, proximity, fewer);
  }

  /** The same version, with a store that was read off the node's own files. */
  public Topology seeing(StoreDefinition store) {
    return new Topology(version, ringVersion, ring, proximity, put(store));
  }

  /**
   * Returns the topology without the stores that nodes have read off their files: the form for
   * sending to nodes.
   */
  public Topology writableOnly() {
    Map<String, StoreDefinition> writable = new TreeMap<>(stores);
    writable.values().removeIf(store -> !store.writable());
    return new Topology(version, ringVersion, ring, proximity, writable);
  }

  private Map<String, StoreDefinition> put(StoreDefinition store) {
    Map<String, StoreDefinition> more = new TreeMap<>(stores);
    more.put(store.store(), store);
    return more;
  }
}
