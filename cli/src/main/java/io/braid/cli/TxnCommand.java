package io.braid.cli;

import io.braid.Braid;
import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.TransactionId;
import io.braid.percolator.TransactionTraces;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Looks at transactions. */
@Command(
    name = "txn",
    description = "Looks at transactions, and changes nothing.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid txn show 895512345600-AQRhY2N0A2JvYgNiYWwDdXNk",
      "  braid txn show 895512345600 --json"
    })
final class TxnCommand {

  @Command(
      name = "show",
      description =
          "Shows what stands of a transaction: its state at the primary, its intents and marks. Unlike"
              + " 'outcome' it decides nothing.",
      mixinStandardHelpOptions = true,
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {"0:something is known of it", "3:nothing stands of it"})
  int show(
      @Parameters(
              paramLabel = "ID",
              description = "The id that an error named, or a start timestamp.")
          String id,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output) {
    try (Braid db = database.open()) {
      TransactionTraces traces =
          id.matches("[0-9]{1,19}")
              ? db.traces(Long.parseLong(id))
              : db.traces(TransactionId.parse(id));
      output.print(json(traces), text(traces));
      return traces.state() == TransactionTraces.State.UNKNOWN ? ExitCode.UNKNOWN : ExitCode.DONE;
    }
  }

  private static Map<String, Object> json(TransactionTraces traces) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("start", traces.start());
    object.put("began", Timestamp.toText(traces.start()));
    object.put("state", word(traces.state()));
    traces.decision().ifPresent(point -> object.put("primary", text(point)));
    traces.commit().ifPresent(commit -> object.put("commit", commit));
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
      case UNKNOWN -> "unknown, nothing stands of it";
    };
  }
}
