package io.braid.serving.net;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;

/** Objects as they come and go. */
final class Json {
  /** The longest body of a request. */
  static final int LIMIT = 4 << 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  private Json() {}

  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  /** Reads an object; nothing at all counts as an empty one. */
  static ObjectNode read(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(LIMIT + 1);
    if (bytes.length > LIMIT) {
      throw new HttpRefusal(413, "too long", "A body has at most " + LIMIT + " bytes.");
    }
    return read(bytes);
  }

  /** As {@link #read(InputStream)}. */
  static ObjectNode read(byte[] bytes) throws IOException {
    if (bytes.length == 0) {
      return object();
    }
    try {
      if (JSON.readTree(bytes) instanceof ObjectNode object) {
        return object;
      }
    } catch (JsonProcessingException e) {
      throw new HttpRefusal(400, "not json", "The body is no JSON: " + e.getOriginalMessage());
    }
    throw new HttpRefusal(400, "not json", "The body must be a JSON object.");
  }
}
