package io.braid.serving.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import java.io.IOException;
import org.apiguardian.api.API;

/**
 * Values as JSON, for {@link TypedStore} and for writers. The nodes see bytes only; a store's
 * readers choose how to take them (section 3.1.1): so, as {@link AvroCodec}, as {@link
 * ProtobufCodec}, or in any other form by two functions for {@link Codecs#of Codecs.of}.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class JsonCodec {
  private JsonCodec() {}

  /**
   * The codec of a type.
   *
   * @param mapper that knows how the type is written
   */
  public static <T> Codec<T> of(ObjectMapper mapper, Class<T> type) {
    return Codecs.of(value -> encode(mapper, value), bytes -> decode(mapper, type, bytes));
  }

  private static <T> Bytes encode(ObjectMapper mapper, T value) {
    try {
      return Bytes.wrap(mapper.writeValueAsBytes(value));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "A " + value.getClass().getSimpleName() + " cannot be written as JSON.", e);
    }
  }

  private static <T> T decode(ObjectMapper mapper, Class<T> type, Bytes bytes) {
    try {
      T value = mapper.readValue(bytes.toArray(), type);
      if (value != null) {
        return value;
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "The value is no " + type.getSimpleName() + " in JSON.", e);
    }
    throw new IllegalArgumentException("The value is null in JSON.");
  }
}
