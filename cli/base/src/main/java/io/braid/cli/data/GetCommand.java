package io.braid.cli.data;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.SnapshotOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import io.braid.view.Columns;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads a row. */
@Command(
    name = "get",
    description = "Prints columns of a row; all of them when none is named.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:printed", "1:there is no such value, or no such table"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid get accounts bob",
      "  braid get accounts bob balance:usd --at 2026-05-04T10:00:00Z",
      "  braid get accounts bob balance:usd --fast"
    })
public final class GetCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  String table = "";

  @Parameters(index = "1", paramLabel = "ROW", description = "The key of the row; \\xNN is a byte.")
  String key = "";

  @Parameters(index = "2..*", paramLabel = "COLUMN", description = "FAMILY:QUALIFIER.")
  List<String> columns = List.of();

  @Option(
      names = "--fast",
      description =
          "By the fast path: the newest values, and their version for 'set --if-version'.")
  boolean fast;

  @Mixin SnapshotOptions snapshot = new SnapshotOptions();
  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    List<Column<String>> wanted = columns.stream().map(Columns::parse).toList();
    Row row = Columns.row(table, key);
    if (fast) {
      return fast(row, wanted);
    }
    try (Braid db = database.openExisting();
        Snapshot reads = snapshot.open(db)) {
      RowValues values =
          wanted.isEmpty()
              ? reads.getRow(row, db.tables().families(table).toArray(String[]::new))
              : reads.get(row, wanted);
      if (values.isEmpty()) {
        return noValue(row);
      }
      output.print(Columns.toObject(values), Columns.toText(values));
      return ExitCode.DONE;
    }
  }

  private int noValue(Row row) {
    return output.refused(
        ErrorCode.NO_SUCH_VALUE, "row " + Columns.show(row) + " has no such value.");
  }

  private int fast(Row row, List<Column<String>> wanted) {
    if (wanted.isEmpty()) {
      throw new UsageException(
          "--fast reads columns: name them behind the row, as FAMILY:QUALIFIER.");
    }
    if (snapshot.isPast()) {
      throw new UsageException("--fast reads the newest values: leave --at out.");
    }
    try (Braid db = database.openExisting()) {
      FastSession.Versioned<RowValues> read = db.fast().readVersion(row, wanted);
      Map<String, Object> object = new LinkedHashMap<>(Columns.toObject(read.value()));
      object.put("version", OutputOptions.timestamp(read.version()));
      String version = "version " + read.version();
      if (read.value().isEmpty()) {
        output.print(object, version);
        return noValue(row);
      }
      output.print(object, Columns.toText(read.value()) + System.lineSeparator() + version);
      return ExitCode.DONE;
    }
  }
}
