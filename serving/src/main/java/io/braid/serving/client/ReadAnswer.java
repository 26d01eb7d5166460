package io.braid.serving.client;

import io.braid.core.data.Bytes;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The answer of a node.
 *
 * @param version in which all keys were read
 * @param schema the form of the values
 * @param topology the version of the topology that the node knows
 * @param values in the order of the keys
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record ReadAnswer(long version, int schema, long topology, List<Optional<Bytes>> values) {
  public ReadAnswer {
    values = List.copyOf(values);
  }
}
