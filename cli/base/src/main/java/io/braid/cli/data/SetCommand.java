package io.braid.cli.data;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.Transaction;
import io.braid.view.Columns;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes columns of a row in one transaction. */
@Command(
    name = "set",
    description = "Sets columns of a row in one transaction.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid set accounts bob balance:usd 10",
      "  braid set accounts bob a:x 1 a:y 2",
      "  braid set accounts bob balance:usd 10 --fast",
      "  braid set accounts bob balance:usd 11 --if-version 912181176397987841"
    })
public final class SetCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  String table = "";

  @Parameters(index = "1", paramLabel = "ROW", description = "The key of the row; \\xNN is a byte.")
  String key = "";

  @Parameters(
      index = "2..*",
      arity = "1..*", // the code below reports a missing value in words
      paramLabel = "COLUMN VALUE",
      description = "FAMILY:QUALIFIER and its new value, as often as needed.")
  List<String> assignments = List.of();

  @Option(
      names = "--fast",
      description = "By the fast path, or a regular transaction where that cannot do it.")
  boolean fast;

  @Option(
      names = "--if-version",
      paramLabel = "VERSION",
      description = "Only if no column was written since it had this version; by the fast path.")
  @Nullable Long ifVersion;

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    Map<Column<String>, String> values = parse();
    Row row = Columns.row(table, key);
    try (Braid db = database.openExisting()) {
      long commit = fast || ifVersion != null ? fast(db, row, values) : regular(db, row, values);
      output.print(
          Map.of("committed", OutputOptions.timestamp(commit)), "Committed at " + commit + ".");
      return ExitCode.DONE;
    }
  }

  private static long regular(Braid db, Row row, Map<Column<String>, String> values) {
    try (Transaction tx = db.begin()) {
      values.forEach((column, value) -> tx.set(row, column, value));
      return tx.commit();
    }
  }

  private long fast(Braid db, Row row, Map<Column<String>, String> values) {
    RowChange change = RowChange.of(row);
    for (Map.Entry<Column<String>, String> each : values.entrySet()) {
      change = change.set(each.getKey(), each.getValue());
    }
    FastSession session = db.fast(FastOptions.DEFAULT.orRegular(true));
    return ifVersion == null ? session.write(change) : session.writeIf(ifVersion, change);
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
