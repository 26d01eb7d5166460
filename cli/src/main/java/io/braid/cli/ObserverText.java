package io.braid.cli;

import io.braid.observers.ObserverStatus;
import io.braid.observers.ParkedChange;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** What operators get to see of observers, as text and as JSON. */
final class ObserverText {
  private ObserverText() {}

  static Map<String, Object> toObject(ObserverStatus status) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("observer", status.name());
    object.put("table", status.table());
    object.put("column", Columns.show(status.column()));
    object.put("weak", status.weak());
    object.put("pending", status.pending());
    object.put("oldest_pending_ms", status.oldestPendingMillis());
    object.put("parked", status.parked());
    return object;
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
    return text + "  parked: " + status.parked();
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
