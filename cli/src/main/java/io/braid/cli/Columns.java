package io.braid.cli;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Names;
import io.braid.core.transaction.RowValues;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Columns as users type and read them: {@code family:qualifier}. */
final class Columns {
  private Columns() {}

  static Column<String> parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw new UsageException("'" + text + "' is no column: write FAMILY:QUALIFIER.");
    }
    return Column.of(
        Names.family(text.substring(0, colon)), text.substring(colon + 1), Codecs.utf8());
  }

  static Map<String, Object> toObject(RowValues values) {
    Map<String, String> columns = new LinkedHashMap<>();
    values.values().forEach((name, value) -> columns.put(name.toString(), value.toUtf8()));
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("row", values.row().key().toUtf8());
    object.put("columns", columns);
    return object;
  }

  static String toText(RowValues values) {
    return values.values().entrySet().stream()
        .map(e -> values.row().key() + "  " + e.getKey() + " = " + e.getValue())
        .collect(Collectors.joining(System.lineSeparator()));
  }
}
