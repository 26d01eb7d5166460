package io.braid.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import io.braid.http.Json;
import io.braid.view.ByteText;
import io.braid.view.Columns;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Rows, columns and values in the form of requests and answers. */
final class HttpRows {
  private static final String BASE64 = "base64";

  private HttpRows() {}

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The end of an address that names a row. */
  static String path(Row row) {
    return encoded(row.table()) + "/rows/" + encoded(ByteText.show(row.key()));
  }

  /** The parameters that name columns, the first one after a question mark. */
  static String query(Collection<? extends Column<?>> columns) {
    StringBuilder query = new StringBuilder();
    for (Column<?> column : columns) {
      query.append(query.isEmpty() ? '?' : '&').append("column=");
      query.append(encoded(Columns.show(column.name())));
    }
    return query.toString();
  }

  static ObjectNode operation(String name, Row row) {
    return Json.object()
        .put("op", name)
        .put("table", row.table())
        .put("row", ByteText.show(row.key()));
  }

  static ArrayNode names(Collection<? extends Column<?>> columns) {
    ArrayNode names = Json.object().arrayNode();
    columns.forEach(column -> names.add(Columns.show(column.name())));
    return names;
  }

  static ObjectNode values(SortedMap<ColumnName, Optional<Bytes>> columns) {
    ObjectNode values = Json.object();
    columns.forEach(
        (name, value) -> {
          String shown = Columns.show(name);
          value.ifPresentOrElse(
              bytes ->
                  values
                      .putObject(shown)
                      .put(BASE64, Base64.getEncoder().encodeToString(bytes.toArray())),
              () -> values.putNull(shown));
        });
    return values;
  }

  static RowValues read(Row row, JsonNode columns) {
    SortedMap<ColumnName, Bytes> values = new TreeMap<>();
    columns
        .fields()
        .forEachRemaining(
            each -> values.put(Columns.parse(each.getKey()).name(), value(each.getValue())));
    return new RowValues(row, values);
  }

  private static Bytes value(JsonNode node) {
    return node.isTextual()
        ? Bytes.of(node.textValue())
        : Bytes.wrap(Base64.getDecoder().decode(node.path(BASE64).asText()));
  }
}
