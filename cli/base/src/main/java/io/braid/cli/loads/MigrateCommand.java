package io.braid.cli.loads;

import io.braid.Braid;
import io.braid.batch.LoadContext;
import io.braid.batch.job.JobDirectory;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.JobState;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.changes.feed.ChangeFeed;
import io.braid.changes.feed.FeedPump;
import io.braid.changes.feed.FeedSink;
import io.braid.changes.feed.Position;
import io.braid.changes.migrate.ChangeSource;
import io.braid.changes.migrate.FeedSource;
import io.braid.changes.migrate.FileSource;
import io.braid.changes.migrate.Migration;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.failure.ErrorCode;
import io.braid.gateway.node.NodeConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Brings a table over from another system that stays live. */
@Command(
    name = "migrate",
    description = {
      "Brings a table over from another system that stays live: buffers its changes, loads its"
          + " backup, applies what was buffered and what comes, and keeps the old system fed.",
      "The same command again goes on where it was; docs/changes.md has the steps."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid migrate people backup.jsonl.zst --position 4711 --source old-changes.jsonl \\",
      "      --key id --family info --follow",
      "  braid migrate people --source old-changes.jsonl --finish",
      "  braid migrate people --feed-old https://old.example.org/changes --follow",
      "  braid migrate people backup.csv --position 0 --source braid:other-data \\",
      "      --mapping people.json"
    })
public final class MigrateCommand implements Callable<Integer> {
  private static final String JOB = "backup";
  private static final String BRAID = "braid:";

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table; it must exist.")
  String table = "";

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "FILE",
      description = "The backup of the old system, to begin with.")
  List<Path> files = List.of();

  @Option(
      names = "--source",
      paramLabel = "FILE|braid:DIR",
      description =
          "The changes of the old system: a file of JSON Lines that it appends to, or the feed of"
              + " the table of this name in another database.")
  @Nullable String source;

  @Option(
      names = "--position",
      paramLabel = "POSITION",
      description = "Where in the changes the backup was made, to begin with.")
  @Nullable String position;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Keeps what is needed to go on, buffered changes among it (default: beside the database:"
              + " DATA.migrations, and braid-migrations beside braid-data).")
  @Nullable Path directory;

  @Option(names = "--follow", description = "Go on applying what comes, until stopped.")
  boolean follow;

  @Option(
      names = "--accept-rejected",
      description = "Go on though records of the backup could not be loaded.")
  boolean acceptRejected;

  @Option(
      names = "--finish",
      description = "Nobody writes to the old system any more: apply the rest and end.")
  boolean finish;

  @Option(
      names = "--keep",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "With --finish: how long changes are kept for the old system (default: 7d).")
  Duration keep = Duration.ofDays(7);

  @Option(
      names = "--feed-old",
      paramLabel = "FILE|URL",
      description = "After --finish: bring what is written here to the old system.")
  @Nullable String feedOld;

  @Mixin MappingOptions mapping = new MappingOptions();
  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    if (source == null && feedOld == null) {
      throw new UsageException("Name the changes of the old system with --source.");
    }
    Path place = place();
    try (AwaitFollowing stop = new AwaitFollowing(follow);
        Braid db = database.openExisting()) {
      db.tables().families(table);
      Position backup = position == null ? null : Position.parse(position);
      try (ChangeSource changes = source();
          Migration migration = open(db, changes, place, backup)) {
        return run(db, migration, place, stop);
      }
    }
  }

  private Path place() {
    Path kept = directory == null ? NodeConfig.beside(database.data, "migrations") : directory;
    return kept.resolve(table);
  }

  private Migration open(Braid db, ChangeSource changes, Path place, @Nullable Position backup)
      throws IOException {
    LoadContext loads = db.loads();
    return Migration.open(
        loads.transactions(), loads.seams(), db.changes(), changes, place, table, backup);
  }

  private int run(Braid db, Migration migration, Path place, AwaitFollowing stop)
      throws IOException {
    if (feedOld != null) {
      return feed(db, migration, place, stop);
    }
    if (!migration.isLoaded()) {
      Optional<String> missing = migration.load(() -> load(db, place.resolve("jobs")));
      if (missing.isPresent()) {
        output.refused(ErrorCode.NOT_FINISHED, "the backup is not loaded: " + missing.get());
        report(migration);
        return ExitCode.FAILED;
      }
    }
    if (finish) {
      migration.finish(keep);
    } else {
      migration.drain(follow, stop::isStopped);
    }
    report(migration);
    return ExitCode.DONE;
  }

  private Optional<String> load(Braid db, Path jobs) throws IOException {
    JobDirectory job = JobDirectory.of(jobs, JOB);
    if (!job.exists() && files.isEmpty()) {
      throw new UsageException("Name the files of the backup.");
    }
    JobReport report;
    try (JobScreen screen = new JobScreen(output)) {
      LoadJob load =
          job.exists()
              ? LoadJob.open(db.loads(), jobs, JOB)
              : LoadJob.create(
                  db.loads(), jobs, JOB, table, files, mapping.read(), LoadOptions.DEFAULT);
      boolean open = !job.state().ended() && job.state().phase() != JobState.Phase.REMAINDER;
      report = open ? load.run(screen) : job.report();
      screen.report(report);
    }
    JobState.Phase phase = report.state().phase();
    boolean whole =
        phase == JobState.Phase.DONE || (acceptRejected && phase == JobState.Phase.REMAINDER);
    return whole
        ? Optional.empty()
        : Optional.of(
            "see 'braid job show "
                + JOB
                + " --jobs "
                + jobs
                + "'; after 'braid job retry', or with --accept-rejected, this goes on.");
  }

  private int feed(Braid db, Migration migration, Path place, AwaitFollowing stop)
      throws IOException {
    String from = migration.report().feedFrom();
    if (from.isEmpty()) {
      throw new UsageException("The old system is fed after --finish.");
    }
    Path positions = place.resolve("old.position");
    try (FeedSink sink = FeedTarget.open(String.valueOf(feedOld), positions, db)) {
      ChangeFeed feed = db.changes(table, sink.position(table).orElse(Position.parse(from)));
      long taken = new FeedPump(feed, sink, db.loads().seams()).run(follow, stop::isStopped);
      output.print(
          Map.of("table", table, "fed", taken, "position", feed.position().toString()),
          "Brought " + taken + " changed rows of " + table + " to the old system.");
    }
    return ExitCode.DONE;
  }

  private ChangeSource source() {
    String from = source;
    if (from == null) {
      return new FileSource(place().resolve("none"));
    }
    if (from.startsWith(BRAID)) {
      Braid other = Braid.open(Path.of(from.substring(BRAID.length())));
      return new FeedSource(other.changes(), table, other::close);
    }
    return new FileSource(Path.of(from));
  }

  private void report(Migration migration) {
    Migration.Report report = migration.report();
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("table", report.table());
    object.put("phase", report.phase());
    object.put("buffered", report.buffered());
    object.put("applied", report.applied());
    object.put("changes", report.changes());
    object.put("feedFrom", report.feedFrom());
    String text =
        report.table()
            + ": "
            + report.phase()
            + ", "
            + report.changes()
            + " changed rows applied, up to position "
            + report.applied()
            + (report.applied().equals(report.buffered())
                ? "."
                : ", buffered up to " + report.buffered() + ".");
    if (!report.feedFrom().isEmpty()) {
      text +=
          System.lineSeparator()
              + "Clients may write here now; 'braid migrate "
              + report.table()
              + " --feed-old FILE|URL --follow' keeps the old system fed.";
    }
    output.print(object, text);
  }
}
