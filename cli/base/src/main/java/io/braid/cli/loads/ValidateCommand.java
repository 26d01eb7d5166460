package io.braid.cli.loads;

import io.braid.Braid;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.job.Validation;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Compares a table with files. */
@Command(
    name = "validate",
    description =
        "Compares a table at one snapshot with files that it should hold: records whose row differs"
            + " or is missing, and rows without a record. Exit code 1 when there are any.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid validate people people.csv --key id --family info",
      "  braid validate people part-*.jsonl.zst --mapping people.json --json"
    })
public final class ValidateCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  String table = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "FILE",
      converter = PlaceConverter.class,
      description = "The files.")
  List<Path> files = List.of();

  @Mixin MappingOptions mapping = new MappingOptions();
  @Mixin SnapshotOptions snapshot = new SnapshotOptions();
  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    try (Braid db = database.openExisting();
        Snapshot reads = snapshot.open(db);
        Progress progress = new Progress(output.err())) {
      Validation validation =
          new Validation(db.loads(), table, mapping.read(), LoadOptions.DEFAULT);
      Validation.Report report =
          validation.run(reads, files, records -> progress.show("records compared", records, ""));
      progress.close();
      print(report);
      return report.same() ? ExitCode.DONE : ExitCode.FAILED;
    }
  }

  private void print(Validation.Report report) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("table", table);
    object.put("same", report.same());
    object.put("read", report.read());
    object.put("equal", report.equal());
    object.put("different", report.different());
    object.put("missing", report.missing());
    object.put("rejected", report.rejected());
    object.put("duplicates", report.duplicates());
    object.put("extra", report.extra());
    object.put("snapshot", OutputOptions.timestamp(report.snapshot()));
    object.put("examples", report.examples());
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: of %,d records %,d equal, %,d different, %,d missing, %,d rejected, %,d"
                + " superseded; %,d rows without a record.",
            report.same() ? "The same" : "Not the same",
            report.read(),
            report.equal(),
            report.different(),
            report.missing(),
            report.rejected(),
            report.duplicates(),
            report.extra()));
    report.examples().forEach(each -> text.append(String.format("%n  %s", each)));
    output.print(object, text.toString());
  }
}
