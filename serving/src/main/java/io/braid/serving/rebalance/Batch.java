package io.braid.serving.rebalance;

import io.braid.serving.ring.Topology;
import java.util.List;

/**
 * Some primary partitions that change their owner together, and all replicas that move because of
 * them.
 *
 * @param id of one attempt to move it; empty in a plan
 * @param from the topology before
 * @param to the intermediate topology after it
 * @param primaries the partitions
 */
public record Batch(
    String id, Topology from, Topology to, List<Integer> primaries, List<Theft> thefts) {

  /**
   * Chunks that a stealer gets from a donor.
   *
   * @param version 0: the store is a read-write one
   * @param buckets as {@code partition_replica}
   * @param bytes 0 when it is not known
   */
  public record Theft(
      String store,
      long version,
      int stealer,
      int donor,
      List<Integer> partitions,
      List<String> buckets,
      long bytes) {
    public Theft {
      partitions = List.copyOf(partitions);
      buckets = List.copyOf(buckets);
    }
  }

  /** This one, as an attempt. */
  public Batch named(String attempt) {
    return new Batch(attempt, from, to, primaries, thefts);
  }

  public Batch {
    primaries = List.copyOf(primaries);
    thefts = List.copyOf(thefts);
  }
}
