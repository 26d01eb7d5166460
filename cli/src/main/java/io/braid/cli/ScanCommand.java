package io.braid.cli;

import io.braid.Braid;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
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
final class ScanCommand implements Callable<Integer> {
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
    try (Braid db = database.open();
        Snapshot reads = snapshot.open(db)) {
      Scan scan = Scan.of(table).prefix(prefix).limit(limit);
      for (String family : families.isEmpty() ? db.families(table) : families) {
        scan = scan.family(family);
      }
      try (RowCursor rows = reads.scan(scan)) {
        while (rows.hasNext()) {
          RowValues row = rows.next();
          output.print(Columns.toObject(row), Columns.toText(row));
        }
      }
      return ExitCode.DONE;
    }
  }
}
