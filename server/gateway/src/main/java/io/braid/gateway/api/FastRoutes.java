package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.RowValues;
import io.braid.gateway.access.Role;
import io.braid.http.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fast path: one operation on one row of a table of Omid's protocol. */
final class FastRoutes {
  private static final String ROW = "/v1/fast/{table}/rows/{row}";

  private final RowCalls calls;

  FastRoutes(RowCalls calls) {
    this.calls = calls;
  }

  List<Route> all() {
    return List.of(
        Route.of("GET", ROW, Role.READ, "Read the newest columns of a row: fast path.", this::read)
            .takes("column", "FAMILY:QUALIFIER; may come several times, at least one"),
        Route.of(
                "POST",
                ROW,
                Role.WRITE,
                "Write columns of a row: fast path. Once, if it has a name.",
                this::write)
            .body("FastWrite"),
        Route.of(
            "GET", "/v1/fast/name", Role.READ, "A name for a write of the fast path.", this::name));
  }

  private static Row row(Request request) {
    return Values.row(request.part("table"), request.part("row"));
  }

  private JsonNode read(Request request) {
    List<Column<Bytes>> columns =
        request.parameters("column").stream().map(Values::column).toList();
    FastSession.Versioned<RowValues> read =
        calls.fastRead(request.identity(), row(request), columns);
    return Values.row(Result.Cells.of(read.value())).put("version", Long.toString(read.version()));
  }

  private JsonNode write(Request request) throws IOException {
    ObjectNode body = request.body();
    RowChange change = RowChange.of(row(request));
    for (Map.Entry<Column<Bytes>, Optional<Bytes>> each : OperationReader.values(body).entrySet()) {
      change =
          each.getValue().isPresent()
              ? change.set(each.getKey(), each.getValue().get())
              : change.delete(each.getKey());
    }
    FastOptions options =
        FastOptions.DEFAULT
            .orRegular(flag(body))
            .after(version(body, "after").orElse(FastOptions.DEFAULT.after()));
    Optional<FastSession.Request> name =
        body.has("name") ? Optional.of(name(body.path("name"))) : Optional.empty();
    long version =
        calls.fastWrite(
            request.identity(),
            change,
            new RowCalls.FastWriteOptions(options, version(body, "if_version"), name));
    return Json.object().put("version", Long.toString(version));
  }

  private static boolean flag(ObjectNode body) {
    JsonNode flag = body.path("or_regular");
    if (!flag.isMissingNode() && !flag.isBoolean()) {
      throw new IllegalArgumentException("'or_regular' is true or false.");
    }
    return flag.asBoolean();
  }

  private static Optional<Long> version(JsonNode object, String field) {
    JsonNode value = object.path(field);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.parseLong(value.asText()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + field + "' is a string of digits.", e);
    }
  }

  private static FastSession.Request name(JsonNode name) {
    return new FastSession.Request(part(name, "id"), part(name, "after"));
  }

  private static long part(JsonNode name, String field) {
    return version(name, field)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'name' is what GET /v1/fast/name has answered, with 'id' and 'after'."));
  }

  private JsonNode name(Request request) {
    FastSession.Request name = calls.fastName();
    return Json.object()
        .put("id", Long.toString(name.id()))
        .put("after", Long.toString(name.after()));
  }
}
