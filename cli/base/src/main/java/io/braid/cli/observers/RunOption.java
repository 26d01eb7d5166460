package io.braid.cli.observers;

import io.braid.Braid;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.command.UsageException;
import io.braid.examples.webindex.WebIndex;
import io.braid.observers.ObserverStats;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Runs observers in this process, as far as it has their code. */
final class RunOption {
  private static final Duration LOOK = Duration.ofMillis(200);

  @Option(
      names = "--run",
      description = "Run the web index's observers here until nothing is pending.")
  boolean run;

  /** Starts to run them, before anything becomes pending. */
  void begin(Braid db) {
    if (run) {
      if (!WebIndex.isIn(db)) {
        throw new UsageException(
            "--run has the code of the web index only, and there is none here: leave it out and"
                + " start the application instead.");
      }
      WebIndex.start(db);
    }
  }

  /** Waits until the observers have run; the exit code says whether there are new dead letters. */
  int end(Braid db, OutputOptions output) {
    if (!run) {
      return ExitCode.DONE;
    }
    try (Progress progress = new Progress(output.err())) {
      while (!db.awaitObserversIdle(LOOK)) {
        ObserverStats stats = db.observerStats();
        progress.show("Running observers", stats.runs(), stats.runs() + stats.pending(), "changes");
      }
    }
    long letters = db.observerStats().deadLetters();
    if (letters > 0) {
      output
          .err()
          .println(
              "braid: " + letters + " changes are dead letters: 'braid observers dead-letters'.");
      return ExitCode.FAILED;
    }
    return ExitCode.DONE;
  }
}
