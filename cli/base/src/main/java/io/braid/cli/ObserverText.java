package io.braid.cli;

import io.braid.observers.Backfill;
import io.braid.observers.ObserverStatus;
import io.braid.observers.rows.ParkedChange;
import io.braid.view.ByteText;
import io.braid.view.Columns;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The view of observers for operators, as text and as JSON. */
final class ObserverText {
  private ObserverText() {}

  static Map<String, Object> toObject(ObserverStatus status) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("observer", status.name());
    object.put("table", status.table());
    object.put("column", Columns.show(status.column()));
    object.put("weak", status.weak());
    object.put("paused", status.paused());
    object.put("pending", status.pending());
    object.put("oldest_pending_ms", status.oldestPendingMillis());
    object.put("parked", status.parked());
    status.backfill().ifPresent(b -> object.put("backfill", toObject(status.name(), b)));
    return object;
  }

  static Map<String, Object> toObject(String observer, Backfill backfill) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("observer", observer);
    object.put("done", backfill.done());
    object.put("rows", backfill.rows());
    object.put("made_pending", backfill.notified());
    object.put("requested", Instant.ofEpochMilli(backfill.requestedMillis()).toString());
    object.put("changed", Instant.ofEpochMilli(backfill.changedMillis()).toString());
    return object;
  }

  static String toText(Backfill backfill) {
    return (backfill.done() ? "done" : "going on")
        + ", "
        + backfill.rows()
        + " rows looked at, "
        + backfill.notified()
        + " made pending";
  }

  static String toText(ObserverStatus status) {
    String text =
        (status.weak() ? "weak  " : "")
            + status.name()
            + "  "
            + status.table()
            + "/"
            + Columns.show(status.column())
            + "  pending: "
            + status.pending();
    if (status.pending() > 0) {
      text += ", oldest " + Duration.ofMillis(status.oldestPendingMillis()).toString().substring(2);
    }
    text += "  parked: " + status.parked();
    if (status.backfill().isPresent()) {
      text += "  backfill: " + toText(status.backfill().get());
    }
    return status.paused() ? text + "  PAUSED" : text;
  }

  static Map<String, Object> toObject(ParkedChange change) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("observer", change.observer());
    object.put("table", change.row().table());
    object.put("row", ByteText.show(change.row().key()));
    object.put("column", Columns.show(change.column()));
    object.put("attempts", change.attempts());
    object.put("first", Instant.ofEpochMilli(change.firstMillis()).toString());
    object.put("last", Instant.ofEpochMilli(change.lastMillis()).toString());
    object.put("reason", change.reason());
    return object;
  }

  static String toText(ParkedChange change) {
    return change.observer()
        + "  "
        + Columns.show(change.row())
        + "/"
        + Columns.show(change.column())
        + "  attempts: "
        + change.attempts()
        + "  "
        + Instant.ofEpochMilli(change.firstMillis())
        + " to "
        + Instant.ofEpochMilli(change.lastMillis())
        + "  "
        + change.reason();
  }
}
