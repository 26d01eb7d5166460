package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.gateway.access.Role;
import io.braid.http.AnswerMemory;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import io.braid.view.Columns;
import io.braid.view.Moment;
import io.braid.view.RowExplanation;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads of rows, now or at a moment of the past. */
final class RowRoutes {
  private static final int MOST_VERSIONS = 100;
  private static final String AT = "a timestamp, a time such as 2026-05-04T10:00:00Z, or a pin";

  private final Braid db;
  private final Operations operations;
  private final OperationReader reader;

  RowRoutes(Braid db, OperationReader reader) {
    this.db = db;
    this.operations = new Operations(db);
    this.reader = reader;
  }

  List<Route> all() {
    return List.of(
        Route.of("GET", "/v1/tables/{table}/rows/{row}", Role.READ, "Read a row.", this::one)
            .takes("column", "FAMILY:QUALIFIER; may come several times; without it, all")
            .takes("at", AT),
        Route.of(
                "GET",
                "/v1/tables/{table}/rows",
                Role.READ,
                "Read a page of rows in the order of their keys.",
                this::page)
            .takes("prefix", "only rows whose keys begin with it")
            .takes("from", "only rows from this key on")
            .takes("to", "only rows before this key")
            .takes("after", "'next' of the page before; give its 'at' too")
            .takes("family", "only this family; may come several times")
            .takes("column", "only this column; may come several times")
            .takes("limit", "how many rows at most")
            .takes("at", AT),
        Route.of(
                "GET",
                "/v1/tables/{table}/rows/{row}/explanation",
                Role.READ,
                "The cells of a row, and what they mean.",
                this::explain)
            .takes("column", "FAMILY:QUALIFIER; only this one")
            .takes("versions", "of each column at most, up to " + MOST_VERSIONS));
  }

  private Snapshot snapshot(Request request) {
    return request.parameter("at").map(at -> Moment.open(db, at)).orElseGet(db::snapshot);
  }

  private JsonNode one(Request request) {
    Row row = Values.row(request.part("table"), request.part("row"));
    List<Column<Bytes>> columns =
        request.parameters("column").stream().map(Values::column).toList();
    String[] families = db.tables().families(row.table()).toArray(String[]::new);
    try (Snapshot reads = snapshot(request)) {
      RowValues values =
          AnswerMemory.reading(
              () -> columns.isEmpty() ? reads.getRow(row, families) : reads.get(row, columns));
      if (values.isEmpty()) {
        throw new HttpRefusal(
            404,
            ErrorCode.NO_SUCH_VALUE.word(),
            "Row " + Columns.show(row) + " has no such value.");
      }
      ObjectNode answer = Values.row(Result.Cells.of(values));
      return answer.put("at", Long.toString(reads.timestamp()));
    }
  }

  private JsonNode page(Request request) {
    ObjectNode asked = Json.object().put("table", request.part("table"));
    for (String name : List.of("prefix", "from", "to", "after")) {
      request.parameter(name).ifPresent(value -> asked.put(name, value));
    }
    request.parameter("limit").ifPresent(limit -> asked.put("limit", number(limit)));
    ArrayNode families = asked.putArray("families");
    request.parameters("family").forEach(families::add);
    ArrayNode columns = asked.putArray("columns");
    request.parameters("column").forEach(columns::add);
    Scan scan = reader.scan(asked);
    try (Snapshot reads = snapshot(request)) {
      ObjectNode answer = Json.object().put("at", Long.toString(reads.timestamp()));
      ResultJson.write(operations.page(reads, scan, Long.MAX_VALUE), answer);
      return answer;
    }
  }

  private static int number(String text) {
    return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
  }

  private JsonNode explain(Request request) {
    Row row = Values.row(request.part("table"), request.part("row"));
    int versions = request.parameter("versions").map(RowRoutes::number).orElse(10);
    if (versions < 1 || versions > MOST_VERSIONS) {
      throw new IllegalArgumentException("'versions' is a number from 1 to " + MOST_VERSIONS + ".");
    }
    RowExplanation explanation =
        RowExplanation.of(
            db,
            row,
            Optional.of(request.parameters("column"))
                .filter(columns -> !columns.isEmpty())
                .map(columns -> Values.column(columns.get(0)).name()),
            versions);
    ObjectNode answer = Json.object();
    answer.put("table", row.table()).put("row", request.part("row"));
    answer.put("protocol", explanation.protocol()).put("tablet", explanation.tablet());
    ArrayNode facts = answer.putArray("facts");
    for (RowExplanation.Fact fact : explanation.facts()) {
      facts
          .addObject()
          .put("column", fact.column())
          .put("kind", fact.kind().name().toLowerCase(Locale.ROOT))
          .put("version", Long.toString(fact.version()))
          .put("time", Timestamp.toText(fact.version()))
          .put("holds", fact.words())
          .put("meaning", fact.meaning());
    }
    return answer;
  }
}
