package io.braid.cli;

import io.braid.Braid;
import io.braid.core.transaction.Snapshot;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which moment a verb reads. */
final class SnapshotOptions {
  @Option(
      names = "--at",
      paramLabel = "WHEN",
      description =
          "Read the past: a timestamp, a time such as 2026-05-04T10:00:00Z, or the name of a pin.")
  @Nullable String at;

  Snapshot open(Braid db) {
    if (at == null) {
      return db.snapshot();
    }
    String when = at;
    if (when.matches("[0-9]{1,18}")) {
      return db.transactions().snapshotAt(Long.parseLong(when));
    }
    for (var pin : db.transactions().pins()) {
      if (pin.name().equals(when)) {
        return db.transactions().snapshotAt(pin.timestamp());
      }
    }
    try {
      return db.transactions().snapshotAt(Instant.parse(when));
    } catch (DateTimeParseException e) {
      throw new UsageException(
          "'"
              + when
              + "' is neither a timestamp, nor a time such as 2026-05-04T10:00:00Z, nor a pin.");
    }
  }
}
