package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.transaction.Scan;
import io.braid.http.Json;
import io.braid.view.ByteText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads operations from JSON, all of them before the first one runs. Unknown fields are refused,
 * not ignored: a mistyped condition must not become no condition.
 */
final class OperationReader {
  private static final Map<String, Set<String>> FIELDS =
      Map.of(
          "get", Set.of("op", "table", "row", "columns"),
          "set", Set.of("op", "table", "row", "columns"),
          "delete", Set.of("op", "table", "row", "columns"),
          "lock", Set.of("op", "table", "row", "columns"),
          "expect", Set.of("op", "table", "row", "columns"),
          "scan",
              Set.of(
                  "op", "table", "prefix", "from", "to", "after", "columns", "families", "limit"));

  private final int most;
  private final int page;

  /**
   * @param most operations at a time
   * @param page rows of a scan at most
   */
  OperationReader(int most, int page) {
    this.most = most;
    this.page = page;
  }

  /**
   * @throws IllegalArgumentException when something is wrong; the text names the operation
   */
  List<Operation> read(JsonNode operations) {
    if (!operations.isArray() || operations.isEmpty() || operations.size() > most) {
      throw new IllegalArgumentException(
          "'operations' is an array of 1 to " + most + " operations.");
    }
    List<Operation> read = new ArrayList<>();
    for (JsonNode each : operations) {
      try {
        read.add(one(each));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "Operation " + read.size() + " (counted from 0): " + e.getMessage(), e);
      }
    }
    return read;
  }

  private Operation one(JsonNode node) {
    String op = text(node, "op");
    Set<String> fields = FIELDS.get(op);
    if (fields == null) {
      throw new IllegalArgumentException(
          "'op' is one of get, scan, set, delete, lock, expect; not '" + op + "'.");
    }
    node.fieldNames()
        .forEachRemaining(
            name -> {
              if (!fields.contains(name)) {
                throw new IllegalArgumentException("'" + name + "' means nothing for " + op + ".");
              }
            });
    if (op.equals("scan")) {
      return new Operation.Read(scan(node));
    }
    Row row = Values.row(text(node, "table"), text(node, "row"));
    return switch (op) {
      case "get" -> new Operation.Get(row, node.has("columns") ? names(node) : List.of());
      case "set" -> new Operation.Set(row, values(node));
      case "lock" -> new Operation.Lock(row, names(node));
      case "expect" -> new Operation.Expect(row, values(node));
      default -> new Operation.Set(row, deletions(node));
    };
  }

  /** A scan, from an object with the fields of one. */
  Scan scan(JsonNode node) {
    long limit = Json.whole(node, "limit", page);
    if (limit < 1 || limit > page) {
      throw new IllegalArgumentException("'limit' is a number from 1 to " + page + ".");
    }
    Scan scan = Scan.of(Naming.table(text(node, "table"))).range(range(node)).limit(limit + 1);
    for (String family : texts(node.path("families"), "families")) {
      scan = scan.family(family);
    }
    for (String column : texts(node.path("columns"), "columns")) {
      scan = scan.column(Values.column(column));
    }
    return scan;
  }

  private static KeyRange range(JsonNode node) {
    KeyRange range = KeyRange.prefix(bytes(node, "prefix"));
    @Nullable Bytes to = node.has("to") ? bytes(node, "to") : null;
    Bytes after = bytes(node, "after");
    Bytes from = after.isEmpty() ? bytes(node, "from") : after.successor();
    return range.intersect(new KeyRange(from, to));
  }

  private static Bytes bytes(JsonNode node, String field) {
    return node.has(field) ? ByteText.parse(text(node, field)) : Bytes.EMPTY;
  }

  private static String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (!value.isTextual()) {
      throw new IllegalArgumentException("'" + field + "' is missing, or no string.");
    }
    return value.textValue();
  }

  private static List<String> texts(JsonNode array, String field) {
    List<String> texts = new ArrayList<>();
    if (!array.isMissingNode() && !array.isArray()) {
      throw new IllegalArgumentException("'" + field + "' is an array of strings.");
    }
    for (JsonNode each : array) {
      if (!each.isTextual()) {
        throw new IllegalArgumentException("'" + field + "' is an array of strings.");
      }
      texts.add(each.textValue());
    }
    return texts;
  }

  private static List<Column<Bytes>> names(JsonNode node) {
    List<Column<Bytes>> columns =
        texts(node.path("columns"), "columns").stream().map(Values::column).toList();
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("'columns' names at least one column.");
    }
    return columns;
  }

  /** Reads the values that {@code columns} of an object set; empty values delete. */
  static Map<Column<Bytes>, Optional<Bytes>> values(JsonNode node) {
    JsonNode columns = node.path("columns");
    if (!columns.isObject() || columns.isEmpty()) {
      throw new IllegalArgumentException("'columns' is an object of columns and their values.");
    }
    Map<Column<Bytes>, Optional<Bytes>> values = new LinkedHashMap<>();
    columns
        .fields()
        .forEachRemaining(
            e -> {
              Column<Bytes> column = Values.column(e.getKey());
              if (values.put(column, Values.value(e.getValue())) != null) {
                throw new IllegalArgumentException("Column " + column + " is there twice.");
              }
            });
    return values;
  }

  private static Map<Column<Bytes>, Optional<Bytes>> deletions(JsonNode node) {
    Map<Column<Bytes>, Optional<Bytes>> none = new LinkedHashMap<>();
    names(node).forEach(column -> none.put(column, Optional.empty()));
    return none;
  }
}
