package io.braid.batch.mapping;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object of JSON as text, by their names; nulls are missing. Numbers keep their
 * written digits, also in nested values.
 */
final class JsonFields {
  private JsonFields() {}

  /**
   * @throws IOException when this is no JSON, something follows it, or a field comes twice
   * @throws IllegalArgumentException when it is JSON, and no object
   */
  static Map<String, String> of(String text) throws IOException {
    try (JsonParser in = JsonLines.READER.createParser(text)) {
      boolean object = in.nextToken() == JsonToken.START_OBJECT;
      if (!object) {
        in.skipChildren();
      }
      Map<String, String> fields = object ? fields(in) : Map.of();
      JsonToken more = in.nextToken();
      if (!object || more != null) {
        throw new IllegalArgumentException(
            object ? "Something follows the object." : "It is no object.");
      }
      return fields;
    }
  }

  private static Map<String, String> fields(JsonParser in) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
      String value = value(in);
      if (value != null) {
        fields.put(field, value);
      }
    }
    return fields;
  }

  private static @Nullable String value(JsonParser in) throws IOException {
    JsonToken token = in.nextToken();
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    if (!token.isStructStart()) {
      return in.getText();
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JsonLines.READER.createGenerator(text)) {
      for (int depth = 0; ; token = in.nextToken()) {
        if (token.isNumeric()) {
          out.writeNumber(in.getText());
        } else {
          out.copyCurrentEvent(in);
        }
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (depth == 0) {
          break;
        }
      }
    }
    return text.toString();
  }
}
