package io.braid.cli.stores;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.batch.input.StrictText;
import io.braid.core.data.Bytes;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Tuples from objects: a field is the key, another one or all others together are the value. */
abstract class ObjectInput implements TupleInput {
  /** Keeps numbers as they are, and takes no field twice. */
  static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final String keyField;
  private final @Nullable String valueField;
  private Bytes key = Bytes.EMPTY;
  private Bytes value = Bytes.EMPTY;

  /**
   * @param valueField null for all but the key, as one object
   */
  ObjectInput(String keyField, @Nullable String valueField) {
    this.keyField = keyField;
    this.valueField = valueField;
  }

  /** An error in the object that was read last. */
  abstract IOException wrong(String what);

  final ObjectNode object(String text) throws IOException {
    try {
      if (JSON.readTree(text) instanceof ObjectNode object) {
        return object;
      }
      throw wrong("this is no object.");
    } catch (JsonProcessingException e) {
      throw wrong(e.getOriginalMessage());
    }
  }

  final void take(ObjectNode object) throws IOException {
    key = text(object, keyField);
    if (key.isEmpty()) {
      throw wrong("the key is empty.");
    }
    if (valueField == null) {
      object.remove(keyField);
      value = bytes(object.toString());
    } else {
      value = text(object, valueField);
    }
  }

  private Bytes text(ObjectNode object, String field) throws IOException {
    JsonNode node = object.get(field);
    if (node == null || node.isNull()) {
      throw wrong("there is no field '" + field + "'.");
    }
    return bytes(node.isTextual() ? node.textValue() : node.toString());
  }

  private Bytes bytes(String text) throws IOException {
    try {
      return StrictText.bytes(text);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public final Bytes key() {
    return key;
  }

  @Override
  public final Bytes value() {
    return value;
  }
}
