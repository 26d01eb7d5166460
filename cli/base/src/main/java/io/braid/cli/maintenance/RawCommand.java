package io.braid.cli.maintenance;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.Timestamp;
import io.braid.view.ByteText;
import io.braid.view.CellWords;
import io.braid.view.Columns;
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
public final class RawCommand implements Callable<Integer> {
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
        return output.refused(
            ErrorCode.NO_SUCH_VALUE, "row " + Columns.show(row) + " has no cells.");
      }
      cells.forEach(this::print);
      return ExitCode.DONE;
    }
  }

  private void print(Cell cell) {
    String what = CellWords.of(cell);
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("family", cell.column().family());
    object.put("qualifier", ByteText.show(cell.column().qualifier()));
    object.put("version", OutputOptions.timestamp(cell.version()));
    object.put("time", Timestamp.toText(cell.version()));
    object.put("cell", what);
    output.print(object, Columns.show(cell.column()) + "  " + cell.version() + ": " + what);
  }
}
