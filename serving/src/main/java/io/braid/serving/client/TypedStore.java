package io.braid.serving.client;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * A store whose values have a type (section 4.3.1). Each version of a store says which schema its
 * values have; the client has a codec for every schema it understands. So the client reads values
 * of a new form from their swap on, and values of the old form again after a version rollback,
 * without any notice.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class TypedStore<V> {
  private final StoreClient client;
  private final String store;
  private final Map<Integer, Codec<? extends V>> codecs;

  /**
   * A store as a client sees it.
   *
   * @param codecs by the number of the schema
   */
  public TypedStore(StoreClient client, String store, Map<Integer, Codec<? extends V>> codecs) {
    this.client = client;
    this.store = store;
    this.codecs = Map.copyOf(new TreeMap<>(codecs));
  }

  /**
   * The value of a key; empty when there is none.
   *
   * @throws ServingException {@code VERSION_REFUSED} when the values have a schema without a codec
   */
  public Optional<V> get(Bytes key) {
    return getAll(List.of(key)).get(0);
  }

  /**
   * Several keys, all read in one version and by one schema.
   *
   * @throws ServingException {@code VERSION_REFUSED} when the values have a schema without a codec
   */
  public List<Optional<V>> getAll(List<Bytes> keys) {
    Values read = client.read(store, keys);
    Codec<? extends V> codec = codecs.get(read.schema());
    if (codec == null) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "Version "
              + read.version()
              + " of store "
              + store
              + " has values of schema "
              + read.schema()
              + "; this client knows "
              + new TreeSet<>(codecs.keySet())
              + ". Bring it up to date, or roll the version back.");
    }
    List<Optional<V>> values = new ArrayList<>(keys.size());
    for (Optional<Bytes> value : read.values()) {
      values.add(value.map(codec::decode));
    }
    return values;
  }
}
