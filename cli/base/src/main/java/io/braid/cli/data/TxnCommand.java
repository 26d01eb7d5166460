package io.braid.cli.data;

import io.braid.Braid;
import io.braid.cli.command.Amount;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.command.UsageException;
import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import io.braid.percolator.TransactionTraces;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Looks at transactions. */
@Command(
    name = "txn",
    description =
        "Writes a file of rows in one transaction, and shows the state of any transaction.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid txn apply accounts changes.jsonl",
      "  braid scan accounts --json > rows.jsonl",
      "  braid txn apply copy rows.jsonl",
      "  braid txn show 895512345600-AQRhY2N0A2JvYgNiYWwDdXNk",
      "  braid txn show 895512345600 --json"
    })
public final class TxnCommand {

  private static final int PROGRESS_ROWS = 1000;

  @Command(
      name = "apply",
      description =
          "Writes all rows of a file in one transaction: all of them are seen, or none. It may be"
              + " larger than the memory (limits.transaction). Each line is a row as 'scan --json'"
              + " prints it; a null in the place of a value deletes.",
      mixinStandardHelpOptions = true,
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        "0:committed",
        "1:another transaction was first; nothing was written",
        "2:a line is wrong; nothing was written",
        "3:the answer to the commit was lost; 'braid outcome' tells"
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  braid txn apply accounts changes.jsonl",
        "  braid scan accounts --json > rows.jsonl",
        "  braid txn apply copy rows.jsonl"
      })
  int apply(
      @Parameters(paramLabel = "TABLE", description = "The table.") String table,
      @Parameters(paramLabel = "FILE", description = "The rows, or - for standard input.")
          String file,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output)
      throws IOException {
    try (BufferedReader reader = open(file);
        Braid db = database.openExisting();
        Transaction tx = db.begin();
        Progress progress = new Progress(output.err())) {
      RowLines lines = new RowLines(file.equals("-") ? "standard input" : file, table, reader);
      long rows = 0;
      for (RowLines.Change next = lines.next(); next != null; next = lines.next()) {
        apply(tx, next);
        if (++rows % PROGRESS_ROWS == 0) {
          progress.show("write", rows, "rows");
        }
      }
      progress.show("commit", rows, "rows");
      long commit = tx.commit();
      progress.close();
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("rows", rows);
      object.put("committed", OutputOptions.timestamp(commit));
      output.print(object, "Committed " + Amount.of(rows, "row") + " at " + commit + ".");
      return ExitCode.DONE;
    }
  }

  private static BufferedReader open(String file) throws IOException {
    try {
      return file.equals("-")
          // The decoder refuses what is no UTF-8; the reader's own would write other values.
          ? new BufferedReader(
              new InputStreamReader(System.in, StandardCharsets.UTF_8.newDecoder()))
          : Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new UsageException("There is no file " + file + ".");
    }
  }

  private static void apply(Transaction tx, RowLines.Change change) {
    change
        .changes()
        .forEach(
            (column, value) -> {
              if (value == null) {
                tx.delete(change.row(), column);
              } else {
                tx.set(change.row(), column, value);
              }
            });
  }

  @Command(
      name = "show",
      description =
          "Shows the state of a transaction: what its primary says, its intents and marks. Unlike"
              + " 'outcome' it decides nothing.",
      mixinStandardHelpOptions = true,
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {"0:something is known of it", "3:there is no trace of it"},
      footerHeading = "%nExamples:%n",
      footer = {
        "  braid txn show 895512345600-AQRhY2N0A2JvYgNiYWwDdXNk",
        "  braid txn show 895512345600 --json"
      })
  int show(
      @Parameters(
              paramLabel = "ID",
              description = "The id that an error named, or a start timestamp.")
          String id,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output) {
    OptionalLong start = start(id);
    TransactionId named = start.isPresent() ? null : TransactionId.parse(id);
    try (Braid db = database.openExisting()) {
      TransactionTraces traces =
          named == null
              ? db.operations().traces(start.orElseThrow())
              : db.operations().traces(named);
      output.print(json(traces), text(traces));
      return traces.state() == TransactionTraces.State.UNKNOWN ? ExitCode.UNKNOWN : ExitCode.DONE;
    }
  }

  private static OptionalLong start(String id) {
    OptionalLong start = Timestamp.parse(id);
    if (start.isEmpty() && id.matches("[0-9]+")) {
      throw new UsageException(id + " is no timestamp: it is too large.");
    }
    return start;
  }

  private static Map<String, Object> json(TransactionTraces traces) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("start", OutputOptions.timestamp(traces.start()));
    object.put("began", Timestamp.toText(traces.start()));
    object.put("state", word(traces.state()));
    traces.decision().ifPresent(point -> object.put("primary", text(point)));
    traces.commit().ifPresent(commit -> object.put("commit", OutputOptions.timestamp(commit)));
    traces
        .owner()
        .ifPresent(
            owner -> {
              object.put("owner", owner.token());
              object.put("owner_alive", owner.alive());
              object.put("heartbeat_age_millis", owner.ageMillis());
            });
    List<Map<String, Object>> cells =
        traces.cells().stream()
            .map(
                cell -> {
                  Map<String, Object> each = new LinkedHashMap<>();
                  each.put("table", cell.row().table());
                  each.put("row", cell.row().key().toString());
                  each.put("column", cell.column().toString());
                  each.put("kind", cell.kind());
                  return each;
                })
            .toList();
    object.put("cells", cells);
    object.put("more_cells", traces.more());
    return object;
  }

  private static String text(TransactionTraces traces) {
    StringBuilder text = new StringBuilder();
    text.append("Transaction begun at ")
        .append(traces.start())
        .append(" (")
        .append(Timestamp.toText(traces.start()))
        .append("): ")
        .append(word(traces.state()));
    traces.commit().ifPresent(commit -> text.append(" at ").append(commit));
    text.append('.');
    traces.decision().ifPresent(point -> text.append(line("primary  ")).append(text(point)));
    traces
        .owner()
        .ifPresent(
            owner ->
                text.append(line("owner    "))
                    .append(owner.token())
                    .append(owner.alive() ? ", alive" : ", dead")
                    .append(", last heartbeat ")
                    .append(owner.ageMillis())
                    .append(" ms ago"));
    traces
        .cells()
        .forEach(
            cell ->
                text.append(line(cell.kind()))
                    .append("  ")
                    .append(cell.row())
                    .append(' ')
                    .append(cell.column()));
    if (traces.more()) {
      text.append(line("... and more"));
    }
    return text.toString();
  }

  private static String line(String what) {
    return System.lineSeparator() + "  " + what;
  }

  private static String text(DecisionPoint point) {
    return point instanceof PrimaryCell primary
        ? primary.row() + " " + primary.column()
        : point.toString();
  }

  private static String word(TransactionTraces.State state) {
    return switch (state) {
      case COMMITTED -> "committed";
      case ROLLED_BACK -> "rolled back";
      case UNDECIDED -> "undecided";
      case UNKNOWN -> "unknown, there is no trace of it";
    };
  }
}
