package io.braid.cli.loads;

import io.braid.Braid;
import io.braid.batch.job.Duplicates;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.rows.Conflicts;
import io.braid.batch.snapshot.Algorithm;
import io.braid.batch.snapshot.SnapshotOptions;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.PlaceConverter;
import io.braid.cli.command.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Loads files into a table. */
@Command(
    name = "load",
    description = {
      "Loads records of files (.csv or .jsonl, also with .gz or .zst; .avro; .parquet) into a"
          + " table.",
      "A load is a job: it can be broken off and resumed, logs the records it could not write, and"
          + " runs over them again; see 'braid job --help'. Writing a record twice changes nothing."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid load people people.csv --key id --family info",
      "  braid load people part-*.jsonl.zst --mapping people.json --job nightly-7 \\",
      "      --throttle 2000/s --conflicts load",
      "  braid load people people.csv --key id --family info --dry-run",
      "  braid load people people.csv --mapping people.json --atomic --conflicts fail",
      "  braid load people big-*.csv --mapping people.json --algorithm vanilla-sort",
      "  braid load visits day-*.parquet --key page --family v --duplicates reduce \\",
      "      --reducer hits=sum,seen=max"
    })
public final class LoadCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table; it must exist.")
  String table = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "FILE",
      converter = PlaceConverter.class,
      description = "The files to load.")
  List<Path> files = List.of();

  @Option(
      names = "--job",
      paramLabel = "ID",
      description = "The job's name (default: one made of the table and the time).")
  @Nullable String job;

  @Option(
      names = "--throttle",
      paramLabel = "RATE",
      description =
          "How fast to write: 2000/s (records), 10MB/s, adaptive (slows down when the store does),"
              + " or several with commas between (default: no limit).")
  String rate = "none";

  @Option(
      names = "--conflicts",
      paramLabel = "WHAT",
      description =
          "Cells that others wrote after the load began: newer (they stay), fail (the record is"
              + " refused), load (the load writes over them) (default: newer).")
  Conflicts conflicts = Conflicts.NEWER;

  @Option(
      names = "--duplicates",
      paramLabel = "WHAT",
      description =
          "A key that comes again in the input: last (counts), fail (before anything is written),"
              + " reduce (to one record, see --reducer), unchecked (saves the look; differing ones"
              + " are rejected) (default: last).")
  Duplicates duplicates = Duplicates.LAST;

  @Option(
      names = "--reducer",
      paramLabel = "HOW",
      description =
          "How records with one key become one: last:FIELD (the one whose field is the greatest);"
              + " FIELD=sum,FIELD=max,... (also min, first, last, concat, concat:SEPARATOR); or"
              + " class:NAME.")
  String reducer = "";

  @Option(
      names = "--observers",
      paramLabel = "on|off",
      description = "Whether observers of loaded columns run (default: ${DEFAULT-VALUE}).")
  String observers = "on";

  @Option(
      names = "--retries",
      paramLabel = "N",
      description = "How often a record is tried again (default: ${DEFAULT-VALUE}).")
  int retries = LoadOptions.DEFAULT.retries();

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "Tasks at one time (default: ${DEFAULT-VALUE}).")
  int parallel = LoadOptions.DEFAULT.parallel();

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Writers of each task (default: ${DEFAULT-VALUE}).")
  int workers = LoadOptions.DEFAULT.workers();

  @Option(
      names = "--task-size",
      paramLabel = "BYTES",
      description = "How many bytes of input a task reads (default: ${DEFAULT-VALUE}, 32 MiB).")
  long taskBytes = LoadOptions.DEFAULT.taskBytes();

  @Option(
      names = "--window",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How far back --least-success looks (default: 1 min).")
  Duration window = Duration.ofMillis(LoadOptions.DEFAULT.windowMillis());

  @Option(
      names = "--least-success",
      paramLabel = "PERCENT",
      description =
          "A task ends early when fewer records than this succeed within --window (default:"
              + " ${DEFAULT-VALUE}).")
  double leastSuccess = LoadOptions.DEFAULT.leastSuccess() * 100;

  @Option(
      names = "--atomic",
      description =
          "The whole load becomes visible at one timestamp, when all is written; others read and"
              + " write meanwhile. Cancelling it leaves nothing.")
  boolean atomic;

  @Option(
      names = "--algorithm",
      paramLabel = "WHICH",
      converter = AlgorithmConverter.class,
      description =
          "standard (a procedure for each record), import-sort, hadoop-sort, vanilla-sort (sorted"
              + " files that the store takes over; visible at one timestamp), or auto, which"
              + " predicts and chooses (default: standard).")
  Algorithm algorithm = Algorithm.STANDARD;

  @Option(
      names = "--snapshot-size",
      paramLabel = "BYTES",
      description =
          "Of the sorted files: one is closed when it has so many bytes (default: ${DEFAULT-VALUE},"
              + " 16 MiB).")
  long snapshotBytes = SnapshotOptions.DEFAULT.fileBytes();

  @Option(
      names = "--importers",
      paramLabel = "N",
      description =
          "How many sorted files the store takes over at one time (default: ${DEFAULT-VALUE}).")
  int importers = SnapshotOptions.DEFAULT.importers();

  @Option(
      names = "--drain",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "How long an atomic load waits at its end for transactions that are writing the table"
              + " (default: 1 min).")
  Duration drain = Duration.ofMillis(LoadOptions.DEFAULT.drainMillis());

  @Option(
      names = "--dry-run",
      description = "Read and map everything, write nothing, and show what would go wrong.")
  boolean dryRun;

  @Mixin MappingOptions mapping = new MappingOptions();
  @Mixin JobOptions jobs = new JobOptions();
  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    Mapping map = mapping.read();
    LoadOptions options = options();
    try (Braid db = database.openExisting();
        JobScreen screen = new JobScreen(output)) {
      if (dryRun) {
        return screen.dryRun(LoadJob.dryRun(db.loads(), table, files, map, options));
      }
      Path directory = jobs.directory(database.data);
      boolean first = Files.notExists(directory);
      String id = job == null ? table + "-" + System.currentTimeMillis() : job;
      LoadJob load = LoadJob.create(db.loads(), directory, id, table, files, map, options);
      if (algorithm == Algorithm.AUTO) {
        screen.chosen(load.directory().report());
      }
      if (first) {
        output.err().println("braid: " + made(directory));
      }
      output.err().println("braid: job " + id + " in " + load.directory().path());
      JobReport report = load.run(screen);
      return screen.report(report);
    }
  }

  private static String made(Path jobs) {
    return "made the folder "
        + jobs.toAbsolutePath().normalize()
        + ", where every load keeps what it can be resumed from; 'braid job list' shows them,"
        + " --jobs DIR takes another folder.";
  }

  private LoadOptions options() {
    if (!observers.equals("on") && !observers.equals("off")) {
      throw new UsageException("--observers takes on or off.");
    }
    LoadOptions defaults = LoadOptions.DEFAULT;
    return new LoadOptions(
        parallel,
        workers,
        defaults.batchRecords(),
        taskBytes,
        retries,
        defaults.pauseMillis(),
        defaults.inputTries(),
        window.toMillis(),
        leastSuccess / 100,
        rate,
        conflicts,
        duplicates,
        observers.equals("on"),
        atomic,
        drain.toMillis(),
        new SnapshotOptions(
            algorithm, snapshotBytes, SnapshotOptions.DEFAULT.memoryBytes(), importers),
        reducer);
  }
}
