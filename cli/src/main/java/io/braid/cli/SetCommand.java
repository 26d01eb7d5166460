package io.braid.cli;

import io.braid.Braid;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import io.braid.view.Columns;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Writes columns of a row in one transaction. */
@Command(
    name = "set",
    description = "Sets columns of a row in one transaction.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  braid set accounts bob balance:usd 10", "  braid set accounts bob a:x 1 a:y 2"})
final class SetCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  String table = "";

  @Parameters(index = "1", paramLabel = "ROW", description = "The key of the row; \\xNN is a byte.")
  String key = "";

  @Parameters(
      index = "2..*",
      arity = "2..*",
      paramLabel = "COLUMN VALUE",
      description = "FAMILY:QUALIFIER and its new value, as often as needed.")
  List<String> assignments = List.of();

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    Map<Column<String>, String> values = parse();
    Row row = Columns.row(table, key);
    try (Braid db = database.openExisting();
        Transaction tx = db.begin()) {
      values.forEach((column, value) -> tx.set(row, column, value));
      long commit = tx.commit();
      output.print(
          Map.of("committed", OutputOptions.timestamp(commit)), "Committed at " + commit + ".");
      return ExitCode.DONE;
    }
  }

  private Map<Column<String>, String> parse() {
    if (assignments.size() % 2 != 0) {
      throw new UsageException("A value is missing: write COLUMN VALUE pairs.");
    }
    Map<Column<String>, String> values = new LinkedHashMap<>();
    for (int i = 0; i < assignments.size(); i += 2) {
      values.put(Columns.parse(assignments.get(i)), assignments.get(i + 1));
    }
    return values;
  }
}
