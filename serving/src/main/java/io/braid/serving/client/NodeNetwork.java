package io.braid.serving.client;

import io.braid.serving.ServingException;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import org.apiguardian.api.API;

/**
 * How nodes are reached. Every method throws IOException when a node could not be reached or did
 * not answer in time, and {@link ReplicaFailedException} when it answered that it cannot; another
 * node may.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface NodeNetwork {
  /** The topology that a node knows, with the stores it serves. */
  Topology bootstrap(String address) throws IOException;

  /**
   * Reads keys at one node, all in one version.
   *
   * @throws WrongNodeException when it does not hold one of them
   * @throws ServingException {@code VERSION_GONE} when it cannot read in the version that was asked
   *     for
   */
  ReadAnswer read(String address, ReadRequest request) throws IOException;
}
