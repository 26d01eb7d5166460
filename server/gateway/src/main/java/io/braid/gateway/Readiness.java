package io.braid.gateway;

import io.braid.Braid;
import io.braid.core.cells.Families;
import io.braid.core.data.Row;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.gateway.access.AuditLog;
import io.braid.http.HttpCall;
import io.braid.http.Json;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/**
 * Whether requests are to be sent here: all ways in are open, the store answers and has not given
 * up writing, the audit log can be written, and the node is not ending. A full disk of the store is
 * no reason: reads go on, and writes do once there is room.
 */
final class Readiness {
  private final Braid db;
  private final AuditLog audit;
  private volatile boolean opened;
  private volatile boolean draining;
  private volatile Supplier<List<String>> broken = List::of;
  private volatile String warning = "";

  Readiness(Braid db, AuditLog audit) {
    this.db = db;
    this.audit = audit;
  }

  void opened() {
    opened = true;
  }

  void drain() {
    draining = true;
  }

  void warn(String of) {
    warning = of;
  }

  void broken(Supplier<List<String>> of) {
    broken = of;
  }

  boolean draining() {
    return draining;
  }

  void answer(HttpCall call) throws IOException {
    String problem = problem();
    call.send(
        problem.isEmpty() ? 200 : 503,
        Json.object()
            .put("ready", problem.isEmpty())
            .put("message", problem.isEmpty() ? remark() : problem));
  }

  /**
   * Returns a remark about a problem that is no reason to send requests elsewhere. The caller of
   * this endpoint need not be known.
   */
  private String remark() {
    List<String> stay = broken.get();
    return stay.isEmpty()
        ? warning
        : "Changed on the disk, and of no use: "
            + String.join(", ", stay)
            + ". What was read before is in force; the log says why.";
  }

  private String problem() {
    audit.tryAgain();
    String known = known();
    if (!known.isEmpty()) {
      return known;
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

  /**
   * Returns the reason not to send requests here, as far as is known without asking the store.
   * Empty if there is none.
   */
  String known() {
    if (draining) {
      return "The node is ending.";
    }
    if (!opened) {
      return "The node is starting.";
    }
    if (!audit.healthy()) {
      return "The audit log cannot be written, so nothing may be changed.";
    }
    return db.operations()
        .refusesWrites()
        .map(why -> db.store().refusesWrites().isPresent() ? "The store takes no writes." : why)
        .orElse("");
  }
}
