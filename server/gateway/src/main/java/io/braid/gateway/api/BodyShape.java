package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks a body against the shape that its route declares, which the description also shows. A
 * field outside the shape has no meaning here, and would be ignored against the intent of the
 * client. The readers of lists and maps check these, and can say more about an error.
 */
final class BodyShape {
  private static final String PLACE = "#/components/schemas/";

  private BodyShape() {}

  /**
   * @param shape its name in the description
   * @throws IllegalArgumentException when the body has a field that does not belong there, or lacks
   *     one
   */
  static ObjectNode checked(String shape, ObjectNode body) {
    JsonNode described = OpenApi.shapes().path(shape);
    check(described, body, "");
    described
        .path("required")
        .forEach(
            each -> {
              if (!body.has(each.asText())) {
                throw new IllegalArgumentException("'" + each.asText() + "' is missing.");
              }
            });
    return body;
  }

  private static void check(JsonNode shape, JsonNode value, String at) {
    requireType(shape.path("type").asText(), value, at);
    for (int i = 0; shape.has("items") && i < value.size(); i++) {
      check(resolved(shape.path("items")), value.get(i), at + i + ".");
    }
    if (!shape.has("properties") || !value.isObject()) {
      return;
    }
    JsonNode known = shape.path("properties");
    value
        .fields()
        .forEachRemaining(
            each -> {
              String field = at + each.getKey();
              if (!known.has(each.getKey())) {
                throw new IllegalArgumentException(
                    "'" + field + "' means nothing here. There may be: " + names(known) + ".");
              }
              check(resolved(known.path(each.getKey())), each.getValue(), field + ".");
            });
  }

  private static JsonNode resolved(JsonNode shape) {
    String ref = shape.path("$ref").asText();
    return ref.isEmpty() ? shape : OpenApi.shapes().path(ref.substring(PLACE.length()));
  }

  private static void requireType(String type, JsonNode value, String at) {
    boolean fits =
        switch (type) {
          // Numbers of more than 53 bits are strings; shorter ones may be given as they are.
          case "string" -> value.isTextual() || value.isIntegralNumber();
          case "integer" -> value.isIntegralNumber();
          case "number" -> value.isNumber();
          case "boolean" -> value.isBoolean();
          case "array" -> value.isArray();
          case "object" -> value.isObject();
          default -> true;
        };
    if (!fits) {
      String field = at.substring(0, Math.max(0, at.length() - 1));
      throw new IllegalArgumentException("'" + field + "' is no " + type + ".");
    }
  }

  private static String names(JsonNode known) {
    List<String> names = new ArrayList<>();
    known.fieldNames().forEachRemaining(names::add);
    return String.join(", ", names);
  }
}
