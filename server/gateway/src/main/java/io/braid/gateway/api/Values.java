package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.http.Json;
import io.braid.view.ByteText;
import io.braid.view.Columns;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * Tables, keys, columns and values in JSON: keys and columns as the command line shows them, values
 * as text, or as an object with their base64.
 */
final class Values {
  private Values() {}

  static Row row(String table, String key) {
    return Naming.row(table, ByteText.parse(key));
  }

  static Column<Bytes> column(String text) {
    ColumnName name = Columns.parse(text).name();
    return Naming.column(name.family(), name.qualifier());
  }

  /** A value; empty for null, which deletes. */
  static Optional<Bytes> value(JsonNode node) {
    if (node.isNull()) {
      return Optional.empty();
    }
    if (node.isTextual()) {
      return Optional.of(Bytes.of(node.textValue()));
    }
    if (node.isObject() && node.size() == 1 && node.path("base64").isTextual()) {
      try {
        return Optional.of(Bytes.wrap(Base64.getDecoder().decode(node.path("base64").textValue())));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("A value in base64 is not valid base64.", e);
      }
    }
    throw new IllegalArgumentException(
        "A value is a string, {\"base64\":\"...\"}, or null for none; numbers are written as"
            + " text.");
  }

  static ObjectNode row(Result.Cells row) {
    ObjectNode object = Json.object().put("row", ByteText.show(row.key()));
    object.set("columns", columns(row.values()));
    return object;
  }

  static ObjectNode columns(Map<ColumnName, Bytes> values) {
    ObjectNode columns = Json.object();
    values.forEach((name, value) -> put(columns, Columns.show(name), value));
    return columns;
  }

  static void put(ObjectNode columns, String name, Bytes value) {
    Object shown = ByteText.toJson(value);
    if (shown instanceof Map<?, ?> encoded) {
      columns.putObject(name).put("base64", String.valueOf(encoded.get("base64")));
    } else {
      columns.put(name, String.valueOf(shown));
    }
  }
}
