package io.braid.cli;

import io.braid.Braid;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Asks what became of a transaction. */
@Command(
    name = "outcome",
    description = "Tells what became of a transaction whose commit was not answered.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:committed, rolled back, or undecided", "3:nothing is left of it"},
    footerHeading = "%nExamples:%n",
    footer = "  braid outcome 895512345600-AQRhY2N0A2JvYgNiYWwDdXNk")
final class OutcomeCommand implements Callable<Integer> {
  @Parameters(paramLabel = "ID", description = "The id that the error named.")
  String id = "";

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    TransactionId transaction = TransactionId.parse(id);
    try (Braid db = database.openExisting()) {
      TransactionOutcome outcome = db.transactions().outcome(transaction);
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
        output.print(Map.of("outcome", "undecided"), "Undecided: its owner may still commit it.");
      } else {
        output.print(Map.of("outcome", "unknown"), "Unknown: nothing is left of it.");
        return ExitCode.UNKNOWN;
      }
      return ExitCode.DONE;
    }
  }
}
