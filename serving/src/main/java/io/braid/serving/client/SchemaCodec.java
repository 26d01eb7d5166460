package io.braid.serving.client;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * Values that say by themselves which schema they have: its number (a varint), then the value in
 * that schema's form (section 4.3.1 has "a special byte"). For stores that clients write, where old
 * and new forms stand beside each other; a version of a read-only store has one schema for all its
 * values, which {@link TypedStore} goes by.
 *
 * <p>So a form is changed without a stop: give all clients the codec of the new number first, then
 * let them write it.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class SchemaCodec<V> implements Codec<V> {
  private final int writes;
  private final Codec<V> writer;
  private final TreeMap<Integer, Codec<? extends V>> codecs;

  /**
   * @param writes the schema that new values get, from 0 on
   * @param writer its codec
   * @param others codecs of schemas that are read too, by their numbers, from 0 on
   */
  public SchemaCodec(int writes, Codec<V> writer, Map<Integer, Codec<? extends V>> others) {
    this.writes = writes;
    this.writer = writer;
    this.codecs = new TreeMap<>(others);
    codecs.put(writes, writer);
    if (codecs.firstKey() < 0) {
      throw new IllegalArgumentException(
          "A schema has the number " + codecs.firstKey() + ". Numbers are 0 or above.");
    }
  }

  @Override
  public Bytes encode(V value) {
    Bytes plain = writer.encode(value);
    return new Encoder(plain.length() + 10).varint(writes).raw(plain).finish();
  }

  /**
   * @throws ServingException {@code VERSION_REFUSED} when the value has a schema without a codec
   */
  @Override
  public V decode(Bytes bytes) {
    Decoder decoder = new Decoder(bytes);
    long schema = decoder.varint();
    Codec<? extends V> codec = schema == (int) schema ? codecs.get((int) schema) : null;
    if (codec == null) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "A value has schema "
              + schema
              + "; this client knows "
              + new TreeSet<>(codecs.keySet())
              + ". Bring it up to date.");
    }
    return codec.decode(decoder.rest());
  }
}
