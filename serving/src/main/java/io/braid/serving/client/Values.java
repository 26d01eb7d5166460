package io.braid.serving.client;

import io.braid.core.data.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * What was read, all of it in one version of the store.
 *
 * @param version of the store
 * @param schema the form of the values, see {@link io.braid.serving.build.Manifest}; it goes back
 *     when the version does (section 4.3.1)
 * @param values in the order of the keys
 */
public record Values(long version, int schema, List<Optional<Bytes>> values) {
  public Values {
    values = List.copyOf(values);
  }
}
