package io.braid.serving.client;

import io.braid.core.data.Bytes;
import io.braid.serving.transform.Part;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A question to one node.
 *
 * @param version in which to read; 0: the live one
 * @param topology the version of the topology by which the node was chosen
 * @param part what to answer of each value; none: all of it
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record ReadRequest(
    String store, List<Bytes> keys, long version, long topology, Optional<Part> part) {
  public ReadRequest {
    keys = List.copyOf(keys);
  }

  /** For whole values. */
  public ReadRequest(String store, List<Bytes> keys, long version, long topology) {
    this(store, keys, version, topology, Optional.empty());
  }
}
