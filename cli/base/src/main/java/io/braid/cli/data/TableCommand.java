package io.braid.cli.data;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.DurationConverter;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.store.TableSchema;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates and lists tables. */
@Command(
    name = "table",
    description = "Creates, lists, changes and drops tables.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid table create accounts balance history",
      "  braid table create orders lines --protocol omid",
      "  braid table list",
      "  braid table protocol accounts omid",
      "  braid table changes accounts --keep 7d"
    })
public final class TableCommand {
  @Command(
      name = "create",
      description = "Creates a table, or adds families to it.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid table create accounts balance history")
  int create(
      @Parameters(paramLabel = "TABLE", description = "The table.") String table,
      @Parameters(
              paramLabel = "FAMILY",
              arity = "1..*",
              description = "A group of columns that is stored apart.")
          List<String> families,
      @Option(
              names = "--protocol",
              paramLabel = "NAME",
              description =
                  "Which transactions write it: ${COMPLETION-CANDIDATES} (default: percolator).")
          @Nullable ProtocolName protocol,
      @Mixin DatabaseOptions options,
      @Mixin OutputOptions output) {
    try (Braid db = options.open()) {
      if (protocol == null) {
        db.ensureTable(table, families.toArray(String[]::new));
      } else {
        db.ensureTable(table, protocol.protocol, families.toArray(String[]::new));
      }
      output.print(
          Map.of(
              "table",
              table,
              "families",
              db.tables().families(table),
              "protocol",
              db.tables().protocol(table).word()),
          "Table "
              + table
              + " has the families "
              + String.join(", ", db.tables().families(table))
              + ". Protocol: "
              + db.tables().protocol(table).word()
              + ".");
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "list",
      description = "Lists tables, their families and how many tablets they have.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid table list --data other-data --json")
  int list(@Mixin DatabaseOptions options, @Mixin OutputOptions output) {
    try (Braid db = options.openExisting()) {
      for (TableSchema table : db.store().tables()) {
        if (table.name().startsWith("~")) {
          continue;
        }
        List<String> families = db.tables().families(table.name());
        int tablets = db.store().tablets(table.name()).size();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("table", table.name());
        object.put("families", families);
        object.put("tablets", tablets);
        object.put("protocol", db.tables().protocol(table.name()).word());
        output.print(
            object,
            table.name()
                + "  "
                + String.join(", ", families)
                + "  tablets: "
                + tablets
                + "  "
                + db.tables().protocol(table.name()).word());
      }
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "protocol",
      description = {
        "Binds a table, with its indexes, to another protocol while clients work.",
        "Who writes meanwhile waits; what had begun aborts and may be run again."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid table protocol accounts omid")
  int protocol(
      @Parameters(paramLabel = "TABLE", description = "The table.") String table,
      @Parameters(paramLabel = "NAME", description = "${COMPLETION-CANDIDATES}.")
          ProtocolName protocol,
      @Mixin DatabaseOptions options,
      @Mixin OutputOptions output) {
    try (Braid db = options.openExisting()) {
      db.tables().switchProtocol(table, protocol.protocol);
      String word = db.tables().protocol(table).word();
      output.print(
          Map.of("table", table, "protocol", word),
          "Table " + table + " is bound to " + word + ".");
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "changes",
      description = {
        "Keeps the changes of a table for 'braid changes', from now on or longer or shorter.",
        "What is written to the table takes a little longer then."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {"  braid table changes accounts --keep 7d", "  braid table changes accounts --off"})
  int changes(
      @Parameters(paramLabel = "TABLE", description = "The table.") String table,
      @Option(
              names = "--keep",
              paramLabel = "TIME",
              converter = DurationConverter.class,
              description = "How long, such as 7d (default: 7d).")
          @Nullable Duration keep,
      @Option(names = "--off", description = "Keep none any more, and forget those kept.")
          boolean off,
      @Mixin DatabaseOptions options,
      @Mixin OutputOptions output) {
    if (off && keep != null) {
      throw new UsageException("Use either --keep or --off.");
    }
    try (Braid db = options.openExisting()) {
      if (off) {
        db.changes().stop(table);
        output.print(
            Map.of("table", table, "kept", false), "Changes of " + table + " are not kept.");
        return ExitCode.DONE;
      }
      Duration time = keep == null ? Duration.ofDays(7) : keep;
      String begin = OutputOptions.timestamp(db.changes().keep(table, time));
      output.print(
          Map.of("table", table, "kept", true, "keepMillis", time.toMillis(), "since", begin),
          "Changes of "
              + table
              + " are kept for "
              + DurationConverter.text(time)
              + ", since "
              + begin
              + ".");
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "fence",
      description = "Has transactions abort that began before now and write the table.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid table fence accounts")
  int fence(
      @Parameters(paramLabel = "TABLE", description = "The table.") String table,
      @Mixin DatabaseOptions options,
      @Mixin OutputOptions output) {
    try (Braid db = options.openExisting()) {
      long fence = db.tables().fence(table);
      output.print(
          Map.of("table", table, "fence", OutputOptions.timestamp(fence)),
          "Transactions that began before " + fence + " and write table " + table + " abort.");
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "drop",
      description = "Removes a table with all its data.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid table drop accounts")
  int drop(
      @Parameters(paramLabel = "TABLE", description = "The table.") String table,
      @Mixin DatabaseOptions options,
      @Mixin OutputOptions output) {
    try (Braid db = options.openExisting()) {
      boolean there = db.store().table(table).isPresent();
      if (there) {
        db.dropTable(table);
      }
      return output.removed("table", table, there);
    }
  }
}
