package io.braid.cli.data;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import io.braid.view.Columns;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Deletes columns of a row in one transaction. */
@Command(
    name = "delete",
    description = "Deletes columns of a row in one transaction.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  braid delete accounts bob balance:usd")
public final class DeleteCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  String table = "";

  @Parameters(index = "1", paramLabel = "ROW", description = "The key of the row; \\xNN is a byte.")
  String key = "";

  @Parameters(
      index = "2..*",
      arity = "1..*",
      paramLabel = "COLUMN",
      description = "FAMILY:QUALIFIER.")
  List<String> columns = List.of();

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    List<Column<String>> gone = columns.stream().map(Columns::parse).toList();
    Row row = Columns.row(table, key);
    try (Braid db = database.openExisting();
        Transaction tx = db.begin()) {
      gone.forEach(column -> tx.delete(row, column));
      long commit = tx.commit();
      output.print(
          Map.of("committed", OutputOptions.timestamp(commit)), "Committed at " + commit + ".");
      return ExitCode.DONE;
    }
  }
}
