package io.braid.cli;

import io.braid.Braid;
import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.Timestamp;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Shows the cells of a row as they are in the store, in the manner of figure 4 of the Percolator
 * paper.
 */
@Command(
    name = "raw",
    description = "Shows the intents, records, large values and notifications of a row.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  braid raw accounts bob", "  braid raw accounts bob --versions 3 --json"})
final class RawCommand implements Callable<Integer> {
  private static final int SHOWN_BYTES = 60;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  String table = "";

  @Parameters(index = "1", paramLabel = "ROW", description = "The key of the row; \\xNN is a byte.")
  String key = "";

  @Option(
      names = "--versions",
      paramLabel = "N",
      description = "At most N versions of each column (default: ${DEFAULT-VALUE}).")
  int versions = 10;

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    if (versions < 1) {
      throw new UsageException("--versions takes a number from 1 on.");
    }
    try (Braid db = database.openExisting()) {
      TableSchema schema =
          db.store()
              .table(table)
              .orElseThrow(
                  () ->
                      new UnknownTableException(
                          "There is no table " + table + ": create it first."));
      List<Selection> all =
          schema.families().stream()
              .map(family -> Selection.family(family.name()).newest(versions))
              .toList();
      Row row = Columns.row(table, key);
      List<Cell> cells = db.store().read(new RowRead(row, all, 0)).cells();
      if (cells.isEmpty()) {
        output.err().println("braid: row " + Columns.show(row) + " has no cells.");
        return ExitCode.FAILED;
      }
      cells.forEach(this::print);
      return ExitCode.DONE;
    }
  }

  private void print(Cell cell) {
    String what = describe(cell);
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("family", cell.column().family());
    object.put("qualifier", ByteText.show(cell.column().qualifier()));
    object.put("version", OutputOptions.timestamp(cell.version()));
    object.put("time", Timestamp.toText(cell.version()));
    object.put("cell", what);
    output.print(object, Columns.show(cell.column()) + "  " + cell.version() + ": " + what);
  }

  /** What a cell says, in words. */
  static String describe(Cell cell) {
    String family = cell.column().family();
    if (family.equals(Families.INTENT)) {
      Intent intent = Intent.decode(cell.value());
      return switch (intent.kind()) {
        case ROLLED_BACK -> "rolled back";
        case HOLD -> "held by group " + intent.owner();
        default ->
            "intent to " + word(intent.kind().name(), intent.value()) + ", " + intent.decision();
      };
    }
    if (family.equals(Families.NOTIFY)) {
      return Notification.decode(cell.value()).kind().name().toLowerCase(java.util.Locale.ROOT)
          + " notification";
    }
    if (family.equals(Families.PARKED)) {
      return "parked";
    }
    if (family.equals(Families.ACK)) {
      return acknowledgment(cell);
    }
    if (family.endsWith("~large")) {
      return cell.value().length() + " bytes";
    }
    return record(cell);
  }

  private static String acknowledgment(Cell cell) {
    CommitRecord record = CommitRecord.decode(cell.value(), cell.version());
    return record.value().length() == Long.BYTES
        ? "acknowledged by the run begun at " + record.value().longAt(0)
        : record(cell);
  }

  private static String record(Cell cell) {
    CommitRecord record = CommitRecord.decode(cell.value(), cell.version());
    return word(record.kind().name(), record.value()) + " @ " + record.start();
  }

  private static String word(String kind, Bytes value) {
    return switch (kind) {
      case "PUT" -> "put " + shown(value);
      case "PUT_LARGE" -> "put a large value";
      case "DELETE" -> "delete";
      default -> "lock only";
    };
  }

  private static String shown(Bytes value) {
    return value.length() <= SHOWN_BYTES
        ? ByteText.show(value)
        : ByteText.show(value.slice(0, SHOWN_BYTES)) + "... (" + value.length() + " bytes)";
  }
}
