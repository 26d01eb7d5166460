package io.braid.serving.client;

import io.braid.core.data.Bytes;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The result of a read, all of it from one version of the store.
 *
 * @param version of the store
 * @param schema the form of the values, see {@link io.braid.serving.build.Manifest}; it changes
 *     back when the store goes back to an earlier version (section 4.3.1)
 * @param values in the order of the keys
 */
@API(status = API.Status.EXPERIMENTAL)
public record Values(long version, int schema, List<Optional<Bytes>> values) {
  public Values {
    values = List.copyOf(values);
  }
}
