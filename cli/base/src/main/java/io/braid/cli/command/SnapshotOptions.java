package io.braid.cli.command;

import io.braid.Braid;
import io.braid.core.transaction.Snapshot;
import io.braid.view.Moment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which moment a verb reads. */
public final class SnapshotOptions {
  @Option(
      names = {"--at", "--as-of"},
      paramLabel = "WHEN",
      description =
          "Read the past: a timestamp, a time such as 2026-05-04T10:00:00Z, a day, '10 min ago', or"
              + " the name of a pin.")
  @Nullable String at;

  public boolean isPast() {
    return at != null;
  }

  public Snapshot open(Braid db) {
    return at == null ? db.snapshot() : Moment.open(db, at);
  }
}
