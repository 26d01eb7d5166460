package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.Braid;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.TableWalk;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions.Pin;
import io.braid.gateway.access.Role;
import io.braid.gateway.transactions.RequestTables;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Tables, and pins of the past. */
final class TableRoutes {
  private final Braid db;

  TableRoutes(Braid db) {
    this.db = db;
  }

  List<Route> all() {
    return List.of(
        Route.of("GET", "/v1/tables", Role.READ, "The tables that may be read.", this::list),
        Route.of("GET", "/v1/tables/{table}", Role.READ, "A table.", this::one),
        Route.of(
                "PUT",
                "/v1/tables/{table}",
                Role.ADMIN,
                "Create a table, or add families to it.",
                this::create)
            .body("Table"),
        Route.of(
            "DELETE",
            "/v1/tables/{table}",
            Role.ADMIN,
            "Remove a table with all its data.",
            this::drop),
        Route.of("GET", "/v1/pins", Role.READ, "The snapshots that are kept.", this::pins),
        Route.of("PUT", "/v1/pins/{pin}", Role.ADMIN, "Keep the snapshot of now.", this::pin),
        Route.of("DELETE", "/v1/pins/{pin}", Role.ADMIN, "Let go of a snapshot.", this::unpin));
  }

  private JsonNode list(Request request) {
    ObjectNode answer = Json.object();
    ArrayNode tables = answer.putArray("tables");
    TableWalk.each(
        db.store(),
        each -> {
          String name = each.name();
          if (!name.startsWith("~")
              && !RequestTables.isOne(name)
              && request.identity().may(Role.READ, name)) {
            tables.add(table(name));
          }
        });
    return answer;
  }

  private ObjectNode table(String name) {
    ObjectNode table = Json.object().put("table", name);
    ArrayNode families = table.putArray("families");
    db.tables().families(name).forEach(families::add);
    table.put("protocol", db.tables().protocol(name).word());
    return table.put("tablets", db.store().tablets(name).size());
  }

  private JsonNode one(Request request) {
    return table(Naming.table(request.part("table")));
  }

  private JsonNode create(Request request) throws IOException {
    String table = Naming.table(request.part("table"));
    ObjectNode body = request.body();
    List<String> families = new ArrayList<>();
    if (body.has("families") && !body.path("families").isArray()) {
      throw new IllegalArgumentException("'families' is an array of names.");
    }
    for (JsonNode each : body.path("families")) {
      if (!each.isTextual()) {
        throw new IllegalArgumentException("'families' is an array of names.");
      }
      families.add(each.asText());
    }
    String[] names = families.toArray(String[]::new);
    if (body.has("protocol")) {
      db.ensureTable(table, protocol(body.path("protocol").asText()), names);
    } else {
      db.ensureTable(table, names);
    }
    return table(table);
  }

  private static Protocol protocol(String word) {
    for (Protocol protocol : Protocol.values()) {
      if (protocol.word().equals(word)) {
        return protocol;
      }
    }
    throw new IllegalArgumentException("'protocol' is percolator or omid; not '" + word + "'.");
  }

  private JsonNode drop(Request request) {
    String table = Naming.table(request.part("table"));
    if (db.store().table(table).isEmpty()) {
      throw new UnknownTableException("There is no table " + table + ".");
    }
    db.dropTable(table);
    return Json.object().put("dropped", table);
  }

  private JsonNode pins(Request request) {
    request.identity().require(Role.READ, "*"); // names of pins tell what others do
    ObjectNode answer = Json.object();
    ArrayNode pins = answer.putArray("pins");
    db.transactions().pins().forEach(pin -> pins.add(pin(pin)));
    return answer;
  }

  private static ObjectNode pin(Pin pin) {
    return Json.object().put("pin", pin.name()).put("timestamp", Long.toString(pin.timestamp()));
  }

  private JsonNode pin(Request request) {
    try (Snapshot now = db.snapshot()) {
      return pin(db.transactions().pin(request.part("pin"), now.timestamp()));
    }
  }

  private JsonNode unpin(Request request) {
    String name = request.part("pin");
    if (!db.transactions().unpin(name)) {
      throw new HttpRefusal(404, ErrorCode.NO_SUCH_PIN.word(), "There is no pin " + name + ".");
    }
    return Json.object().put("unpinned", name);
  }
}
