package io.braid.cli.loads;

import io.braid.Braid;
import io.braid.batch.export.TableExport;
import io.braid.cli.command.Amount;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.PlaceConverter;
import io.braid.cli.command.Progress;
import io.braid.cli.command.SnapshotOptions;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a table into a file. */
@Command(
    name = "export",
    description = {
      "Writes a table at one snapshot into a file (.csv or .jsonl, also with .gz or .zst; .avro or"
          + " .parquet) that 'braid load' takes with the same mapping.",
      "Into .jsonl goes every column of a family (--key and --family). The other formats have the"
          + " same fields in each record: --mapping names a file that says which."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid export people --out people.jsonl.zst --key id --family info",
      "  echo '{\"key\":[\"id\"],\"columns\":{\"name\":{\"column\":\"info:name\"}}}' > people.json",
      "  braid export people --out people.csv --mapping people.json",
      "  braid export people --out then.csv --mapping people.json --as-of 2026-05-04T10:00:00Z"
    })
public final class ExportCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  String table = "";

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      converter = PlaceConverter.class,
      description = "Where to; must not be there.")
  Path out = Path.of("");

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "Tablets read at one time (default: ${DEFAULT-VALUE}).")
  int parallel = 4;

  @Mixin MappingOptions mapping = new MappingOptions();
  @Mixin SnapshotOptions snapshot = new SnapshotOptions();
  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    long begun = System.nanoTime();
    try (Braid db = database.openExisting();
        Snapshot reads = snapshot.open(db);
        Progress progress = new Progress(output.err())) {
      TableExport export = new TableExport(db.loads(), table, mapping.read(), parallel);
      TableExport.Report report =
          export.run(reads, out, rows -> progress.show("rows written", rows, ""));
      progress.close();
      double seconds = (System.nanoTime() - begun) / 1e9;
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("table", table);
      object.put("rows", report.rows());
      object.put("bytes", report.bytes());
      object.put("tablets", report.parts());
      object.put("snapshot", OutputOptions.timestamp(report.snapshot()));
      object.put("seconds", seconds);
      object.put("out", out.toString());
      output.print(
          object,
          String.format(
              Locale.ROOT,
              "Wrote %s of %s as of %d, %,d bytes, to %s in %.1f s.",
              Amount.of(report.rows(), "row"),
              table,
              report.snapshot(),
              report.bytes(),
              out,
              seconds));
      return ExitCode.DONE;
    }
  }
}
