package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.http.Json;
import io.braid.view.ByteText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Results of operations as JSON, for answers over HTTP and for the memory of requests. */
final class ResultJson {
  private ResultJson() {}

  static ArrayNode write(List<Result> results) {
    ArrayNode array = Json.object().putArray("results");
    for (Result each : results) {
      ObjectNode object = array.addObject();
      if (each instanceof Result.Columns columns) {
        object.set("columns", Values.columns(columns.values()));
      } else if (each instanceof Result.Page page) {
        write(page, object);
      }
    }
    return array;
  }

  /** Adds a page to an object. */
  static void write(Result.Page page, ObjectNode to) {
    ArrayNode rows = to.putArray("rows");
    page.rows().forEach(row -> rows.add(Values.row(row)));
    page.next().ifPresent(next -> to.put("next", ByteText.show(next)));
  }

  /** Reads what was written. */
  static List<Result> read(JsonNode array) {
    List<Result> results = new ArrayList<>();
    for (JsonNode each : array) {
      if (each.has("columns")) {
        results.add(new Result.Columns(columns(each.path("columns"))));
      } else if (each.has("rows")) {
        results.add(page(each));
      } else {
        results.add(Result.DONE);
      }
    }
    return results;
  }

  private static Result.Page page(JsonNode object) {
    List<Result.Cells> rows = new ArrayList<>();
    for (JsonNode row : object.path("rows")) {
      rows.add(
          new Result.Cells(
              ByteText.parse(row.path("row").textValue()), columns(row.path("columns"))));
    }
    return new Result.Page(
        rows, Optional.ofNullable(object.path("next").textValue()).map(ByteText::parse));
  }

  private static Map<ColumnName, Bytes> columns(JsonNode object) {
    Map<ColumnName, Bytes> columns = new TreeMap<>();
    object
        .fields()
        .forEachRemaining(
            each ->
                columns.put(
                    Values.column(each.getKey()).name(),
                    Values.value(each.getValue()).orElse(Bytes.EMPTY)));
    return columns;
  }
}
