package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.serving.client.SchemaCodec;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * A read-write store whose values have a type. The nodes see bytes only; the client chooses the
 * codec of a store: JSON, Avro, Protobuf or any other, with {@link SchemaCodec} around those of
 * several forms. For many threads.
 *
 * <p>All methods throw what those of {@link WritableStore} throw, and {@link
 * IllegalArgumentException} when a value is not of the codec's making.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class TypedWritableStore<V> {
  private final WritableStore store;
  private final Codec<V> codec;

  public TypedWritableStore(WritableStore store, Codec<V> codec) {
    this.store = store;
    this.codec = codec;
  }

  /** The value of a key; of siblings the one that was written last. */
  public Optional<V> get(Bytes key) {
    return get(key, Resolver.NEWEST);
  }

  public Optional<V> get(Bytes key, Resolver resolver) {
    return store.get(key, resolver).map(codec::decode);
  }

  /** Writes over any current value. */
  public VersionedValue put(Bytes key, V value) {
    return store.put(key, codec.encode(value));
  }

  /** Deletes any current value. */
  public VersionedValue delete(Bytes key) {
    return store.delete(key);
  }

  /**
   * As {@link WritableStore#applyUpdate WritableStore.applyUpdate}: the change may run several
   * times; none deletes.
   */
  public VersionedValue applyUpdate(
      Bytes key, Function<Optional<V>, Optional<V>> change, Resolver resolver) {
    return store.applyUpdate(
        key, before -> change.apply(before.map(codec::decode)).map(codec::encode), resolver);
  }
}
