package io.braid.cli.workload;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.testkit.checker.HistoryChecker;
import io.braid.testkit.checker.Verdict;
import io.braid.testkit.history.HistoryFormatException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Judges a history. */
@Command(
    name = "check",
    description =
        "Judges a history of clients, of any of the workloads: was it strong snapshot isolation?",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:valid", "1:invalid", "2:the file is no history"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid workload append --out h.jsonl",
      "  braid check h.jsonl",
      "  braid check h.jsonl --json"
    })
public final class CheckCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The history: JSON lines as docs/formats/history.md specifies.")
  Path file = Path.of("history.jsonl");

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    Verdict verdict = judge();
    output.out().println(output.json() ? verdict.toJson() : verdict.toText());
    output.out().flush();
    return verdict.valid() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private Verdict judge() {
    if (!Files.isRegularFile(file)) {
      throw new UsageException("There is no file " + file + ".");
    }
    try {
      return HistoryChecker.check(file);
    } catch (HistoryFormatException e) {
      throw new UsageException(file + ": " + e.getMessage());
    }
  }
}
