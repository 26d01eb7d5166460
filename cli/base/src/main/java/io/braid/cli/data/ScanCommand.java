package io.braid.cli.data;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.SnapshotOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.data.KeyRange;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.view.ByteText;
import io.braid.view.Columns;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints rows of a table. */
@Command(
    name = "scan",
    description = "Prints rows of a table in the order of their keys.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid scan accounts",
      "  braid scan accounts --prefix b --family balance --limit 10"
    })
public final class ScanCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  String table = "";

  @Option(names = "--prefix", paramLabel = "KEY", description = "Only rows that begin with KEY.")
  String prefix = "";

  @Option(names = "--family", paramLabel = "FAMILY", description = "Only these families.")
  List<String> families = List.of();

  @Option(names = "--limit", paramLabel = "N", description = "At most N rows (default: 100).")
  long limit = 100;

  @Mixin SnapshotOptions snapshot = new SnapshotOptions();
  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    if (limit < 1 || limit == Long.MAX_VALUE) {
      throw new UsageException("--limit takes a number from 1 on.");
    }
    try (Braid db = database.openExisting();
        Snapshot reads = snapshot.open(db)) {
      Scan scan = Scan.of(table).range(KeyRange.prefix(ByteText.parse(prefix))).limit(limit + 1);
      for (String family : families.isEmpty() ? db.tables().families(table) : families) {
        scan = scan.family(family);
      }
      try (RowCursor rows = reads.scan(scan)) {
        if (!rows.hasNext()) {
          output.nothing("table " + table + " has no such rows.");
        }
        for (long n = 0; n < limit && rows.hasNext(); n++) {
          RowValues row = rows.next();
          output.print(Columns.toObject(row), Columns.toText(row));
        }
        if (rows.hasNext()) {
          output.err().println("braid: stopped after " + limit + " rows; --limit shows more.");
        }
      }
      return ExitCode.DONE;
    }
  }
}
