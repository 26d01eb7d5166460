package io.braid.view;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Names;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Rows and columns as users type and read them: {@code family:qualifier}, see {@link ByteText}. */
public final class Columns {
  private Columns() {}

  /**
   * A column of text from {@code family:qualifier}.
   *
   * @throws IllegalArgumentException when it has no colon, or before it no name of a family
   */
  public static Column<String> parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("'" + text + "' is no column: write FAMILY:QUALIFIER.");
    }
    String family = Names.family(text.substring(0, colon));
    return Column.of(family, ByteText.parse(text.substring(colon + 1)), Codecs.utf8());
  }

  /**
   * A row whose key was typed.
   *
   * @throws IllegalArgumentException when the key is empty
   */
  public static Row row(String table, String key) {
    Bytes bytes = ByteText.parse(key);
    if (bytes.isEmpty()) {
      throw new IllegalArgumentException("The key of a row is not empty.");
    }
    return new Row(table, bytes);
  }

  /** Returns a column as {@code family:qualifier}. */
  public static String show(ColumnName column) {
    return column.family() + ":" + ByteText.show(column.qualifier());
  }

  /** Returns a row as {@code table/key}. */
  public static String show(Row row) {
    return row.table() + "/" + ByteText.show(row.key());
  }

  /** A row for JSON: its key as {@code row}, its values by their columns as {@code columns}. */
  public static Map<String, Object> toObject(RowValues values) {
    Map<String, Object> columns = new LinkedHashMap<>();
    values.values().forEach((name, value) -> columns.put(show(name), ByteText.toJson(value)));
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("row", ByteText.show(values.row().key()));
    object.put("columns", columns);
    return object;
  }

  /** A row as lines, one for each column: key, column, value. */
  public static String toText(RowValues values) {
    String key = ByteText.show(values.row().key());
    return values.values().entrySet().stream()
        .map(e -> key + "  " + show(e.getKey()) + " = " + ByteText.show(e.getValue()))
        .collect(Collectors.joining(System.lineSeparator()));
  }
}
