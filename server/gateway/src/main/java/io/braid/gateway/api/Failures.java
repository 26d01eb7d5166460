package io.braid.gateway.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.braid.core.failure.BraidException;
import io.braid.core.transaction.ConflictException;
import io.braid.groups.GroupCreationException;
import io.braid.http.HttpRefusal;
import io.braid.view.ByteText;
import io.braid.view.Columns;
import java.util.Locale;

/**
 * The answers to failures. The status tells the client how to go on: 400 change the request, 409
 * begin again, 410 take a newer snapshot, 423 go through the group, 503 try again later. Status 504
 * always means an unknown outcome, and nothing else.
 */
public final class Failures {
  private Failures() {}

  /** The refusal for a failure. */
  public static HttpRefusal refusal(RuntimeException failure) {
    if (failure instanceof HttpRefusal refusal) {
      return refusal;
    }
    if (failure instanceof ConflictException conflict) {
      return conflict(conflict);
    }
    if (failure instanceof GroupCreationException refused) {
      HttpRefusal refusal = HttpRefusal.of(refused);
      ArrayNode keys = refusal.details().putArray("not_joined");
      refused.notJoined().forEach(each -> keys.add(GroupRoutes.notJoined(each)));
      return refusal;
    }
    if (failure instanceof BraidException known) {
      return HttpRefusal.of(known);
    }
    if (failure instanceof IllegalArgumentException invalid) {
      return HttpRefusal.badRequest(invalid);
    }
    return HttpRefusal.defect();
  }

  private static HttpRefusal conflict(ConflictException conflict) {
    HttpRefusal refusal =
        new HttpRefusal(
            409, conflict.code().word(), "Others were first; run the transaction again.");
    ArrayNode cells = refusal.details().putArray("conflicts");
    for (ConflictException.Conflict each : conflict.conflicts()) {
      cells
          .addObject()
          .put("table", each.row().table())
          .put("row", ByteText.show(each.row().key()))
          .put("column", Columns.show(each.column()))
          .put("cause", each.cause().name().toLowerCase(Locale.ROOT))
          .put("other", Long.toString(each.otherTimestamp()));
    }
    return refusal;
  }
}
