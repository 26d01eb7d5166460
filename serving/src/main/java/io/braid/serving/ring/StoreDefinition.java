package io.braid.serving.ring;

import io.braid.serving.StoreNames;
import io.braid.serving.chunk.KeyHash;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The facts of a store that clients need to find its tuples (section 3). Required reads and writes
 * go from 1 to the number of replicas.
 *
 * @param hash how a key finds its place on the ring
 * @param replicas nodes that hold each tuple
 * @param byZone replicas in each zone, which then add up to {@code replicas}; empty if zones do not
 *     matter
 * @param writable whether it is a read-write store
 * @param requiredReads replicas that must answer a get of a read-write store
 * @param requiredWrites replicas that must have stored a put before it counts as done
 * @param life the current life of the store's name: the version of the topology in which a
 *     read-write store was made, or emptied; 0: it was made before lives were recorded
 */
@API(status = API.Status.EXPERIMENTAL)
public record StoreDefinition(
    String store,
    KeyHash hash,
    int replicas,
    Map<Integer, Integer> byZone,
    boolean writable,
    int requiredReads,
    int requiredWrites,
    long life) {

  public StoreDefinition {
    StoreNames.store(store);
    byZone = Map.copyOf(new TreeMap<>(byZone));
    int sum = byZone.values().stream().mapToInt(Integer::intValue).sum();
    if (!byZone.isEmpty() && sum != replicas) {
      throw new IllegalArgumentException(
          "The zones of store " + store + " have " + sum + " replicas, not " + replicas + ".");
    }
    if (requiredReads < 1
        || requiredReads > replicas
        || requiredWrites < 1
        || requiredWrites > replicas) {
      throw new IllegalArgumentException(
          "Store "
              + store
              + " has "
              + replicas
              + " replicas: required reads and writes go from 1 to that.");
    }
  }

  /** A store that is built by a job and only read. */
  public static StoreDefinition readOnly(
      String store, KeyHash hash, int replicas, Map<Integer, Integer> byZone) {
    return new StoreDefinition(store, hash, replicas, byZone, false, 1, replicas, 0);
  }

  /** A store that clients write. */
  public static StoreDefinition readWrite(
      String store,
      int replicas,
      Map<Integer, Integer> byZone,
      int requiredReads,
      int requiredWrites) {
    return new StoreDefinition(
        store, KeyHash.XXH64, replicas, byZone, true, requiredReads, requiredWrites, 0);
  }

  /** Returns the same definition in another life, of which no client can have read anything yet. */
  public StoreDefinition begun(long another) {
    return new StoreDefinition(
        store, hash, replicas, byZone, writable, requiredReads, requiredWrites, another);
  }

  /** Where its replicas lie. */
  public Routing routing(Ring ring) {
    return byZone.isEmpty() ? Routing.consistent(ring, replicas) : Routing.zoned(ring, byZone);
  }
}
