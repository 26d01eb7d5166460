package io.braid.cli.loads;

import io.braid.Braid;
import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.ChangeFeed;
import io.braid.changes.feed.ChangeLine;
import io.braid.changes.feed.ChangeLogs;
import io.braid.changes.feed.FeedPump;
import io.braid.changes.feed.FeedSink;
import io.braid.changes.feed.Position;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.core.time.Timestamp;
import io.braid.view.Moment;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the change feed of a table, or brings it elsewhere. */
@Command(
    name = "changes",
    description = {
      "Shows the committed changes of a table in the order of their timestamps.",
      "'braid table changes TABLE --keep 7d' has them kept. Without a table: lists the feeds."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid changes people",
      "  braid changes people --since 29292929 --json --follow",
      "  braid changes people --since '10 min ago'",
      "  braid changes people --follow --to people-changes.jsonl",
      "  braid changes people --follow --to https://example.org/in --positions people.position",
      "  braid changes people --follow --to kafka://broker:9092/people"
    })
public final class ChangesCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TABLE",
      description = "The table; all feeds are listed without one.")
  @Nullable String table;

  @Option(
      names = "--since",
      paramLabel = "POSITION",
      description =
          "Begin after this position, as the feed gave it; a timestamp, a time such as"
              + " 2026-05-04T10:00:00Z, a day, '10 min ago' or the name of a pin will do (default:"
              + " all that is kept; with --to, where it ended, and no other place once anything is"
              + " there).")
  @Nullable String since;

  @Option(names = "--follow", description = "Go on with what comes, until stopped.")
  boolean follow;

  @Option(
      names = "--to",
      paramLabel = "FILE|URL",
      description =
          "Bring the feed into a file of JSON Lines, POST it to a server, or to a topic of Kafka"
              + " (kafka://HOST:PORT/TOPIC).")
  @Nullable String to;

  @Option(
      names = "--positions",
      paramLabel = "FILE",
      description = "With a URL: where the position is kept (default: TABLE.position).")
  @Nullable Path positions;

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    try (AwaitFollowing stop = new AwaitFollowing(follow);
        Braid db = database.openExisting()) {
      if (table == null) {
        db.changes().list().forEach(this::list);
        return ExitCode.DONE;
      }
      try (FeedSink sink = sink(db, table)) {
        Position begin = since == null ? sink.position(table).orElse(null) : position(db, since);
        ChangeFeed feed = db.changes(table, begin);
        long taken = new FeedPump(feed, sink, db.loads().seams()).run(follow, stop::isStopped);
        if (to != null) {
          report(table, taken, feed.position());
        }
      }
      return ExitCode.DONE;
    }
  }

  private FeedSink sink(Braid db, String name) throws IOException {
    if (to == null) {
      return new Printed(output);
    }
    Path file = positions == null ? Path.of(name + ".position") : positions;
    return FeedTarget.open(to, file, db);
  }

  private static Position position(Braid db, String text) {
    if (Position.is(text)) {
      return Position.parse(text);
    }
    try {
      return Position.after(Moment.timestamp(db, text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          e.getMessage() + " It is no position that a feed gave either.", e);
    }
  }

  private void report(String name, long taken, Position at) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("table", name);
    object.put("changes", taken);
    object.put("position", at.toString());
    output.print(
        object, "Brought " + taken + " changed rows of " + name + ". Position: " + at + ".");
  }

  private void list(ChangeLogs.Status log) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("table", log.table());
    object.put("begin", OutputOptions.timestamp(log.begin()));
    object.put("resolved", OutputOptions.timestamp(log.resolved()));
    object.put("keepMillis", log.keep().toMillis());
    output.print(
        object,
        log.table()
            + "  since "
            + Timestamp.instant(log.begin())
            + "  resolved "
            + Timestamp.instant(log.resolved())
            + "  kept for "
            + DurationConverter.text(log.keep()));
  }

  /** Prints a feed. */
  private record Printed(OutputOptions output) implements FeedSink {
    @Override
    public Optional<Position> position(String table) {
      return Optional.empty();
    }

    @Override
    public void take(String table, ChangeBatch batch) throws IOException {
      PrintWriter out = output.out();
      batch
          .changes()
          .forEach(
              change ->
                  out.println(
                      output.json()
                          ? ChangeLine.toText(ChangeLine.of(change, batch.position().lineage()))
                          : ChangesText.of(change)));
      if (batch.isEnd()) {
        if (output.json()) {
          out.println(ChangeLine.toText(ChangeLine.resolved(table, batch.position())));
        } else if (!batch.changes().isEmpty()) {
          out.println("Resolved up to position " + batch.position() + ".");
        }
      }
      out.flush();
      if (out.checkError()) {
        throw new IOException("The output was closed.");
      }
    }

    @Override
    public void close() {}
  }
}
