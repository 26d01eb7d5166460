package io.braid.percolator;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.data.Cell;
import io.braid.core.data.KeyRange;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.time.Timestamp;
import java.util.ArrayList;
import java.util.List;

/** The cells of a table as lines that a person can read; timestamps in steps of the oracle. */
final class FormatText {
  private FormatText() {}

  static List<String> of(CellStore store, String table) {
    TableSchema schema = store.table(table).orElseThrow();
    Selection[] all =
        schema.families().stream().map(f -> Selection.family(f.name())).toArray(Selection[]::new);
    List<String> lines = new ArrayList<>();
    try (RowScanner scanner = store.scan(ScanRequest.of(table, KeyRange.ALL, all))) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        for (Cell cell : row.cells()) {
          lines.add(row.row().key() + "  " + line(cell));
        }
      }
    }
    return lines;
  }

  private static String line(Cell cell) {
    String family = cell.column().family();
    String version = timestamp(cell.version());
    if (family.equals(Families.INTENT)) {
      return Families.column(cell.column().qualifier()) + "  " + version + ": " + intent(cell);
    }
    if (family.equals(Families.NOTIFY)) {
      return Families.column(cell.column().qualifier())
          + "  "
          + version
          + ": notification "
          + Notification.decode(cell.value()).kind();
    }
    if (family.endsWith("~large")) {
      return cell.column() + "  " + version + ": " + cell.value().length() + " bytes";
    }
    CommitRecord record = CommitRecord.decode(cell.value(), cell.version());
    return cell.column()
        + "  "
        + version
        + ": commit of "
        + timestamp(record.start())
        + " "
        + record.kind()
        + (record.value().isEmpty() ? "" : " " + record.value());
  }

  private static String intent(Cell cell) {
    Intent intent = Intent.decode(cell.value());
    PrimaryCell primary = (PrimaryCell) intent.decision();
    return "intent "
        + intent.kind()
        + (intent.value().isEmpty() ? "" : " " + intent.value())
        + ", primary "
        + primary.row().key()
        + " "
        + primary.column();
  }

  static String timestamp(long timestamp) {
    int local = Timestamp.local(timestamp);
    return timestamp / Timestamp.STEP + (local == 0 ? "" : "." + local);
  }
}
