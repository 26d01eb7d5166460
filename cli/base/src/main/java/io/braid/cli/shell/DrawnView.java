package io.braid.cli.shell;

import io.braid.core.data.ColumnName;
import io.braid.core.transaction.RowValues;
import io.braid.view.ByteText;
import io.braid.view.Columns;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntSupplier;

/**
 * Tables, drawn for a terminal: a column for each column if that fits, else a line for each value.
 */
final class DrawnView implements View {
  private static final int MOST_COLUMNS = 12;

  private final PrintWriter out;
  private final IntSupplier width;

  DrawnView(PrintWriter out, IntSupplier width) {
    this.out = out;
    this.width = width;
  }

  @Override
  public void say(Map<String, ?> object, String text) {
    out.println(text);
    out.flush();
  }

  @Override
  public void remark(String text) {
    say(Map.of(), text);
  }

  @Override
  public void rows(List<RowValues> rows) {
    if (rows.isEmpty()) {
      return;
    }
    SortedSet<ColumnName> names = new TreeSet<>();
    rows.forEach(row -> names.addAll(row.values().keySet()));
    Optional<String> wide =
        names.size() > MOST_COLUMNS ? Optional.empty() : Grid.drawn(wide(names, rows), room());
    out.print(wide.orElseGet(() -> Grid.cut(narrow(rows), room())));
    out.println(rows.size() == 1 ? "1 row" : rows.size() + " rows");
    out.flush();
  }

  private static List<List<String>> wide(SortedSet<ColumnName> names, List<RowValues> rows) {
    List<List<String>> lines = new ArrayList<>();
    List<String> header = new ArrayList<>(List.of("row"));
    names.forEach(name -> header.add(Columns.show(name)));
    lines.add(header);
    for (RowValues row : rows) {
      List<String> line = new ArrayList<>(List.of(ByteText.show(row.row().key())));
      names.forEach(
          name ->
              line.add(Optional.ofNullable(row.values().get(name)).map(ByteText::show).orElse("")));
      lines.add(line);
    }
    return lines;
  }

  private static List<List<String>> narrow(List<RowValues> rows) {
    List<List<String>> lines = new ArrayList<>(List.of(List.of("row", "column", "value")));
    for (RowValues row : rows) {
      row.values()
          .forEach(
              (name, value) ->
                  lines.add(
                      List.of(
                          ByteText.show(row.row().key()),
                          Columns.show(name),
                          ByteText.show(value))));
    }
    return lines;
  }

  @Override
  public void listing(List<String> header, List<List<String>> lines) {
    List<List<String>> all = new ArrayList<>(List.of(header));
    all.addAll(lines);
    out.print(Grid.wrapped(all, room()));
    out.flush();
  }

  private int room() {
    return Math.max(40, width.getAsInt());
  }
}
