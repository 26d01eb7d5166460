package io.braid.gateway.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.braid.batch.JobException;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableReplacedException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.BlockedByTransactionException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.PinExistsException;
import io.braid.core.transaction.SnapshotTooOldException;
import io.braid.core.transaction.TransactionExpiredException;
import io.braid.core.transaction.TransactionInterruptedException;
import io.braid.groups.GroupCreationException;
import io.braid.groups.GroupException;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupOutcomeUnknownException;
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
    if (failure instanceof CommitOutcomeUnknownException unknown) {
      return refusal(504, "outcome unknown", unknown).with("transaction", unknown.id().toString());
    }
    if (failure instanceof GroupOutcomeUnknownException) {
      return refusal(504, "outcome unknown", failure);
    }
    if (failure instanceof GroupCreationException refused) {
      HttpRefusal refusal = refusal(409, "not joined", refused);
      ArrayNode keys = refusal.details().putArray("not_joined");
      refused.notJoined().forEach(each -> keys.add(GroupRoutes.notJoined(each)));
      return refusal;
    }
    if (failure instanceof GroupGoneException) {
      return refusal(404, "no such group", failure);
    }
    if (failure instanceof GroupException) {
      return refusal(409, "group", failure);
    }
    if (failure instanceof JobException) {
      return refusal(409, "job", failure);
    }
    if (failure instanceof KeyHeldByGroupException) {
      return refusal(423, "held by group", failure);
    }
    if (failure instanceof SnapshotTooOldException) {
      return refusal(410, "snapshot too old", failure);
    }
    if (failure instanceof TransactionExpiredException) {
      return refusal(410, "transaction expired", failure);
    }
    if (failure instanceof TableReplacedException) {
      return refusal(409, "table replaced", failure);
    }
    if (failure instanceof UnknownTableException) {
      return refusal(404, "no such table", failure);
    }
    if (failure instanceof PinExistsException) {
      return refusal(409, "pin exists", failure);
    }
    if (failure instanceof IllegalArgumentException) {
      return refusal(400, "bad request", failure);
    }
    if (failure instanceof BlockedByTransactionException
        || failure instanceof TabletUnavailableException
        || failure instanceof TimestampUnavailableException
        || failure instanceof TransactionInterruptedException) {
      return refusal(503, "unavailable", failure);
    }
    if (failure instanceof StoreException) {
      return refusal(503, "store", failure);
    }
    return HttpRefusal.defect();
  }

  private static HttpRefusal refusal(int status, String error, Throwable failure) {
    return new HttpRefusal(status, error, String.valueOf(failure.getMessage()));
  }

  private static HttpRefusal conflict(ConflictException conflict) {
    HttpRefusal refusal =
        new HttpRefusal(409, "conflict", "Others were first; run the transaction again.");
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
