package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Cells as lines of text, {@code row family:qualifier@version=value}: fixtures and expectations
 * that a person can read. Bytes stand as {@link Bytes#toString} writes them: {@code \xNN} for those
 * that cannot be printed; a space in a row, and an at sign in a qualifier, as {@code \x20} and
 * {@code \x40}.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class CellText {
  private static final Pattern LINE = Pattern.compile("([^ ]*) ([^:]+):([^@]*)@(\\d+)=(.*)");

  private CellText() {}

  /** The line of a cell. */
  public static String line(Bytes rowKey, Cell cell) {
    return escape(rowKey, ' ') + " " + text(cell);
  }

  /** A cell without its row: {@code family:qualifier@version=value}. */
  public static String text(Cell cell) {
    return cell.column().family()
        + ":"
        + escape(cell.column().qualifier(), '@')
        + "@"
        + cell.version()
        + "="
        + cell.value();
  }

  /** One line for each cell of a row. */
  public static List<String> lines(RowCells row) {
    return row.cells().stream().map(cell -> line(row.row().key(), cell)).toList();
  }

  /** Every cell of a table, in order; all families. */
  public static List<String> dump(CellStore store, String table) {
    TableSchema schema =
        store.table(table).orElseThrow(() -> new AssertionError("There is no table " + table));
    Selection[] all =
        schema.families().stream()
            .map(FamilySchema::name)
            .map(Selection::family)
            .toArray(Selection[]::new);
    return scan(store, ScanRequest.of(table, KeyRange.ALL, all));
  }

  /** One line for each cell that a scan returns. */
  public static List<String> scan(CellStore store, ScanRequest request) {
    List<String> lines = new ArrayList<>();
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        lines.addAll(lines(row));
      }
    }
    return lines;
  }

  /** Writes the cells of these lines, each row at once; fails unless all are executed. */
  public static void put(CellStore store, String table, String... lines) {
    for (Outcome<Void> outcome : store.write(writes(table, lines), Durability.BUFFERED)) {
      if (!(outcome instanceof Outcome.Done<Void>)) {
        throw new AssertionError("The store did not write: " + outcome);
      }
    }
  }

  private static List<RowWrite> writes(String table, String... lines) {
    Map<Bytes, List<Cell>> rows = new TreeMap<>();
    for (String line : lines) {
      Matcher parts = match(line);
      rows.computeIfAbsent(bytes(parts.group(1)), key -> new ArrayList<>()).add(cell(parts));
    }
    List<RowWrite> writes = new ArrayList<>();
    rows.forEach((key, cells) -> writes.add(new RowWrite(new Row(table, key), cells, List.of())));
    return writes;
  }

  private static Matcher match(String line) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "No cell stands in '" + line + "': write row family:qualifier@version=value.");
    }
    return parts;
  }

  private static Cell cell(Matcher parts) {
    return new Cell(
        new ColumnName(parts.group(2), bytes(parts.group(3))),
        Long.parseLong(parts.group(4)),
        bytes(parts.group(5)));
  }

  /** The cell of a line. */
  public static Cell cell(String line) {
    return cell(match(line));
  }

  /** The row key of a line. */
  public static Bytes rowKey(String line) {
    return bytes(match(line).group(1));
  }

  private static String escape(Bytes bytes, char separator) {
    return bytes
        .toString()
        .replace(String.valueOf(separator), String.format("\\x%02X", (int) separator));
  }

  /** Reads what {@link Bytes#toString} writes. */
  public static Bytes bytes(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] in = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < in.length; i++) {
      if (in[i] != '\\') {
        out.write(in[i]);
      } else if (in[i + 1] == '\\') {
        out.write('\\');
        i++;
      } else {
        out.write(Integer.parseInt(new String(in, i + 2, 2, StandardCharsets.UTF_8), 16));
        i += 3;
      }
    }
    return Bytes.wrap(out.toByteArray());
  }
}
