package io.braid.serving.client;

import io.braid.core.data.Bytes;
import java.util.List;

/**
 * A question to one node.
 *
 * @param version in which to read; 0: the live one
 * @param topology the version of the topology by which the node was chosen
 */
public record ReadRequest(String store, List<Bytes> keys, long version, long topology) {
  public ReadRequest {
    keys = List.copyOf(keys);
  }
}
