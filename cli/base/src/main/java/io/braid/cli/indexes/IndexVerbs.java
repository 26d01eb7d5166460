package io.braid.cli.indexes;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.command.SnapshotOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import io.braid.indexes.Index;
import io.braid.view.Columns;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs of {@code braid index} for indexes of tables. */
abstract class IndexVerbs {
  @Command(
      name = "create",
      description = {
        "Creates an index of a column while writers go on, or goes on with one that was broken off.",
        "From then on every transaction keeps it in step."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  braid index create people f:city",
        "  braid index create people f:mail --unique --name mails",
        "  braid index create people f:city --local"
      })
  int create(
      @Parameters(paramLabel = "TABLE", description = "The table.") String table,
      @Parameters(paramLabel = "COLUMN", description = "FAMILY:QUALIFIER.") String column,
      @Option(names = "--unique", description = "No two rows may have the same value.")
          boolean unique,
      @Option(
              names = "--local",
              description = {
                "Keep it in the table itself, in each tablet for its own rows: writers reach one"
                    + " place less, a lookup asks all tablets. Cannot be unique."
              })
          boolean local,
      @Option(
              names = "--name",
              paramLabel = "NAME",
              description = "Its name (default: TABLE.FAMILY.QUALIFIER).")
          @Nullable String name,
      @Mixin DatabaseOptions options,
      @Mixin OutputOptions output) {
    if (unique && local) {
      throw new UsageException(
          "A local index cannot be unique: a tablet knows its own rows only. Leave --local out.");
    }
    Index.Kind kind = unique ? Index.Kind.UNIQUE : local ? Index.Kind.LOCAL : Index.Kind.GLOBAL;
    Column<String> of = Columns.parse(column);
    String wanted = name != null ? name : name(table, of);
    try (Braid db = options.openExisting();
        Progress progress = new Progress(output.err())) {
      Index index =
          db.indexes()
              .create(
                  wanted,
                  table,
                  of.name(),
                  kind,
                  seen -> progress.show("Indexing", seen, "rows so far"));
      progress.close();
      output.print(
          toObject(index),
          "Index " + index.name() + " of " + column + " in table " + table + " is ready.");
      return ExitCode.DONE;
    }
  }

  private static String name(String table, Column<String> column) {
    return table + "." + column.name().family() + "." + column.name().qualifier().toUtf8();
  }

  @Command(
      name = "list",
      description = "Lists indexes.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid index list --json")
  int list(@Mixin DatabaseOptions options, @Mixin OutputOptions output) {
    try (Braid db = options.openExisting()) {
      for (Index index : db.indexes().all()) {
        output.print(
            toObject(index),
            index.name()
                + "  "
                + index.table()
                + " "
                + index.column()
                + (index.kind() == Index.Kind.GLOBAL ? "" : "  " + index.kind().word())
                + (index.ready() ? "" : "  not ready: create it, or drop it, again to go on"));
      }
      return ExitCode.DONE;
    }
  }

  private static Map<String, Object> toObject(Index index) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("index", index.name());
    object.put("table", index.table());
    object.put("column", index.column().toString());
    object.put("kind", index.kind().word());
    object.put("unique", index.isUnique());
    object.put("ready", index.ready());
    return object;
  }

  @Command(
      name = "find",
      description = "Prints the keys of rows by the value of an indexed column.",
      mixinStandardHelpOptions = true,
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        "0:printed",
        "1:there is no such row",
        "2:no index is ready, or it was created after what --at names"
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  braid index find people f:city Ulm",
        "  braid index find people f:city --from A --to C --limit 10"
      })
  int find(
      @Parameters(paramLabel = "TABLE", description = "The table.") String table,
      @Parameters(paramLabel = "COLUMN", description = "FAMILY:QUALIFIER.") String column,
      @Parameters(
              paramLabel = "VALUE",
              arity = "0..1",
              description = "The value; none for a range of values.")
          @Nullable String value,
      @Option(names = "--from", paramLabel = "VALUE", description = "The lowest value.")
          @Nullable String from,
      @Option(names = "--to", paramLabel = "VALUE", description = "The value before the end.")
          @Nullable String to,
      @Option(names = "--limit", paramLabel = "N", description = "How many rows at most.")
          @Nullable Long limit,
      @Mixin SnapshotOptions snapshot,
      @Mixin DatabaseOptions options,
      @Mixin OutputOptions output) {
    if (value != null && (from != null || to != null)) {
      throw new UsageException("Give a VALUE, or --from and --to.");
    }
    Column<String> of = Columns.parse(column);
    try (Braid db = options.openExisting();
        Snapshot reads = snapshot.open(db)) {
      List<Row> rows =
          value != null
              ? db.indexes().find(reads, table, of, value)
              : db.indexes().range(reads, table, of, from, to, limit == null ? -1 : limit);
      for (Row row : rows) {
        output.print(Map.of("row", Columns.show(row)), Columns.show(row));
      }
      if (rows.isEmpty()) {
        output.nothing("no row of table " + table + " has such a value in " + column + ".");
        return ExitCode.FAILED;
      }
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "sweep",
      description = {
        "Removes index rows that loads have left and that lead nowhere.",
        "Nothing is lost if it is never done: they take space, and lookups pass over them."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid index sweep people.f.city --keep 1h")
  int sweep(
      @Parameters(paramLabel = "NAME", description = "The index.") String name,
      @Option(
              names = "--keep",
              paramLabel = "TIME",
              defaultValue = "1d",
              converter = DurationConverter.class,
              description =
                  "Every snapshot of the last so much time stays readable; what it needs stays"
                      + " (default: ${DEFAULT-VALUE}).")
          Duration keep,
      @Mixin DatabaseOptions options,
      @Mixin OutputOptions output) {
    try (Braid db = options.openExisting()) {
      long removed = db.indexes().sweep(name, keep);
      output.print(
          Map.of("index", name, "removed", removed),
          "Removed " + removed + " index rows of " + name + " that led nowhere.");
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "follow",
      description = {
        "Has the parts of a local index follow the tablets of its table, which were split or merged"
            + " since, or goes on with that when it was broken off.",
        "It happens by itself once there are twice as many tablets as parts, or half as many."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid index follow people.f.city")
  int follow(
      @Parameters(paramLabel = "NAME", description = "The index.") String name,
      @Mixin DatabaseOptions options,
      @Mixin OutputOptions output) {
    try (Braid db = options.openExisting();
        Progress progress = new Progress(output.err())) {
      Index index =
          db.indexes().follow(name, moved -> progress.show("Moving", moved, "index rows so far"));
      progress.close();
      output.print(toObject(index), "Index " + name + " is in the tablets of its rows.");
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "drop",
      description = "Removes an index.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid index drop people.f.city")
  int drop(
      @Parameters(paramLabel = "NAME", description = "The index.") String name,
      @Mixin DatabaseOptions options,
      @Mixin OutputOptions output) {
    try (Braid db = options.openExisting()) {
      return output.removed("index", name, db.indexes().drop(name));
    }
  }
}
