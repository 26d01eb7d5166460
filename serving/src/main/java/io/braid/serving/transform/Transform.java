package io.braid.serving.transform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.braid.core.data.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;

/** An interpretation of a value as something with parts, to which more can be added. */
@API(status = API.Status.EXPERIMENTAL)
public enum Transform {
  /** A row of bytes. */
  BYTES {
    @Override
    public Bytes part(Bytes value, int from, int count) {
      byte[] bytes = value.toArray();
      int begin = Math.min(from, bytes.length);
      return Bytes.wrap(
          Arrays.copyOfRange(bytes, begin, begin + Math.min(count, bytes.length - begin)));
    }

    @Override
    public Bytes append(Optional<Bytes> before, Bytes more) {
      byte[] first = before.map(Bytes::toArray).orElse(new byte[0]);
      byte[] both = Arrays.copyOf(first, first.length + more.length());
      more.copyTo(both, first.length);
      return Bytes.wrap(both);
    }
  },

  /** A JSON array; what is added is one element more. */
  LIST {
    @Override
    public Bytes part(Bytes value, int from, int count) {
      ArrayNode list = list(value);
      ArrayNode part = JSON.createArrayNode();
      for (int i = from; i < list.size() && i - from < count; i++) {
        part.add(list.get(i));
      }
      return written(part);
    }

    @Override
    public Bytes append(Optional<Bytes> before, Bytes more) {
      ArrayNode list = before.map(Transform::list).orElseGet(JSON::createArrayNode);
      return written(list.add(json(more)));
    }
  };

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Some of a value.
   *
   * @param from the first byte or element, from 0; beyond the end: nothing
   * @param count the most of them
   * @throws IllegalArgumentException when the value is not of this kind
   */
  public abstract Bytes part(Bytes value, int from, int count);

  /**
   * A value with more at its end.
   *
   * @param before none: as if it were empty
   * @throws IllegalArgumentException when one of them is not of this kind
   */
  public abstract Bytes append(Optional<Bytes> before, Bytes more);

  /** Returns the name of the transform in requests. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one that is written so. */
  public static Transform named(String text) {
    for (Transform transform : values()) {
      if (transform.text().equals(text)) {
        return transform;
      }
    }
    throw new IllegalArgumentException(
        "There is no transform '" + text + "'. There are: bytes, list.");
  }

  private static ArrayNode list(Bytes value) {
    if (json(value) instanceof ArrayNode list) {
      return list;
    }
    throw new IllegalArgumentException("The value is no list: not a JSON array.");
  }

  private static JsonNode json(Bytes value) {
    try {
      JsonNode node = JSON.readTree(value.toArray());
      if (node != null && !node.isMissingNode()) {
        return node;
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("This is no JSON, as a list needs it.", e);
    }
    throw new IllegalArgumentException("This is no JSON, as a list needs it: it is empty.");
  }

  private static Bytes written(JsonNode node) {
    try {
      return Bytes.wrap(JSON.writeValueAsString(node).getBytes(StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
