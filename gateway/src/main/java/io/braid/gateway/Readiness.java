package io.braid.gateway;

import com.sun.net.httpserver.HttpExchange;
import io.braid.Braid;
import io.braid.core.cells.Families;
import io.braid.core.data.Row;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.http.HttpEndpoint;
import io.braid.http.Json;
import java.io.IOException;
import java.util.List;

/** Whether requests are to be sent here: the store answers, and the node is not ending. */
final class Readiness {
  private final Braid db;
  private volatile boolean draining;

  Readiness(Braid db) {
    this.db = db;
  }

  void drain() {
    draining = true;
  }

  boolean draining() {
    return draining;
  }

  void answer(HttpExchange exchange) throws IOException {
    String problem = problem();
    HttpEndpoint.send(
        exchange,
        problem.isEmpty() ? 200 : 503,
        Json.object().put("ready", problem.isEmpty()).put("message", problem));
  }

  private String problem() {
    if (draining) {
      return "The node is ending.";
    }
    try {
      db.store()
          .read(
              new RowRead(
                  Row.of(Families.SYSTEM_TABLE, "oracle"),
                  List.of(Selection.family(Families.SYSTEM)),
                  0));
      return "";
    } catch (RuntimeException e) {
      return "The store does not answer.";
    }
  }
}
