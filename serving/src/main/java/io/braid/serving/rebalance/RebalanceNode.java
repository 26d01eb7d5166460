package io.braid.serving.rebalance;

import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A node that takes part in a rebalancing. Its steps may be repeated. They throw IOException when
 * the node did not answer: then it is unknown whether the node did the step.
 */
public interface RebalanceNode {
  int id();

  /** For messages. */
  String name();

  NodeStores inventory() throws IOException;

  /**
   * Takes the lease of the cluster's partitions at this node, or holds it for longer.
   *
   * @throws RuntimeException when another run has it
   */
  void leaseCluster(String run, Duration length) throws IOException;

  void releaseCluster(String run) throws IOException;

  /** Enters a batch: no fetch and no swap until it is settled. */
  void begin(String run, Batch batch) throws IOException;

  /** Starts to get the data that comes to the node; {@link #inventory} shows the progress. */
  void steal(String run, String batch, List<StolenVersion> versions) throws IOException;

  /** Tells a topology. */
  void install(Topology topology, String batch) throws IOException;

  /** Has it answer no more for what its topology gives to others. */
  void close(String run, String batch) throws IOException;

  /** Leaves the batch with what its topology gives to it. */
  void settle(String run, String batch) throws IOException;
}
