package io.braid.cli.maintenance;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Asks for the outcome of a transaction. */
@Command(
    name = "outcome",
    description = "Tells the outcome of a transaction whose commit was not answered.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:committed, rolled back, or undecided", "3:nothing is left of it"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid outcome 895512345600-AQRhY2N0A2JvYgNiYWwDdXNk",
      "  braid outcome 895512345600-AQRhY2N0A2JvYgNiYWwDdXNk --wait 0s --json"
    })
public final class OutcomeCommand implements Callable<Integer> {
  private static final Duration PAUSE = Duration.ofMillis(200);

  @Parameters(paramLabel = "ID", description = "The id that the error named.")
  String id = "";

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      description =
          "How long to wait for one that may still be under way elsewhere (default: 15s; 0s to ask"
              + " once).",
      converter = DurationConverter.class)
  Duration wait = Duration.ofSeconds(15);

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  /**
   * Asks for the outcome. A transaction that a live owner may still commit is not decided by
   * asking: the owner has its time.
   */
  private TransactionOutcome ask(Braid db, TransactionId transaction) {
    long end = System.nanoTime() + wait.toNanos();
    TransactionOutcome outcome = db.transactions().outcome(transaction);
    while (outcome instanceof TransactionOutcome.Undecided && System.nanoTime() < end) {
      LockSupport.parkNanos(PAUSE.toNanos());
      outcome = db.transactions().outcome(transaction);
    }
    return outcome;
  }

  @Override
  public Integer call() {
    // A server adds a signature, which only the server needs.
    TransactionId transaction = TransactionId.parse(id.replaceFirst("\\.[^.]*$", ""));
    try (Braid db = database.openExisting()) {
      TransactionOutcome outcome = ask(db, transaction);
      if (outcome instanceof TransactionOutcome.Committed committed) {
        output.print(
            Map.of(
                "outcome",
                "committed",
                "commit",
                OutputOptions.timestamp(committed.commitTimestamp())),
            "Committed at " + committed.commitTimestamp() + ".");
      } else if (outcome instanceof TransactionOutcome.RolledBack) {
        output.print(Map.of("outcome", "rolled back"), "Rolled back.");
      } else if (outcome instanceof TransactionOutcome.Undecided) {
        output.print(
            Map.of("outcome", "undecided"),
            "Undecided: still running, its owner may commit it. Ask again later.");
      } else {
        output.print(Map.of("outcome", "unknown"), "Unknown: nothing is left of it.");
        return ExitCode.UNKNOWN;
      }
      return ExitCode.DONE;
    }
  }
}
