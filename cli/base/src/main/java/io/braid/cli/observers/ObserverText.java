package io.braid.cli.observers;

import io.braid.observers.Backfill;
import io.braid.observers.ObserverStatus;
import io.braid.observers.rows.DeadLetter;
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
    object.put("dead_letters", status.deadLetters());
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
    text += "  dead letters: " + status.deadLetters();
    if (status.backfill().isPresent()) {
      text += "  backfill: " + toText(status.backfill().get());
    }
    return status.paused() ? text + "  PAUSED" : text;
  }

  static Map<String, Object> toObject(DeadLetter letter) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("observer", letter.observer());
    object.put("table", letter.row().table());
    object.put("row", ByteText.show(letter.row().key()));
    object.put("column", Columns.show(letter.column()));
    object.put("attempts", letter.attempts());
    object.put("first", Instant.ofEpochMilli(letter.firstMillis()).toString());
    object.put("last", Instant.ofEpochMilli(letter.lastMillis()).toString());
    object.put("reason", letter.reason());
    return object;
  }

  static String toText(DeadLetter letter) {
    return letter.observer()
        + "  "
        + Columns.show(letter.row())
        + "/"
        + Columns.show(letter.column())
        + "  attempts: "
        + letter.attempts()
        + "  "
        + Instant.ofEpochMilli(letter.firstMillis())
        + " to "
        + Instant.ofEpochMilli(letter.lastMillis())
        + "  "
        + letter.reason();
  }
}
