package io.braid.cli.indexes;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.WebIndex;
import io.braid.examples.webindex.search.Hit;
import io.braid.examples.webindex.search.Search;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Searches the web index. */
@Command(
    name = "query",
    description = "Finds the pages of the web index that have all of these words, best first.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid query immutable list builder",
      "  braid query random string --limit 3 --json"
    })
public final class QueryCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "WORD", description = "Words that must all be there.")
  List<String> words = List.of();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "How many pages at most (default: ${DEFAULT-VALUE}).")
  int limit = 10;

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new UsageException("--limit takes a number from 1 on.");
    }
    if (!database.isThere()) {
      return noIndex();
    }
    try (Braid db = database.open()) {
      if (!WebIndex.isIn(db)) {
        return noIndex();
      }
      try (Snapshot now = db.snapshot()) {
        return print(Search.run(now, String.join(" ", words), limit));
      }
    }
  }

  private int print(List<Hit> hits) {
    if (hits.isEmpty()) {
      output.err().println("braid: no page has all of these words.");
    }
    for (int i = 0; i < hits.size(); i++) {
      output.print(HitText.toObject(hits.get(i)), HitText.toText(i + 1, hits.get(i)));
    }
    return ExitCode.DONE;
  }

  private int noIndex() {
    return output.refused(
        ErrorCode.NO_SUCH_INDEX,
        "there is no web index in "
            + database.data
            + ". Make one with 'braid index PATH' or 'braid demo'.");
  }
}
